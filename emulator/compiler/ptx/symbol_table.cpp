#include "compiler/ptx/symbol_table.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "compiler/ptx/syntax.hpp"

namespace emulator::compiler::ptx {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// What a register of a constraint is in PTX.
std::string_view letter_type(char letter) {
  switch (letter) {
    case 'h':
      return "b16";
    case 'r':
      return "b32";
    case 'l':
      return "b64";
    case 'q':
      return "b128";
    case 'f':
      return "f32";
    case 'd':
      return "f64";
    default:
      return {};
  }
}

// `0f3F800000` as C++, or nothing.
std::string float_of_bits(std::string_view text, std::string_view wanted) {
  const bool is_single = text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F"));
  const bool is_double = text.size() == 18 && (text.starts_with("0d") || text.starts_with("0D"));
  if (!is_single && !is_double) return {};
  if (!fits(is_single ? "f32" : "f64", wanted)) {
    throw StatementError{"`" + std::string(text) + "` stands where ." + std::string(wanted) +
                         " is wanted"};
  }
  return "::emulator::ptx::as<" + std::string(cpp_type(wanted)) +
         ">(::emulator::ptx::" + (is_single ? "u32{0x" : "u64{0x") + std::string(text.substr(2)) +
         (is_single ? "U})" : "ULL})");
}

std::string constant(std::string_view text, std::string_view wanted) {
  if (std::string bits = float_of_bits(text, wanted); !bits.empty()) return bits;
  const bool is_number =
      !text.empty() && (is_digit(text[0]) || (text[0] == '-' && text.size() > 1));
  if (!is_number) throw StatementError{"`" + std::string(text) + "` is not known"};
  std::string number(text);
  if (number.ends_with("U")) number.pop_back();
  if (wanted == "n") return number;
  const bool is_real = text.find('.') != std::string_view::npos;
  if (is_real != (wanted == "f32" || wanted == "f64") && wanted != "b32" && wanted != "b64") {
    throw StatementError{"`" + number + "` is not a number of type ." + std::string(wanted)};
  }
  return "static_cast<" + std::string(cpp_type(wanted)) + ">(" + number + ")";
}

}  // namespace

SymbolTable::SymbolTable(const Statement& statement, std::string prefix)
    : prefix_(std::move(prefix)) {
  for (const Operand& operand : statement.outputs) declare(operand, true);
  for (const Operand& operand : statement.inputs) declare(operand, false);
}

void SymbolTable::declare(const Operand& operand, bool is_output) {
  const std::size_t at = operand.constraint.find_first_not_of("=+&");
  const char letter = at == std::string::npos ? '?' : operand.constraint[at];
  const std::string name = prefix_ + std::to_string(operands_.size());
  if (letter == 'n' && !is_output) {
    prologue_ += "[[maybe_unused]] constexpr long long " + name + " = static_cast<long long>(" +
                 operand.expression + "); ";
    operands_.push_back({name, "n", false, {}});
  } else {
    const std::string_view type = letter_type(letter);
    if (type.empty())
      throw StatementError{"the constraint \"" + operand.constraint + "\" is not known"};
    if (is_output && operand.constraint[0] != '=' && operand.constraint[0] != '+') {
      throw StatementError{"the constraint \"" + operand.constraint +
                           "\" of an output lacks = or +"};
    }
    if (!is_output && at != 0) {
      throw StatementError{"the constraint \"" + operand.constraint + "\" is one of an output"};
    }
    const std::string cpp(cpp_type(type));
    const bool is_read = !is_output || operand.constraint[0] == '+';
    prologue_ += "[[maybe_unused]] " + cpp + " " + name + " = " +
                 (is_read ? "::emulator::ptx::read<" + cpp + ">(" + operand.expression + "); "
                          : cpp + "(); ");
    if (is_output) {
      epilogue_ +=
          "::emulator::ptx::write<" + cpp + ">(" + operand.expression + ", " + name + "); ";
    }
    operands_.push_back({name, std::string(type), is_output, operand.expression});
  }
  if (!operand.name.empty()) named_[operand.name] = operands_.size() - 1;
}

