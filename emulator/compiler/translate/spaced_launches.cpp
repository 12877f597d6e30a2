#include "compiler/translate/spaced_launches.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/text/lexer.hpp"
#include "compiler/text/token_text.hpp"

namespace emulator::compiler::translate {
namespace {

using text::lex;
using text::nowhere;
using text::TokenText;

// Whether there is anything to do, without the cost of a lexer.
bool may_have_spaced_launch(std::string_view text) {
  for (std::size_t at = text.find("<< "); at != std::string_view::npos;
       at = text.find("<< ", at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t", at + 2);
    if (next != std::string_view::npos && text[next] == '<') return true;
  }
  return false;
}

bool on_one_line(std::string_view text) {
  return text.find('\n') == std::string_view::npos;
}

// The first of the three `>` that end the configuration at token i; nowhere if none do.
std::size_t configuration_end(const TokenText& text, std::size_t i) {
  for (; i < text.tokens().size(); ++i) {
    if (text.opens(i)) {
      i = text.closing(i);
      if (i == nowhere) return nowhere;
    } else if (text.is_one_of(i, ";)]}")) {
      return nowhere;
    } else if (text.is(i, ">") && text.is(i + 1, ">") && text.is(i + 2, ">") &&
               text.is(i + 3, "(")) {
      return i;
    }
  }
  return nowhere;
}

}  // namespace

void join_launch_brackets(std::string& text) {
  if (!may_have_spaced_launch(text)) return;
  const std::string original = text;
  const TokenText tokens(original, lex(original).tokens);
  // Writes three characters from `begin` on, and blanks up to `end`.
  const auto write = [&](std::size_t begin, std::size_t end, char c) {
    for (std::size_t at = begin; at < end; ++at) text[at] = at < begin + 3 ? c : ' ';
  };
  for (std::size_t i = 0; i < tokens.tokens().size(); ++i) {
    if (!tokens.is(i, "<<") || !tokens.is(i + 1, "<")) continue;
    const std::size_t begin = tokens.tokens()[i].begin;
    const std::size_t end = tokens.tokens()[i + 1].end;
    const std::size_t close = configuration_end(tokens, i + 2);
    if (close == nowhere) continue;
    const std::size_t close_begin = tokens.tokens()[close].begin;
    const std::size_t close_end = tokens.tokens()[close + 2].end;
    const std::string_view all(original);
    if (!on_one_line(all.substr(begin, end - begin)) ||
        !on_one_line(all.substr(close_begin, close_end - close_begin))) {
      continue;
    }
    write(begin, end, '<');
    write(close_begin, close_end, '>');
  }
}

}  // namespace emulator::compiler::translate
