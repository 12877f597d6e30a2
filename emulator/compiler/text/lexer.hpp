#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

/// \file
/// The lexer of the emulator's translator: it cuts preprocessed C++ into tokens, so that the
/// translator never mistakes something in a comment, a string or a raw string for code.

namespace emulator::compiler::text {

/// What a token is, as finely as the translator needs it.
enum class TokenKind : unsigned char {
  identifier,  ///< names and keywords alike
  number,      ///< `0x1'000u`, `1e-3f`, with separators, exponents and suffixes
  literal,     ///< strings, characters and raw strings, with prefix and suffix
  punctuator,  ///< operators and brackets; see lex() for how `<` and `>` are cut
};

/// One token: the characters [begin, end) of the text given to lex().
struct Token {
  std::size_t begin;
  std::size_t end;
  TokenKind kind;
};

/// One directive line of preprocessed text (`# 12 "file.cu" 3` or `#pragma ...`):
/// the characters [begin, end), from its `#` up to, not including, the end of the line.
struct Directive {
  std::size_t begin;
  std::size_t end;
};

/// The result of lex(). White space and comments are what is between tokens and directives.
struct LexedText {
  std::vector<Token> tokens;
  std::vector<Directive> directives;
};

/// Cuts preprocessed C++ into tokens and directive lines, both in the order of the text.
///
/// - `<<<` is one token, except after the keyword `operator`, where it is `<<` and `<`
///   (`operator<<<int>(x)` names a template).
/// - Every `>` is a token of its own, so that `A<B<C>>` and `>>>` can be told apart by the reader;
///   only `->`, `->*`, `>=` and `>>=` are kept whole.
/// - Digraphs are not recognised; nobody writes them.
///
/// Never fails: a literal that does not end is taken up to the end of its line (a raw string: of
/// the text), and it is left to the compiler to complain about it.
LexedText lex(std::string_view text);

}  // namespace emulator::compiler::text