void SymbolTable::close_scope() {
  if (scopes_.size() == 1) throw StatementError{"a closing brace has no opening one"};
  scopes_.pop_back();
}

void SymbolTable::declare_registers(std::string_view text) {
  if (!text.starts_with(".")) throw StatementError{"a .reg without a type"};
  std::size_t elements = 1;
  if (text.starts_with(".v2") || text.starts_with(".v4")) {
    elements = text[2] == '2' ? 2 : 4;
    text = trimmed(text.substr(3));
  }
  const std::size_t end = std::min(text.find_first_of(blanks), text.size());
  const std::string type(text.substr(1, end - 1));
  if (cpp_type(type).empty())
    throw StatementError{"the register type ." + type + " is not modelled"};
  for (std::string_view name : split(text.substr(end), ',')) {
    std::size_t count = 0;
    if (const std::size_t open = name.find('<'); open != std::string_view::npos) {
      const std::string_view number = name.substr(open + 1);
      if (number.empty() || !is_digit(number[0]) || number.size() > 5) {
        throw StatementError{"`" + std::string(name) + "` has no number of registers"};
      }
      count = std::stoul(std::string(number));
      name = trimmed(name.substr(0, open));
    }
    for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i) {
      const std::string one = std::string(name) + (count > 0 ? std::to_string(i) : "");
      if (elements == 1) declare_register(one, type);
      for (std::size_t e = 0; elements > 1 && e < elements; ++e) {
        declare_register(one + "." + "xyzw"[e], type);
      }
    }
  }
}

void SymbolTable::declare_register(const std::string& name, const std::string& type) {
  const std::string cpp(cpp_type(type));
  std::string in_cpp = prefix_ + "r" + std::to_string(registers_++) + "_" + name;
  std::erase_if(in_cpp, [](char c) { return !is_word(c) || c == '$'; });
  if (!scopes_.back().emplace(name, Symbol{in_cpp, type, true, {}}).second) {
    throw StatementError{"the register " + name + " is declared twice"};
  }
  prologue_ += "[[maybe_unused]] " + cpp + " " + in_cpp + " = " + cpp + "(); ";
}

// The operand of the statement, or the register, that a name means.
std::optional<SymbolTable::Symbol> SymbolTable::variable(std::string_view text) const {
  for (std::size_t i = scopes_.size(); i > 0; --i) {  // the innermost first
    const auto found = scopes_[i - 1].find(std::string(text));
    if (found != scopes_[i - 1].end()) return found->second;
  }
  if (!text.starts_with("%")) return std::nullopt;
  const std::string_view name = text.substr(1);
  if (name.starts_with("[") && name.ends_with("]")) {
    const auto found = named_.find(std::string(name.substr(1, name.size() - 2)));
    if (found != named_.end()) return operands_[found->second];
    return std::nullopt;
  }
  if (name.empty() || name.size() > 5 || !std::all_of(name.begin(), name.end(), is_digit)) {
    return std::nullopt;
  }
  const std::size_t number = std::stoul(std::string(name));
  if (number >= operands_.size()) throw StatementError{"there is no operand " + std::string(text)};
  return operands_[number];
}

