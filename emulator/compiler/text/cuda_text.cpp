#include "compiler/text/cuda_text.hpp"

#include <array>
#include <string_view>

namespace emulator::compiler::text {
namespace {

// Words that can be right before an expression without being part of it, or that begin a group
// in parentheses which is not part of it: `return k<<<...`, `if (a) (*f)<<<...`.
constexpr std::array<std::string_view, 44> keywords = {"__asm__",
                                                       "__attribute__",
                                                       "__extension__",
                                                       "alignas",
                                                       "alignof",
                                                       "and",
                                                       "asm",
                                                       "auto",
                                                       "bitand",
                                                       "bitor",
                                                       "case",
                                                       "catch",
                                                       "co_await",
                                                       "co_return",
                                                       "co_yield",
                                                       "compl",
                                                       "const",
                                                       "constexpr",
                                                       "consteval",
                                                       "decltype",
                                                       "default",
                                                       "delete",
                                                       "do",
                                                       "else",
                                                       "extern",
                                                       "for",
                                                       "goto",
                                                       "if",
                                                       "new",
                                                       "noexcept",
                                                       "not",
                                                       "not_eq",
                                                       "or",
                                                       "requires",
                                                       "return",
                                                       "sizeof",
                                                       "static",
                                                       "switch",
                                                       "template",
                                                       "throw",
                                                       "typename",
                                                       "using",
                                                       "while",
                                                       "xor"};

}  // namespace

bool CudaText::is_name(std::size_t i) const {
  return is_identifier(i) && !contains(keywords, word(i));
}

// The `<` that belongs to the `>` at token i: the other way round than closing_angle().
std::size_t CudaText::opening_angle(std::size_t i) const {
  for (std::size_t depth = 0; i < tokens_.size(); --i) {
    if (closes(i)) {
      i = opening(i);
      if (i == nowhere) return nowhere;
    } else if (is(i, ">")) {
      ++depth;
    } else if (is(i, "<") && is_name(i - 1) && --depth == 0) {
      // In `k<n < 8>` it is not the nearest `<` that belongs to the `>`. No launch is ever
      // compared with anything, so what has a `<` before it is itself a template argument.
      if (!is(i - 2, "<")) return i;
      ++depth;
    } else if (is_one_of(i, ";([{") || is(i, "<<<")) {
      return nowhere;
    }
  }
  return nowhere;
}

// Whether the group in parentheses that begins at token i continues the expression before it, as
// in `kernel_for(size)`, and does not stand for itself, as in `if (ready) (*kernel)`.
bool CudaText::continues_expression(std::size_t i) const {
  const std::size_t before = i - 1;
  if (is_name(before) || is(before, ">")) return true;
  if (is(before, "]")) return !is_attribute(opening(before));
  if (!is(before, ")")) return false;
  const std::size_t group = opening(before);  // a call, a condition, or a cast
  return group != nowhere && (is_name(group - 1) || is_one_of(group - 1, ">]"));
}

std::size_t CudaText::kernel_begin(std::size_t end) const {
  std::size_t i = end;
  for (;;) {
    if (is_one_of(i - 1, ")]")) {
      i = opening(i - 1);
      if (i == nowhere) return nowhere;
      if (is(i, "(") && !continues_expression(i)) return i;
      continue;
    }
    i = name_begin(i);
    if (i == nowhere) return nowhere;
    while (is(i - 1, "::")) {
      const std::size_t qualifier = qualifier_begin(i - 1);
      if (qualifier == nowhere) {  // `::k`
        --i;
        break;
      }
      i = qualifier;
    }
    if (!is(i - 1, ".") && !is(i - 1, "->")) return i;
    --i;
  }
}

bool CudaText::kernel_is_computed(std::size_t begin, std::size_t end) const {
  const std::size_t last = end - 1;
  if (!is_one_of(last, ")]")) return last > begin && (is(last - 1, ".") || is(last - 1, "->"));
  if (opening(last) != begin) return true;          // a call or a subscript
  for (std::size_t i = begin + 1; i < last; ++i) {  // in parentheses
    if (is_one_of(i, "?.[") || is(i, "->")) return true;
    if (is(i, "(") && continues_expression(i)) return true;
  }
  return false;
}

// The `(` of the parameters, or of the loop's head, that the `{` at token `body` follows:
// after the `)` there may be `const`, `noexcept` and what is returned. Nowhere if there are
// none.
std::size_t CudaText::parameters_before(std::size_t body) const {
  for (std::size_t i = body - 1; i < tokens_.size(); --i) {
    if (is(i, ")")) {
      i = opening(i);
      if (i == nowhere) return nowhere;
      if (is(i - 1, "noexcept") || is(i - 1, "decltype") || is(i - 1, "__attribute__")) continue;
      return i;
    }
    if (is_one_of(i, ";{}=,")) return nowhere;
  }
  return nowhere;
}

bool CudaText::is_parameter(std::size_t i) const {
  const std::string_view name = word(i);
  for (std::size_t at = i - 1; at < tokens_.size(); --at) {
    if (closes(at)) {
      at = opening(at);
      if (at == nowhere) return false;
      continue;
    }
    if (!is(at, "{")) continue;
    const std::size_t begin = parameters_before(at);
    if (begin == nowhere || is(begin - 1, "if") || is(begin - 1, "while") ||
        is(begin - 1, "switch")) {
      continue;
    }
    // Of a loop over a range what is before its colon; any other one declares no kernel.
    const bool is_loop = is(begin - 1, "for");
    const std::size_t end = closing(begin);
    for (std::size_t one = begin + 1; one < end && end != nowhere; ++one) {
      if (word(one) != name || is(one - 1, "=")) continue;
      if (is_loop ? is(one + 1, ":") : is_one_of(one + 1, ",)=")) return true;
    }
  }
  return false;
}

// `k`, `k<1, 2>`, `template k<1>`
std::size_t CudaText::name_begin(std::size_t end) const {
  std::size_t i = end - 1;
  if (is(i, ">")) {
    i = opening_angle(i);
    if (i == nowhere) return nowhere;
    --i;
  }
  if (!is_name(i)) return nowhere;
  return is(i - 1, "template") ? i - 1 : i;
}

// What is before `::`, if anything: another name or `decltype(x)`.
std::size_t CudaText::qualifier_begin(std::size_t end) const {
  if (is(end - 1, ")")) {
    const std::size_t group = opening(end - 1);
    return group != nowhere && is(group - 1, "decltype") ? group - 1 : nowhere;
  }
  return name_begin(end);
}

std::size_t CudaText::configuration_end(std::size_t open) const {
  for (std::size_t i = open + 1; i < tokens_.size(); ++i) {
    if (opens(i)) {
      i = closing(i);
      if (i == nowhere) return nowhere;
    } else if (is_one_of(i, ";)]}") || is(i, "<<<")) {
      return nowhere;
    } else if (is(i, ">") && touches(i) && touches(i + 1) && is(i + 3, "(")) {
      return i;
    }
  }
  return nowhere;
}

// Whether tokens i and i + 1 are two `>` with nothing between them.
bool CudaText::touches(std::size_t i) const {
  return is(i, ">") && is(i + 1, ">") && tokens_[i].end == tokens_[i + 1].begin;
}

Declaration CudaText::declaration_around(std::size_t i) const {
  Declaration result;
  result.begin = declaration_begin(i);
  bool in_specifiers = true;
  Declarator declarator{nowhere, nowhere, nowhere};
  for (i = result.begin; i < tokens_.size(); ++i) {
    if (const std::size_t attribute_end = skip_attribute(i); attribute_end != i) {
      i = attribute_end - 1;
    } else if (is_identifier(i)) {
      if (in_specifiers) read_specifier(i, result);
      declarator.name = i;
      declarator.end = i + 1;
    } else if (is(i, "<") && in_specifiers) {
      i = closing_angle(i);
    } else if (is_one_of(i, "*&")) {
      // `const float* p` points to something const, but is not const. constexpr is about p.
      if (in_specifiers) result.is_const = false;
      if (declarator.begin == nowhere) declarator.begin = i;
    } else if (is(i, "[")) {
      in_specifiers = false;
      i = closing(i);
      declarator.end = i + 1;
    } else if (is(i, "(") && is_one_of(i + 1, "*&")) {
      continue;  // `float (*rows)[3]`
    } else if (is(i, ",") || is(i, ";")) {
      in_specifiers = false;
      if (declarator.begin == nowhere) declarator.begin = declarator.name;
      result.declarators.push_back(declarator);
      declarator = {nowhere, nowhere, nowhere};
      if (is(i, ";")) {
        result.semicolon = i;
        break;
      }
    } else if (is_one_of(i, "={(")) {
      if (!is(i, "{")) in_specifiers = false;
      if (opens(i)) i = closing(i);
    }
    if (i == nowhere) break;
  }
  result.is_const = result.is_const || result.is_constexpr;
  return result;
}

void CudaText::read_specifier(std::size_t i, Declaration& declaration) const {
  const std::string_view specifier = word(i);
  if (specifier == "static") declaration.static_word = i;
  if (specifier == "extern") declaration.extern_word = i;
  if (specifier == "const") declaration.is_const = true;
  if (specifier == "constexpr") declaration.is_constexpr = true;
}

std::size_t CudaText::declaration_begin(std::size_t i) const {
  for (; i > 0; --i) {
    const std::size_t before = i - 1;
    if (is_one_of(before, ";:{}(,") || is(before, "else") || is(before, "do")) break;
    if (is_one_of(before, ")]")) {
      const std::size_t group = opening(before);
      if (group == nowhere) break;
      if (is(before, ")") &&
          !(is_identifier(group - 1) && contains(specifier_functions, word(group - 1)))) {
        break;
      }
      i = group + 1;
    } else if (is(before, ">")) {
      const std::size_t angle = opening_angle(before);
      if (angle == nowhere) break;  // `template <class T>`
      i = angle + 1;
    }
  }
  return i;
}

std::string CudaText::on_one_line(std::size_t begin, std::size_t end) const {
  std::string result;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) {
      const std::string_view gap =
          text_.substr(tokens_[i - 1].end, tokens_[i].begin - tokens_[i - 1].end);
      result += gap.find('\n') == std::string_view::npos ? gap : std::string_view(" ");
    }
    result += word(i);
  }
  return result;
}

