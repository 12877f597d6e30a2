#include "compiler/ptx/code.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "compiler/ptx/matrices.hpp"
#include "compiler/ptx/memory.hpp"
#include "compiler/ptx/names.hpp"
#include "compiler/ptx/symbol_table.hpp"
#include "compiler/ptx/syntax.hpp"
#include "compiler/ptx/tensors.hpp"
#include "compiler/ptx/warpgroup_products.hpp"

namespace emulator::compiler::ptx {
namespace {

// Without comments, and without `%=`, which makes labels differ from those of other statements:
// each statement has names of its own here.
std::string without_comments(std::string_view code) {
  std::string text;
  for (std::size_t i = 0; i < code.size(); ++i) {
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
  return text;
}

class Translation {
 public:
  Translation(const Statement& statement, std::size_t number)
      : prefix_("ptx_" + std::to_string(number) + "_"), symbols_(statement, prefix_) {
    read_statements(without_comments(statement.code));
  }

  std::string result() const {
    for (const auto& [label, is_there] : labels_) {
      if (!is_there) throw StatementError{"the label " + label + " is not in the statement"};
    }
    const std::string code = symbols_.prologue() + code_ + symbols_.epilogue();
    // g++'s block with a value, since a lambda cannot name members of anonymous unions; but a
    // function that is constexpr may have no labels.
    if (labels_.empty()) return "__extension__ ({ " + code + "})";
    return "[&]() __attribute__((always_inline)) { " + code + "}()";
  }

 private:
  // Statements end with a semicolon.
  void read_statements(std::string_view rest) {
    for (rest = trimmed(rest); !rest.empty(); rest = trimmed(rest)) {
      if (rest[0] == '{' || rest[0] == '}' || rest[0] == ';') {
        if (rest[0] == '{') symbols_.open_scope();
        if (rest[0] == '}') symbols_.close_scope();
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
      if (end == std::string_view::npos)
        throw StatementError{"no ; after `" + std::string(rest) + "`"};
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
      symbols_.declare_registers(trimmed(statement.substr(4)));
      return;
    }
    if (statement.starts_with(".")) {
      throw StatementError{"the directive `" + std::string(statement) + "` is not modelled"};
    }
    std::string condition;
    if (statement.starts_with("@")) {
      const std::string_view behind = trimmed(statement.substr(1));
      const std::size_t end = behind.find_first_of(blanks);
      if (end == std::string_view::npos) throw StatementError{"nothing after a predicate"};
      condition = "if (" + symbols_.value(behind.substr(0, end), "pred") + ") ";
      statement = trimmed(behind.substr(end));
    }
    const std::size_t end = std::min(statement.find_first_of(" \t\r\n{["), statement.size());
    std::string name(statement.substr(0, end));
    std::string_view rest = trimmed(statement.substr(end));
    if (rest.starts_with(".")) {  // `lop3 .b32`
      const std::size_t more = std::min(rest.find_first_of(blanks), rest.size());
      name += rest.substr(0, more);
      rest = trimmed(rest.substr(more));
    }
    code_ += condition + "{ " + instruction(name, split(rest, ',')) + "; } ";
  }

  std::string instruction(const std::string& name, const std::vector<std::string_view>& operands) {
    if (name == "bra" || name == "bra.uni") {
      if (operands.size() != 1) throw StatementError{"bra wants a label"};
      return "goto " + label_name(std::string(operands[0]));
    }
    if (is_memory_instruction(name)) return memory_instruction(symbols_, name, operands);
    if (is_tensor_instruction(name)) return tensor_instruction(symbols_, name, operands);
    if (is_warpgroup_product(name)) return warpgroup_product(symbols_, name, operands);
    if (const auto matrix = find_matrix_instruction(name)) {
      return matrix_instruction(symbols_, *matrix, name, operands);
    }
    const bool has_vector =
        operands.size() == 2 && (operands[0].starts_with("{") || operands[1].starts_with("{"));
    if (name.starts_with("mov.b") && has_vector) return move_vector(name, operands);
    const std::string plain = canonical_name(name);
    const std::vector<InstructionMatch> matches = instruction_matches(plain);
    if (matches.empty()) {
      const std::string similar = similar_instructions(plain);
      throw StatementError{
          "the instruction " + name + " is not modelled; " +
          (similar.empty() ? std::string() : "those that begin alike: " + similar + "; ") +
          "`emucc --list-ptx` lists all"};
    }
    std::optional<StatementError> reason;
    for (const InstructionMatch& match : matches) {
      if (split(match.row->operands, ',').size() != operands.size()) continue;
      try {
        return call(match, operands);
      } catch (const StatementError& refused) {
        if (!reason) reason = refused;  // another row may take what this one does not
      }
    }
    if (reason) throw StatementError{reason->what};
    throw StatementError{name + " does not take " + std::to_string(operands.size()) + " operands"};
  }

  // `mov.b32 {a, b}, c`, and the other way round.
  std::string move_vector(std::string_view name, const std::vector<std::string_view>& operands) {
    const std::string_view whole = name.substr(4);
    const bool takes_apart = operands[0].starts_with("{");
    const std::string_view vector = operands[takes_apart ? 0 : 1];
    if (!vector.ends_with("}")) throw StatementError{"a vector needs braces"};
    const auto parts = split(vector.substr(1, vector.size() - 2), ',');
    const unsigned bits = width(whole);
    if (bits == 0 || (parts.size() != 2 && parts.size() != 4)) {
      throw StatementError{std::string(name) + " wants a vector of two or four elements"};
    }
    const std::string part = "b" + std::to_string(bits / parts.size());
    const std::string part_cpp(cpp_type(part));
    if (part_cpp.empty())
      throw StatementError{"there is no .b" + std::to_string(bits / parts.size())};
    const std::string whole_cpp(cpp_type(whole));
    std::string code;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string shift = std::to_string(i * bits / parts.size());
      if (takes_apart) {
        if (i == 0) code = "const " + whole_cpp + " whole = " + symbols_.value(operands[1], whole);
        if (parts[i] == "_") continue;
        code += "; " + symbols_.assign(parts[i], part,
                                       "static_cast<" + part_cpp + ">(whole >> " + shift + ")");
      } else {
        code += (i > 0 ? " | " : "") + std::string("static_cast<") + whole_cpp + ">(static_cast<" +
                whole_cpp + ">(" + symbols_.value(parts[i], part) + ") << " + shift + ")";
      }
    }
    return takes_apart ? code : symbols_.assign(operands[0], whole, code);
  }

  static std::string type_of(std::string_view kind, const InstructionMatch& match) {
    if (kind == "t") return std::string(match.type);
    if (kind == "w") {  // twice as wide
      return std::string(1, match.type[0]) + std::to_string(2 * width(match.type));
    }
    if (kind.starts_with("@")) {
      return std::string(match.parts[static_cast<std::size_t>(kind[1] - '1')].substr(1));
    }
    return std::string(kind);
  }

  std::string call(const InstructionMatch& match, const std::vector<std::string_view>& operands) {
    const std::vector<std::string_view> kinds = split(match.row->operands, ',');
    std::vector<std::string> values;
    std::string_view target;
    std::string target_kind;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const bool wider = kinds[i].ends_with(">");
      const std::string_view kind = kinds[i].substr(0, kinds[i].size() - (wider ? 1 : 0));
      if (kind.starts_with("=")) {
        target = operands[i];
        target_kind = kinds[i].substr(1);
        values.emplace_back();
      } else if (kind == "s" || kind == "g") {
        values.push_back(symbols_.address(operands[i], kind == "s"));
      } else {
        values.push_back(symbols_.value(operands[i], type_of(kind, match), wider));
      }
    }
    const std::string expression = expanded(match, values);
    if (target_kind.empty()) return expression;
    const bool wider = target_kind.ends_with(">");
    if (wider) target_kind.pop_back();
    if (const std::size_t both = target_kind.find('|'); both != std::string::npos) {
      const std::size_t bar = target.find('|');
      std::string code = "const auto both = " + expression + "; " +
                         symbols_.assign(trimmed(target.substr(0, bar)),
                                         type_of(target_kind.substr(0, both), match), "both.first");
      if (bar == std::string_view::npos) return code;
      return code + "; " +
             symbols_.assign(trimmed(target.substr(bar + 1)),
                             type_of(target_kind.substr(both + 1), match), "both.second");
    }
    return symbols_.assign(target, type_of(target_kind, match), expression, wider);
  }

  // What a row says in C++, with all that it stands for.
  std::string expanded(const InstructionMatch& match, const std::vector<std::string>& values) {
    const std::string_view code = match.row->code;
    std::string name = match.name.substr(0, match.name.find(".rn"));
    std::replace(name.begin(), name.end(), '.', '_');
    std::string expression;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const char c = code[i];
      const bool alone =
          (i == 0 || !is_word(code[i - 1])) && (i + 1 == code.size() || !is_word(code[i + 1]) ||
                                                code.substr(i + 1).starts_with("_bits"));
      if (c == '$' && code[i + 1] == 'c') {
        ++i;
        expression += symbols_.carry();
      } else if (c == '$') {
        expression += values[static_cast<std::size_t>(code[++i] - '0')];
      } else if (c == '@') {
        expression += option(match.parts[static_cast<std::size_t>(code[++i] - '1')]);
      } else if (c == 'T' && alone) {
        expression += cpp_type(match.type);
      } else if (c == 'N' && alone) {
        expression += name;
      } else {
        expression += c;
      }
    }
    return expression;
  }

  // A part of a name as a type, or as an Option.
  static std::string option(std::string_view part) {
    if (part.empty()) return "::emulator::ptx::Option::none";
    if (part.starts_with(".")) part.remove_prefix(1);
    if (!cpp_type(part).empty()) return std::string(cpp_type(part));
    std::string name(part);
    std::replace(name.begin(), name.end(), '.', '_');
    return "::emulator::ptx::Option::" + name + "_";
  }

  std::string prefix_;
  SymbolTable symbols_;
  std::map<std::string, bool> labels_;  // and whether they have been met
  std::string code_;
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

std::string translate_statement(const Statement& statement, std::size_t number) {
  try {
    return Translation(statement, number).result();
  } catch (const StatementError& refused) {
    // A function of a name of its own, as its attribute holds for all its callers.
    const std::string function = "emulator_ptx_" + std::to_string(number);
    return "[]() { void " + function + "() __attribute__((error(" +
           quoted("PTX in the source: " + refused.what) + "))); " + function + "(); }()";
  }
}

}  // namespace emulator::compiler::ptx