std::string SymbolTable::value(std::string_view text, std::string_view wanted, bool wider) const {
  const std::string cpp(wanted == "n" ? "long long" : cpp_type(wanted));
  bool is_not = false;
  if (wanted == "pred" && text.starts_with("!")) {
    is_not = true;
    text = trimmed(text.substr(1));
  }
  if (const auto found = variable(text)) {
    if (found->type == "n") {
      return wanted == "n" ? found->name : "static_cast<" + cpp + ">(" + found->name + ")";
    }
    if (wanted == "n") throw StatementError{"`" + std::string(text) + "` must be a constant"};
    if (!fits(found->type, wanted, wider)) {
      throw StatementError{"`" + std::string(text) + "` is of type ." + found->type + ", where ." +
                           std::string(wanted) + " is wanted"};
    }
    if (width(found->type) != width(wanted)) {
      return "static_cast<" + cpp + ">(" + found->name + ")";
    }
    return (is_not ? "!" : "") + ("::emulator::ptx::as<" + cpp + ">(" + found->name + ")");
  }
  if (text.starts_with("%")) {
    const std::string_view special = special_register(text.substr(1));
    if (!special.empty()) return "static_cast<" + cpp + ">(" + std::string(special) + ")";
    throw StatementError{"the register " + std::string(text) + " is not modelled"};
  }
  return constant(text, wanted);
}

std::string SymbolTable::address(std::string_view text, bool is_shared) const {
  if (!text.starts_with("[") || !text.ends_with("]")) {
    throw StatementError{"`" + std::string(text) + "` should be an address in brackets"};
  }
  text = trimmed(text.substr(1, text.size() - 2));
  std::string offset = "0";
  const std::size_t name_end = text.starts_with("%[") ? text.find(']') : 1;
  if (const std::size_t plus = text.find_first_of("+-", name_end); plus != std::string_view::npos) {
    const bool is_minus = text[plus] == '-';
    offset = (is_minus ? "-" : "") + value(trimmed(text.substr(plus + 1)), "n");
    text = trimmed(text.substr(0, plus));
  }
  const auto base = variable(text);
  if (!base) throw StatementError{"`" + std::string(text) + "` is not an address that is known"};
  const bool wide = fits(base->type, "u64") && base->type != "f64";
  if (!wide && !(is_shared && fits(base->type, "u32") && base->type != "f32")) {
    throw StatementError{"the address `" + std::string(text) + "` is of type ." + base->type};
  }
  return std::string(is_shared ? "::emulator::ptx::shared_pointer("
                               : "::emulator::ptx::global_pointer(") +
         base->name + ", " + offset + ")";
}

std::string SymbolTable::assign(std::string_view target, std::string_view type,
                                const std::string& expression, bool wider) const {
  if (target == "_") return "static_cast<void>(" + expression + ")";
  const auto found = variable(target);
  if (!found || !found->is_output) {
    throw StatementError{"`" + std::string(target) + "` cannot be written"};
  }
  if (!fits(found->type, type, wider)) {
    throw StatementError{"`" + std::string(target) + "` is of type ." + found->type + ", where ." +
                         std::string(type) + " is wanted"};
  }
  std::string value = "static_cast<" + std::string(cpp_type(type)) + ">(" + expression + ")";
  // Into a larger register a number goes with its sign, bits with zeros before them.
  if (const unsigned bits = width(found->type); bits != width(type)) {
    value = "static_cast<::emulator::ptx::" + std::string(1, type[0] == 's' ? 's' : 'u') +
            std::to_string(bits) + ">(" + value + ")";
  }
  return found->name + " = ::emulator::ptx::as<decltype(" + found->name + ")>(" + value + ")";
}

std::string SymbolTable::output_pointer(std::string_view target, std::string_view type) const {
  const auto found = variable(target);
  if (!found || !found->is_output || found->expression.empty()) {
    throw StatementError{"`" + std::string(target) +
                         "` must be an output of the statement, \"+f\" or \"+r\""};
  }
  if (!fits(found->type, type)) {
    throw StatementError{"`" + std::string(target) + "` is of type ." + found->type + ", where ." +
                         std::string(type) + " is wanted"};
  }
  return "static_cast<void*>(__builtin_addressof(" + found->expression + "))";
}

std::string SymbolTable::carry() {
  const std::string name = prefix_ + "carry";
  if (!std::exchange(has_carry_, true)) prologue_ += "[[maybe_unused]] bool " + name + " = false; ";
  return name;
}

}  // namespace emulator::compiler::ptx
