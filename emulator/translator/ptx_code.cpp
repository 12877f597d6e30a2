#include "ptx_code.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "ptx_matrices.hpp"

namespace emulator {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == '}' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != by || depth > 0)) continue;
    const std::string_view part = trimmed(text.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

// A type of PTX's in C++; empty if it is none.
std::string_view cpp_type(std::string_view type) {
  static const std::map<std::string_view, std::string_view> types = {
      {"b8", "::emulator::ptx::u8"},
      {"u8", "::emulator::ptx::u8"},
      {"s8", "::emulator::ptx::s8"},
      {"b16", "::emulator::ptx::u16"},
      {"u16", "::emulator::ptx::u16"},
      {"s16", "::emulator::ptx::s16"},
      {"b32", "::emulator::ptx::u32"},
      {"u32", "::emulator::ptx::u32"},
      {"s32", "::emulator::ptx::s32"},
      {"b64", "::emulator::ptx::u64"},
      {"u64", "::emulator::ptx::u64"},
      {"s64", "::emulator::ptx::s64"},
      {"f32", "float"},
      {"f64", "double"},
      {"pred", "bool"}};
  const auto found = types.find(type);
  return found == types.end() ? std::string_view() : found->second;
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
    case 'f':
      return "f32";
    case 'd':
      return "f64";
    default:
      return {};
  }
}

// Whether a register of the one type may stand where the other is wanted: the size must be the
// same, and only bits may be either integers or floating-point numbers.
bool fits(std::string_view has, std::string_view wanted) {
  if (has.empty() || wanted.empty()) return false;
  if (has == "pred" || wanted == "pred") return has == wanted;
  if (has.substr(1) != wanted.substr(1)) return false;
  return (has[0] == 'f') == (wanted[0] == 'f') || has[0] == 'b' || wanted[0] == 'b';
}

struct Refused {
  std::string what;
};

class Translation {
 public:
  Translation(const PtxStatement& statement, std::size_t number)
      : statement_(statement), prefix_("ptx_" + std::to_string(number) + "_") {}

  std::string run() {
    declare_operands();
    read_statements(statement_.code);
    std::string result = "[&]() __attribute__((always_inline)) { " + begin_ + code_;
    for (const auto& [label, is_there] : labels_) {
      if (!is_there) throw Refused{"the label " + label + " is not in the statement"};
    }
    return result + end_ + "}()";
  }

 private:
  struct Operand {
    std::string name;  // in C++
    std::string type;  // of PTX; n: a constant
    bool is_output = false;
  };

  void declare_operands() {
    const auto declare = [&](const PtxOperand& operand, bool is_output) {
      const std::size_t at = operand.constraint.find_first_not_of("=+&");
      const char letter = at == std::string::npos ? '?' : operand.constraint[at];
      const std::string name = prefix_ + std::to_string(operands_.size());
      if (letter == 'n' && !is_output) {
        begin_ += "[[maybe_unused]] constexpr long long " + name + " = static_cast<long long>(" +
                  operand.expression + "); ";
        operands_.push_back({name, "n", false});
      } else {
        const std::string_view type = letter_type(letter);
        if (type.empty())
          throw Refused{"the constraint \"" + operand.constraint + "\" is not known"};
        const std::string cpp(cpp_type(type));
        const bool is_read = !is_output || operand.constraint[0] == '+';
        begin_ += "[[maybe_unused]] " + cpp + " " + name + " = " +
                  (is_read ? "::emulator::ptx::read<" + cpp + ">(" + operand.expression + "); "
                           : cpp + "(); ");
        if (is_output) {
          end_ += "::emulator::ptx::write<" + cpp + ">(" + operand.expression + ", " + name + "); ";
        }
        operands_.push_back({name, std::string(type), is_output});
      }
      if (!operand.name.empty()) named_[operand.name] = operands_.size() - 1;
    };
    for (const PtxOperand& operand : statement_.outputs) declare(operand, true);
    for (const PtxOperand& operand : statement_.inputs) declare(operand, false);
  }

