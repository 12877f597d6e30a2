#include "compiler/text/statements.hpp"

#include <array>
#include <string_view>

namespace emulator::compiler::text {
namespace {

// Words whose parentheses a statement can follow.
constexpr std::array<std::string_view, 5> headed = {"constexpr", "for", "if", "switch", "while"};

// The `;` of `for (int i = 0; cudaQuery(); ++i)`
bool is_in_parentheses(const TokenText& text, std::size_t i) {
  for (; i < text.tokens().size(); --i) {
    if (text.opens(i)) return text.is(i, "(");
    if (text.closes(i)) i = text.opening(i);
  }
  return false;
}

// `label:`, `case 1:` or `default:`, not the `:` of `a ? b : c`
bool ends_label(const TokenText& text, std::size_t colon) {
  for (std::size_t i = colon - 1; i < text.tokens().size(); --i) {
    if (text.is_one_of(i, "?:")) return text.is(i, ":");
    if (text.is_one_of(i, ";{}") || text.is(i, "case") || text.is(i, "default")) return true;
    if (text.opens(i)) return false;
    if (text.closes(i)) i = text.opening(i);
  }
  return false;
}

}  // namespace

bool begins_statement(const TokenText& text, std::size_t i) {
  const std::size_t before = i - 1;
  if (text.is_one_of(before, "{}") || text.is(before, "else") || text.is(before, "do")) {
    return true;
  }
  if (text.is(before, ";")) return !is_in_parentheses(text, before);
  if (text.is(before, ":")) return ends_label(text, before);
  if (!text.is(before, ")")) return false;
  const std::size_t open = text.opening(before);
  return open != nowhere && text.is_identifier(open - 1) && contains(headed, text.word(open - 1));
}

}  // namespace emulator::compiler::text
