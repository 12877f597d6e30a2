#include "compiler/text/lexer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace emulator::compiler::text {
namespace {

// Everything that may be in a name. Bytes from 128 on belong to UTF-8 letters.
constexpr std::array<bool, 256> name_characters = [] {
  std::array<bool, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (std::size_t c = 128; c < 256; ++c) table[c] = true;
  table['_'] = table['$'] = true;
  return table;
}();

bool in_name(char c) {
  return name_characters[static_cast<unsigned char>(c)];
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  LexedText run() {
    // One token for five characters is on the safe side for real programs.
    lexed_.tokens.reserve(text_.size() / 5);
    bool at_line_begin = true;  // only white space since the last newline
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        at_line_begin = true;
        ++at_;
        continue;
      }
      if (is_space(c)) {
        ++at_;
        continue;
      }
      const bool first_on_line = at_line_begin;
      at_line_begin = false;
      if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
        skip_comment();
      } else if (c == '#' && first_on_line) {
        const std::size_t begin = at_;
        at_ = std::min(text_.find('\n', at_), text_.size());
        lexed_.directives.push_back({begin, at_});
      } else {
        lex_token(c);
      }
    }
    return std::move(lexed_);
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void add(TokenKind kind, std::size_t begin) { lexed_.tokens.push_back({begin, at_, kind}); }

  // Comments survive preprocessing only under g++ -C, but they cost nothing to know.
  void skip_comment() {
    if (peek(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      return;
    }
    for (at_ += 2; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\' && peek(1) == '\n') ++at_;  // the next line belongs to the comment
    }
  }

  void lex_token(char c) {
    const std::size_t begin = at_;
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      lex_number();
      add(TokenKind::number, begin);
    } else if (in_name(c)) {
      while (at_ < text_.size() && in_name(text_[at_])) ++at_;
      const std::string_view name = text_.substr(begin, at_ - begin);
      if (peek(0) == '"' && raw_prefix(name)) {
        lex_raw_string();
        add(TokenKind::literal, begin);
      } else if ((peek(0) == '"' || peek(0) == '\'') && encoding_prefix(name)) {
        lex_quoted();
        add(TokenKind::literal, begin);
      } else {
        add(TokenKind::identifier, begin);
      }
    } else if (c == '"' || c == '\'') {
      lex_quoted();
      add(TokenKind::literal, begin);
    } else {
      at_ += punctuator_length(c);
      add(TokenKind::punctuator, begin);
    }
  }

  static bool encoding_prefix(std::string_view name) {
    return name == "L" || name == "u" || name == "U" || name == "u8";
  }

  static bool raw_prefix(std::string_view name) {
    if (name.back() != 'R') return false;
    name.remove_suffix(1);
    return name.empty() || encoding_prefix(name);
  }

  // A number in the preprocessor's sense. Its digits can be separated, 1'000, which must not be
  // taken for the beginning of a character; and 1e+5, 0x1p-3 contain signs.
  void lex_number() {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '+' || c == '-') {
        const char before = text_[at_ - 1];
        if (before != 'e' && before != 'E' && before != 'p' && before != 'P') return;
      } else if (c == '\'') {
        if (!in_name(peek(1))) return;
      } else if (!in_name(c) && c != '.') {
        return;
      }
    }
  }

  void lex_quoted() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    if (peek(0) == quote) ++at_;
    lex_suffix();
  }

  void lex_raw_string() {
    // "delimiter( ... )delimiter"
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = text_.size();
      return;
    }
    std::string end_mark(1, ')');
    end_mark.append(text_.substr(at_ + 1, open - at_ - 1)).append(1, '"');
    const std::size_t end = text_.find(end_mark, open);
    at_ = end == std::string_view::npos ? text_.size() : end + end_mark.size();
    lex_suffix();
  }

  // "text"s, 'c'_unit
  void lex_suffix() {
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
  }

  bool after_operator() const {
    if (lexed_.tokens.empty()) return false;
    const Token& last = lexed_.tokens.back();
    return text_.substr(last.begin, last.end - last.begin) == "operator";
  }

  // Only those longer than one character matter whose parts would mean something else.
  std::size_t punctuator_length(char c) const {
    const char next = peek(1);
    switch (c) {
      case '<':
        if (next == '<') {
          if (peek(2) == '<') return after_operator() ? 2 : 3;
          return peek(2) == '=' ? 3 : 2;
        }
        if (next == '=') return peek(2) == '>' ? 3 : 2;
        return 1;
      case '>':
        if (next == '=') return 2;
        return next == '>' && peek(2) == '=' ? 3 : 1;
      case '-':
        if (next == '>') return peek(2) == '*' ? 3 : 2;
        return next == '-' ? 2 : 1;
      case ':':
        return next == ':' ? 2 : 1;
      case '=':
        return next == '=' ? 2 : 1;
      case '.':
        return next == '.' && peek(2) == '.' ? 3 : 1;
      default:
        return 1;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  LexedText lexed_;
};

}  // namespace

LexedText lex(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace emulator::compiler::text