  // Statements end with a semicolon. A block has names of its own, but as no two may be alike
  // within one statement of the source, only its braces are looked at.
  void read_statements(std::string_view code) {
    std::string text;
    for (std::size_t i = 0; i < code.size(); ++i) {  // comments, and %= behind labels
      if (code.substr(i, 2) == "//") {
        while (i < code.size() && code[i] != '\n') ++i;
        text += ' ';
      } else if (code.substr(i, 2) == "/*") {
        i = std::min(code.find("*/", i), code.size() - 2) + 1;
        text += ' ';
      } else if (code.substr(i, 2) == "%=") {
        ++i;
      } else {
        text += code[i];
      }
    }
    std::string_view rest = text;
    while (!rest.empty()) {
      rest = trimmed(rest);
      if (rest.empty()) break;
      if (rest[0] == '{' || rest[0] == '}' || rest[0] == ';') {
        rest.remove_prefix(1);
        continue;
      }
      std::size_t word = 0;
      while (word < rest.size() && is_word(rest[word])) ++word;
      const std::string_view after = trimmed(rest.substr(word));
      if (word > 0 && after.starts_with(":") && !after.starts_with("::")) {
        const std::string label(rest.substr(0, word));
        labels_[label] = true;
        code_ += label_name(label) + ": __attribute__((unused)); ";
        rest = after.substr(1);
        continue;
      }
      const std::size_t end = rest.find(';');
      if (end == std::string_view::npos) throw Refused{"no ; behind `" + std::string(rest) + "`"};
      read_statement(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end + 1);
    }
  }

  std::string label_name(const std::string& label) {
    labels_.emplace(label, false);
    std::string name = prefix_ + "at_" + label;
    std::replace(name.begin(), name.end(), '$', '_');
    return name;
  }

  void read_statement(std::string_view statement) {
    if (statement.starts_with(".reg")) {
      declare_registers(trimmed(statement.substr(4)));
      return;
    }
    std::string condition;
    if (statement.starts_with("@")) {
      const std::size_t end = statement.find_first_of(blanks);
      if (end == std::string_view::npos) throw Refused{"nothing behind a predicate"};
      std::string_view predicate = statement.substr(1, end - 1);
      const bool is_not = predicate.starts_with("!");
      if (is_not) predicate.remove_prefix(1);
      condition = "if (" + std::string(is_not ? "!" : "") + value(predicate, "pred") + ") ";
      statement = trimmed(statement.substr(end));
    }
    const std::size_t end = std::min(statement.find_first_of(blanks), statement.size());
    const std::string_view name = statement.substr(0, end);
    const std::vector<std::string_view> operands = split(statement.substr(end), ',');
    code_ += condition + "{ " + instruction(name, operands) + "; } ";
  }

