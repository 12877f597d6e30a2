#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/text/lexer.hpp"

/// \file
/// Reading a text by its tokens: what token i is, and which bracket belongs to which.

namespace emulator::compiler::text {

/// No token.
inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// Whether a text has that part.
inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A text and its tokens. Questions about a token that is not there are answered with no.
class TokenText {
 public:
  TokenText(std::string_view text, std::vector<Token> tokens)
      : text_(text), tokens_(std::move(tokens)) {}

  std::string_view text() const { return text_; }
  const std::vector<Token>& tokens() const { return tokens_; }

  std::string_view word(std::size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }

  /// Whether token i is there and reads so. Literals, which have their quotes, never do.
  bool is(std::size_t i, std::string_view expected) const {
    return i < tokens_.size() && word(i) == expected;
  }

  bool is_identifier(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::identifier;
  }

  bool is_literal(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::literal;
  }

  /// Token i, one character long, is one of `characters`.
  bool is_one_of(std::size_t i, std::string_view characters) const {
    return i < tokens_.size() && tokens_[i].end - tokens_[i].begin == 1 &&
           characters.find(text_[tokens_[i].begin]) != std::string_view::npos;
  }

  bool opens(std::size_t i) const { return is_one_of(i, "([{"); }
  bool closes(std::size_t i) const { return is_one_of(i, ")]}"); }

  /// The bracket that belongs to the one at token i.
  std::size_t closing(std::size_t i) const {
    for (std::size_t depth = 0; i < tokens_.size(); ++i) {
      if (opens(i)) ++depth;
      if (closes(i) && --depth == 0) return i;
    }
    return nowhere;
  }

  std::size_t opening(std::size_t i) const {
    for (std::size_t depth = 0; i < tokens_.size(); --i) {
      if (closes(i)) ++depth;
      if (opens(i) && --depth == 0) return i;
    }
    return nowhere;
  }

  /// The `,` or `)` that ends the argument at token i.
  std::size_t argument_end(std::size_t i) const {
    for (; i < tokens_.size(); ++i) {
      if (is_one_of(i, ",)")) return i;
      if (opens(i)) i = closing(i);
      if (i == nowhere) break;
    }
    return nowhere;
  }

  /// The `>` that belongs to the `<` at token i. Where `<` or `>` is a comparison, parentheses must
  /// say so, as for the compiler; they are skipped as a whole.
  std::size_t closing_angle(std::size_t i) const {
    for (std::size_t depth = 0; i < tokens_.size(); ++i) {
      if (opens(i)) {
        i = closing(i);
        if (i == nowhere) return nowhere;
      } else if (is(i, "<")) {
        ++depth;
      } else if (is(i, ">") && --depth == 0) {
        return i;
      } else if (is_one_of(i, ";)]}")) {
        return nowhere;
      }
    }
    return nowhere;
  }

  /// `[[likely]]`, of which i is the first token
  bool is_attribute(std::size_t i) const { return is(i, "[") && is(i + 1, "["); }

  /// The `{` of `extern "C" {`
  bool is_linkage(std::size_t i) const {
    return is(i, "{") && is(i - 2, "extern") && is_literal(i - 1);
  }

  /// If `alignas(16)`, `__attribute__((...))`, `decltype(x)` or `[[...]]` begins at token i, the
  /// token after it, else i.
  std::size_t skip_attribute(std::size_t i) const {
    std::size_t close = nowhere;
    if (is_identifier(i) && contains(specifier_functions, word(i)) && is(i + 1, "(")) {
      close = closing(i + 1);
    } else if (is_attribute(i)) {
      close = closing(i);
    }
    return close == nowhere ? i : close + 1;
  }

  /// Words whose parentheses belong to a declaration's specifiers.
  static constexpr std::array<std::string_view, 5> specifier_functions = {
      "__attribute__", "__typeof__", "alignas", "decltype", "typeof"};

 protected:
  std::string_view text_;
  const std::vector<Token> tokens_;
};

}  // namespace emulator::compiler::text
