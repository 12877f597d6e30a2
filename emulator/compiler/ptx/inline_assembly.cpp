#include "compiler/ptx/inline_assembly.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ptx/code.hpp"

namespace emulator::compiler::ptx {
namespace {

using text::contains;
using text::CudaText;
using text::nowhere;

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view word_characters = "abcdefghijklmnopqrstuvwxyz0123456789_";

// What a string literal says, as far as assembler needs it; a raw one as it is.
std::string content(std::string_view literal) {
  std::string result;
  const std::size_t first = literal.find('"');
  if (first == std::string_view::npos || literal.size() < first + 2) return result;
  if (first > 0 && literal[first - 1] == 'R') {
    const std::size_t open = literal.find('(', first);
    const std::size_t close = literal.rfind(')');
    if (open == std::string_view::npos || close <= open) return result;
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  for (std::size_t i = first + 1; i + 1 < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 2 < literal.size()) {
      ++i;
      result += literal[i] == 'n' || literal[i] == 't' ? ' ' : literal[i];
    } else {
      result += literal[i];
    }
  }
  return result;
}

// Whether an instruction is PTX: `mov.u32`, `@p bra`, `.reg`, with what may be before it. No
// instruction of a host has a dot in its name.
bool is_ptx(std::string_view instruction) {
  instruction.remove_prefix(
      std::min(instruction.find_first_not_of(" \t\r\n{}"), instruction.size()));
  if (instruction.starts_with("@") || instruction.starts_with(".reg")) return true;
  const std::size_t end = instruction.find_first_not_of(word_characters);
  const std::string_view name = instruction.substr(0, end);
  if (name.empty() || letters.find(name[0]) == std::string_view::npos) return false;
  if (end == std::string_view::npos) return name == "trap" || name == "exit" || name == "brkpt";
  if (instruction[end] == ':') return is_ptx(instruction.substr(end + 1));  // a label
  if (instruction.substr(end).starts_with(" .")) {  // `lop3 .b32`, but not `jmp .L2`
    const std::string_view type = instruction.substr(end + 2);
    return type.size() > 1 && std::string_view("busf").find(type[0]) != std::string_view::npos &&
           std::string_view("12368").find(type[1]) != std::string_view::npos;
  }
  return instruction[end] == '.' && end + 1 < instruction.size() &&
         (word_characters.find(instruction[end + 1]) != std::string_view::npos ||
          instruction[end + 1] == ':' || instruction.substr(end + 1).starts_with("NaN"));
}

bool has_ptx(std::string_view code) {
  while (!code.empty()) {
    const std::size_t end = code.find(';');
    if (is_ptx(code.substr(0, end))) return true;
    if (end == std::string_view::npos) break;
    code.remove_prefix(end + 1);
  }
  return false;
}

// `[name] "=r"(x), "+f"(y)`, from token i on; i becomes the token after them.
std::vector<Operand> operands_at(const CudaText& text, std::size_t& i) {
  std::vector<Operand> operands;
  for (;;) {
    Operand operand;
    if (text.is(i, "[") && text.is_identifier(i + 1)) {
      operand.name = text.word(i + 1);
      i += 3;
    }
    if (!text.is_literal(i) || !text.is(i + 1, "(")) break;
    operand.constraint = content(text.word(i));
    const std::size_t end = text.closing(i + 1);
    if (end == nowhere) break;
    operand.expression = text.on_one_line(i + 1, end + 1);
    operands.push_back(operand);
    i = end + 1;
    if (!text.is(i, ",")) break;
    ++i;
  }
  return operands;
}

// An empty text holds the compiler up, no more: `asm volatile("" : "+f"(x) :: "memory")`. As the
// host's it stays as it is, unless an operand has a constraint that means a register of PTX's.
bool is_only_for_ptx(const Statement& statement) {
  const auto is_of_ptx = [](const Operand& operand) {
    const std::size_t at = operand.constraint.find_first_not_of("=+&");
    return at != std::string::npos &&
           std::string_view("fdhl").find(operand.constraint[at]) != std::string_view::npos;
  };
  return std::any_of(statement.outputs.begin(), statement.outputs.end(), is_of_ptx) ||
         std::any_of(statement.inputs.begin(), statement.inputs.end(), is_of_ptx);
}

std::string compiler_barrier(const Statement& statement) {
  std::string code = "__extension__ ({ ";
  for (const auto* operands : {&statement.outputs, &statement.inputs}) {
    for (const Operand& one : *operands) {
      code += "static_cast<void>(" + one.expression + "); ";
    }
  }
  return code + "__asm__ __volatile__(\"\" ::: \"memory\"); })";
}

// Where operands are given, `%%` stands for `%`.
std::string without_doubled_percents(std::string_view code) {
  std::string result;
  for (std::size_t i = 0; i < code.size(); ++i) {
    result += code[i];
    if (code.substr(i, 2) == "%%") ++i;
  }
  return result;
}

}  // namespace

std::optional<InlineAssembly> inline_assembly(const CudaText& text, std::size_t i) {
  const std::size_t number = text.tokens()[i].begin;  // which no other statement has
  ++i;
  constexpr std::array<std::string_view, 3> qualifiers = {"volatile", "__volatile__", "__volatile"};
  while (text.is_identifier(i) && contains(qualifiers, text.word(i))) ++i;
  if (!text.is(i, "(")) return std::nullopt;
  const std::size_t close = text.closing(i);
  if (close == nowhere) return std::nullopt;
  std::string code;
  for (++i; text.is_literal(i); ++i) code += content(text.word(i));
  const bool is_empty = code.find_first_not_of(" \t\r\n") == std::string::npos;
  if (!is_empty && !has_ptx(code)) return std::nullopt;

  Statement statement;
  statement.code = without_doubled_percents(code);
  // `: outputs : inputs : clobbers`, of which the last order nothing here. `::` is two colons.
  unsigned section = 0;
  while (i < close && section < 2) {
    if (text.is(i, "::")) {
      section += 2;
    } else if (text.is(i, ":")) {
      ++section;
    } else {
      break;
    }
    ++i;
    std::vector<Operand> operands = operands_at(text, i);
    (section == 1 ? statement.outputs : statement.inputs) = std::move(operands);
  }
  if (!is_empty) return InlineAssembly{close, translate_statement(statement, number)};
  if (!is_only_for_ptx(statement)) return std::nullopt;
  return InlineAssembly{close, compiler_barrier(statement)};
}

}  // namespace emulator::compiler::ptx