  void declare_registers(std::string_view text) {
    if (!text.starts_with(".")) throw Refused{"a .reg without a type"};
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    const std::string type(text.substr(1, end - 1));
    const std::string cpp(cpp_type(type));
    if (cpp.empty()) throw Refused{"the register type ." + type + " is not modelled"};
    for (std::string_view name : split(text.substr(end), ',')) {
      std::size_t count = 0;
      if (const std::size_t open = name.find('<'); open != std::string_view::npos) {
        count = std::stoul(std::string(name.substr(open + 1)));
        name = trimmed(name.substr(0, open));
      }
      for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i) {
        const std::string one = std::string(name) + (count > 0 ? std::to_string(i) : "");
        std::string in_cpp = prefix_ + "r_" + one;
        std::erase_if(in_cpp, [](char c) { return !is_word(c) || c == '$'; });
        if (!registers_.emplace(one, Operand{in_cpp, type, true}).second) continue;
        begin_ += "[[maybe_unused]] " + cpp + " " + in_cpp + " = " + cpp + "(); ";
      }
    }
  }

  // The operand of the statement, or the register, that a name means.
  std::optional<Operand> variable(std::string_view text) const {
    if (const auto found = registers_.find(std::string(text)); found != registers_.end()) {
      return found->second;
    }
    if (!text.starts_with("%")) return std::nullopt;
    std::string_view name = text.substr(1);
    if (name.starts_with("[") && name.ends_with("]")) {
      const auto found = named_.find(std::string(name.substr(1, name.size() - 2)));
      if (found != named_.end()) return operands_[found->second];
      return std::nullopt;
    }
    if (name.empty() || !std::all_of(name.begin(), name.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; })) {
      return std::nullopt;
    }
    const std::size_t number = std::stoul(std::string(name));
    if (number >= operands_.size()) {
      throw Refused{"there is no operand " + std::string(text)};
    }
    return operands_[number];
  }

  // What an operand is worth, as a value of the wanted type.
  std::string value(std::string_view text, std::string_view wanted) const {
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
      if (wanted == "n") throw Refused{"`" + std::string(text) + "` must be a constant"};
      if (!fits(found->type, wanted)) {
        throw Refused{"`" + std::string(text) + "` is of type ." + found->type + ", where ." +
                      std::string(wanted) + " is wanted"};
      }
      return (is_not ? "!" : "") + ("::emulator::ptx::as<" + cpp + ">(" + found->name + ")");
    }
    if (text.starts_with("%")) {
      const std::string_view special = ptx_register(text.substr(1));
      if (!special.empty()) return "static_cast<" + cpp + ">(" + std::string(special) + ")";
      throw Refused{"the register " + std::string(text) + " is not modelled"};
    }
    return constant(text, wanted, cpp);
  }

  static std::string constant(std::string_view text, std::string_view wanted,
                              const std::string& cpp) {
    if (text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F"))) {
      return "::emulator::ptx::as<float>(::emulator::ptx::u32{0x" + std::string(text.substr(2)) +
             "U})";
    }
    if (text.size() == 18 && (text.starts_with("0d") || text.starts_with("0D"))) {
      return "::emulator::ptx::as<double>(::emulator::ptx::u64{0x" + std::string(text.substr(2)) +
             "ULL})";
    }
    const bool is_number =
        !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0 ||
                          (text[0] == '-' && text.size() > 1));
    if (!is_number) throw Refused{"`" + std::string(text) + "` is not known"};
    std::string number(text);
    if (number.ends_with("U")) number.pop_back();
    if (wanted == "n") return number;
    return "static_cast<" + cpp + ">(" + number + ")";
  }

  // `[%1 + 16]` as a pointer.
  std::string address(std::string_view text, bool is_shared) const {
    if (!text.starts_with("[") || !text.ends_with("]")) {
      throw Refused{"`" + std::string(text) + "` should be an address in brackets"};
    }
    text = trimmed(text.substr(1, text.size() - 2));
    std::string offset = "0";
    if (const std::size_t plus = text.find_first_of("+-", 1); plus != std::string_view::npos) {
      const bool is_minus = text[plus] == '-';
      offset = (is_minus ? "-" : "") + value(trimmed(text.substr(plus + 1)), "n");
      text = trimmed(text.substr(0, plus));
    }
    const auto base = variable(text);
    if (!base) throw Refused{"`" + std::string(text) + "` is no address that is known"};
    const bool wide = fits(base->type, "b64");
    if (!wide && !(is_shared && fits(base->type, "b32"))) {
      throw Refused{"the address `" + std::string(text) + "` is of type ." + base->type};
    }
    return std::string(is_shared ? "::emulator::ptx::shared_pointer("
                                 : "::emulator::ptx::global_pointer(") +
           base->name + ", " + offset + ")";
  }

  // An assignment to an operand.
  std::string assign(std::string_view target, std::string_view type,
                     const std::string& expression) const {
    if (target == "_") return "static_cast<void>(" + expression + ")";
    const auto found = variable(target);
    if (!found || !found->is_output) {
      throw Refused{"`" + std::string(target) + "` cannot be written"};
    }
    if (!fits(found->type, type)) {
      throw Refused{"`" + std::string(target) + "` is of type ." + found->type + ", where ." +
                    std::string(type) + " is wanted"};
    }
    return found->name + " = ::emulator::ptx::as<decltype(" + found->name + ")>(static_cast<" +
           std::string(cpp_type(type)) + ">(" + expression + "))";
  }

  // Parts of a name that change nothing here are left out.
  static std::string plain_name(std::string_view name) {
    static const std::set<std::string_view> of_mbarriers = {
        "release", "acquire", "cta", "cluster", "shared", "shared::cta", "shared::cluster"};
    const bool is_mbarrier = name.starts_with("mbarrier.");
    std::string plain;
    for (std::string_view part : split(name, '.')) {
      if (is_mbarrier && of_mbarriers.contains(part)) continue;
      if (part.starts_with("L2::") && !part.starts_with("L2::cache_hint")) continue;
      if (part == "shared::cta" || part == "shared::cluster") part = "shared";
      plain += (plain.empty() ? "" : ".") + std::string(part);
    }
    return plain;
  }

  std::string instruction(std::string_view whole_name,
                          const std::vector<std::string_view>& operands) {
    if (whole_name == "bra" || whole_name == "bra.uni") {
      if (operands.size() != 1) throw Refused{"bra wants a label"};
      return "goto " + label_name(std::string(operands[0]));
    }
    const std::string name = plain_name(whole_name);
    if (name.starts_with("ld.")) return load(name, operands);
    if (name.starts_with("st.")) return store(name, operands);
    if (const auto matrix = ptx_matrix_instruction(whole_name)) {
      return matrix_call(*matrix, whole_name, operands);
    }
    bool is_known = false;
    for (const PtxInstruction& row : ptx_instructions()) {
      for (const std::string_view one : split(row.name, ' ')) {
        if (row.types.empty()) {
          if (name != one) continue;
          is_known = true;
          if (split(row.operands, ',').size() == operands.size())
            return call(row, one, {}, operands);
          continue;
        }
        if (!std::string_view(name).starts_with(one)) continue;
        for (const std::string_view type : split(row.types, ' ')) {
          if (name != std::string(one) + "." + std::string(type)) continue;
          is_known = true;
          if (split(row.operands, ',').size() == operands.size()) {
            return call(row, one, type, operands);
          }
        }
      }
    }
    if (is_known) {
      throw Refused{std::string(whole_name) + " does not take " + std::to_string(operands.size()) +
                    " operands"};
    }
    throw Refused{"the instruction " + std::string(whole_name) +
                  " is not modelled; those that are: " + known_names()};
  }

  static std::string known_names() {
    std::string names = "ld, st, bra";
    std::set<std::string_view> seen;
    for (const PtxInstruction& row : ptx_instructions()) {
      for (const std::string_view one : split(row.name, ' ')) {
        if (seen.insert(one).second) names += ", " + std::string(one);
      }
    }
    return names + ", " + std::string(ptx_matrix_names);
  }

  std::string call(const PtxInstruction& row, std::string_view name, std::string_view type,
                   const std::vector<std::string_view>& operands) const {
    const std::vector<std::string_view> kinds = split(row.operands, ',');
    const auto type_of = [&](std::string_view kind) {
      if (kind == "t") return std::string(type);
      if (kind == "w") return std::string(1, type[0]) + "64";  // twice as wide
      return std::string(kind);
    };
    std::vector<std::string> values;
    std::string_view target;
    std::string target_type;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i].starts_with("=")) {
        target = operands[i];
        target_type = type_of(kinds[i].substr(1));
        values.emplace_back();
      } else if (kinds[i] == "s" || kinds[i] == "g") {
        values.push_back(address(operands[i], kinds[i] == "s"));
      } else {
        values.push_back(value(operands[i], type_of(kinds[i])));
      }
    }
    std::string first(name.substr(0, name.find(".rn")));
    std::replace(first.begin(), first.end(), '.', '_');
    std::string expression;
    for (std::size_t i = 0; i < row.code.size(); ++i) {
      const char c = row.code[i];
      const bool alone = (i == 0 || !is_word(row.code[i - 1])) &&
                         (i + 1 == row.code.size() || !is_word(row.code[i + 1]) ||
                          row.code.substr(i + 1).starts_with("_bits"));
      if (c == '$') {
        expression += values[static_cast<std::size_t>(row.code[++i] - '0')];
      } else if (c == 'T' && alone) {
        expression += cpp_type(type);
      } else if (c == 'N' && alone) {
        expression += first;
      } else {
        expression += c;
      }
    }
    return target.empty() ? expression : assign(target, target_type, expression);
  }

  // The registers of `{%0, %1}`; a single one may do without braces.
  static std::vector<std::string_view> registers_of(std::string_view text) {
    if (!text.starts_with("{") || !text.ends_with("}")) return {text};
    return split(text.substr(1, text.size() - 2), ',');
  }

  std::string matrix_call(const PtxMatrixInstruction& matrix, std::string_view name,
                          const std::vector<std::string_view>& operands) const {
    if (operands.size() != matrix.operands.size()) {
      throw Refused{std::string(name) + " does not take " + std::to_string(operands.size()) +
                    " operands"};
    }
    std::string arguments;
    std::string assignments;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const PtxRegisters& wanted = matrix.operands[i];
      const bool is_address = wanted.use == PtxRegisters::Use::address;
      const std::string_view before = arguments.empty() ? "" : ", ";
      if (is_address) {
        arguments += std::string(before) + address(operands[i], true);
        continue;
      }
      const std::vector<std::string_view> parts = registers_of(operands[i]);
      if (parts.size() != wanted.count) {
        throw Refused{"`" + std::string(operands[i]) + "` should be " +
                      std::to_string(wanted.count) + " registers"};
      }
      if (wanted.use == PtxRegisters::Use::written) {
        for (std::size_t j = 0; j < parts.size(); ++j) {
          assignments +=
              "; " + assign(parts[j], wanted.type, "written.value[" + std::to_string(j) + "]");
        }
        continue;
      }
      arguments += std::string(before) + "::emulator::ptx::Registers<" +
                   std::string(cpp_type(wanted.type)) + ", " + std::to_string(wanted.count) + ">{{";
      for (std::size_t j = 0; j < parts.size(); ++j) {
        arguments += (j > 0 ? ", " : "") + value(parts[j], wanted.type);
      }
      arguments += "}}";
    }
    const std::string call = matrix.function + "(" + arguments + ")";
    return assignments.empty() ? call : "const auto written = " + call + assignments;
  }

  struct Access {
    std::string type;
    unsigned elements = 1;
    bool is_shared = false;
    bool is_volatile = false;
  };

  static Access access_of(const std::string& name) {
    static const std::set<std::string_view> hints = {"ca",
                                                     "cg",
                                                     "cs",
                                                     "lu",
                                                     "cv",
                                                     "wb",
                                                     "wt",
                                                     "nc",
                                                     "weak",
                                                     "L1::no_allocate",
                                                     "L1::evict_normal",
                                                     "L1::evict_last",
                                                     "L1::evict_first",
                                                     "L1::evict_unchanged"};
    Access access;
    for (const std::string_view part : split(std::string_view(name).substr(3), '.')) {
      if (part == "shared") {
        access.is_shared = true;
      } else if (part == "volatile") {
        access.is_volatile = true;
      } else if (part == "v2" || part == "v4") {
        access.elements = part == "v2" ? 2 : 4;
      } else if (!cpp_type(part).empty() && part != "pred") {
        access.type = part;
      } else if (part != "global" && !hints.contains(part)) {
        throw Refused{"." + std::string(part) + " in " + name + " is not modelled"};
      }
    }
    if (access.type.empty()) throw Refused{name + " has no type"};
    return access;
  }

  // What is accessed at once, in C++: a vector of CUDA's, so that it counts as one access.
  static std::string vector_type(const Access& access) {
    if (access.elements == 1) return std::string(cpp_type(access.type));
    return "::emulator::ptx::Vector<" + std::string(cpp_type(access.type)) + ", " +
           std::to_string(access.elements) + ">::type";
  }

  std::vector<std::string_view> elements_of(std::string_view text, const Access& access) const {
    if (access.elements == 1) return {text};
    if (!text.starts_with("{") || !text.ends_with("}")) throw Refused{"a vector needs braces"};
    std::vector<std::string_view> parts = split(text.substr(1, text.size() - 2), ',');
    if (parts.size() != access.elements) throw Refused{"a vector has too many or too few elements"};
    return parts;
  }

  std::string load(const std::string& name, const std::vector<std::string_view>& operands) const {
    const Access access = access_of(name);
    if (operands.size() != 2) throw Refused{name + " wants a target and an address"};
    const std::string type = vector_type(access);
    std::string code = "const auto loaded = *static_cast<const " +
                       std::string(access.is_volatile && access.elements == 1 ? "volatile " : "") +
                       type + "*>(" + address(operands[1], access.is_shared) + ")";
    const std::vector<std::string_view> parts = elements_of(operands[0], access);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string element =
          access.elements == 1 ? "loaded" : std::string("loaded.") + "xyzw"[i];
      code += "; " + assign_widened(parts[i], access.type, element);
    }
    return code;
  }

  // Of 8 and 16 bits a load may fill a larger register.
  std::string assign_widened(std::string_view target, const std::string& type,
                             const std::string& expression) const {
    const auto found = variable(target);
    if (found && !fits(found->type, type) && type[0] != 'f' && found->type[0] != 'f' &&
        found->type != "pred" && std::stoi(found->type.substr(1)) > std::stoi(type.substr(1))) {
      const std::string wide = (type[0] == 's' ? "s" : "u") + found->type.substr(1);
      return assign(target, wide,
                    "static_cast<" + std::string(cpp_type(wide)) + ">(" + expression + ")");
    }
    return assign(target, type, expression);
  }

  std::string store(const std::string& name, const std::vector<std::string_view>& operands) const {
    const Access access = access_of(name);
    if (operands.size() != 2) throw Refused{name + " wants an address and a value"};
    const std::string type = vector_type(access);
    const std::vector<std::string_view> parts = elements_of(operands[1], access);
    std::string code = "*static_cast<" +
                       std::string(access.is_volatile && access.elements == 1 ? "volatile " : "") +
                       type + "*>(" + address(operands[0], access.is_shared) + ") = ";
    if (access.elements == 1) return code + value(parts[0], access.type);
    code += type + "{";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      code += (i > 0 ? ", " : "") + value(parts[i], access.type);
    }
    return code + "}";
  }

  const PtxStatement& statement_;
  std::string prefix_;
  std::vector<Operand> operands_;
  std::map<std::string, std::size_t> named_;
  std::map<std::string, Operand> registers_;
  std::map<std::string, bool> labels_;  // and whether they have been met
  std::string begin_;
  std::string code_;
  std::string end_;
};

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' || c == '\t' ? ' ' : c;
  }
  return result + "\"";
}

}  // namespace

std::string translated_ptx(const PtxStatement& statement, std::size_t number) {
  try {
    return Translation(statement, number).run();
  } catch (const Refused& refused) {
    // A function of a name of its own, as its attribute holds for all who call it.
    const std::string function = "emulator_ptx_" + std::to_string(number);
    return "[]() { void " + function + "() __attribute__((error(" +
           quoted("PTX in the source: " + refused.what) + "))); " + function + "(); }()";
  }
}

}  // namespace emulator