std::string CudaText::quoted_name(std::size_t begin, std::size_t end) const {
  std::string result = "\"";
  for (std::size_t i = begin; i < end; ++i) {
    if (is(i, "template")) continue;
    if (is(i, "<") && is_name(i - 1)) {
      const std::size_t close = closing_angle(i);
      if (close != nowhere) {     // else a comparison
        if (close >= end) break;  // `k<n < 8>`
        i = close;
        continue;
      }
    }
    if (i > begin && is_identifier(i) && is_identifier(i - 1) && !is(i - 1, "template")) {
      result += ' ';
    }
    for (const char c : word(i)) {
      if (c == '"' || c == '\\') result += '\\';
      result += c == '\n' ? ' ' : c;
    }
  }
  return result += '"';
}

std::string CudaText::without_storage(std::size_t begin, std::size_t end) const {
  std::string result;
  for (std::size_t i = begin; i < end; ++i) {
    const bool attribute = is(i, "alignas") || is(i, "__attribute__") || is(i, "[");
    if (const std::size_t next = skip_attribute(i); attribute && next != i) {
      i = next - 1;
    } else if (!is(i, "extern") && !is(i, "static") && !is(i, "__shared__") &&
               !is(i, "__device__")) {
      if (!result.empty() && tokens_[i - 1].end != tokens_[i].begin) result += ' ';
      result += word(i);
    }
  }
  return result;
}

}  // namespace emulator::compiler::text
