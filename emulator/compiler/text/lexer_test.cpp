#include "compiler/text/lexer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

using emulator::compiler::text::lex;
using emulator::compiler::text::Token;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  for (const Token& token : lex(text).tokens) {
    result.emplace_back(text.substr(token.begin, token.end - token.begin));
  }
  return result;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("lexer: numbers") {
  CHECK(words("1'000'000u+0x1'F") == Words{"1'000'000u", "+", "0x1'F"});
  CHECK(words("1e+5f-.5e-3 0x1p-3") == Words{"1e+5f", "-", ".5e-3", "0x1p-3"});
  CHECK(words("1-2") == Words{"1", "-", "2"});
}

TEST_CASE("lexer: strings and characters") {
  CHECK(words(R"('"' "'" '\'' "\"<<<")") == Words{"'\"'", "\"'\"", "'\\''", "\"\\\"<<<\""});
  CHECK(words("u8\"a\"sv L'b'_x") == Words{"u8\"a\"sv", "L'b'_x"});
  CHECK(words("u8R\"x(a\")\n)\")x\"s;") == Words{"u8R\"x(a\")\n)\")x\"s", ";"});
  CHECK(words("BAR\"(\" )") == Words{"BAR", "\"(\"", ")"});
  CHECK(words("\"no end\n x") == Words{"\"no end", "x"});
  CHECK(words("R\"(no end") == Words{"R\"(no end"});
  CHECK(words("R\"no parenthesis") == Words{"R\"no parenthesis"});
}

TEST_CASE("lexer: punctuators") {
  CHECK(words("a<<<b>>>(c)") == Words{"a", "<<<", "b", ">", ">", ">", "(", "c", ")"});
  CHECK(words("operator<<<int>") == Words{"operator", "<<", "<", "int", ">"});
  CHECK(words("a<<=b<=>c>>=d->e->*f>=g") ==
        Words{"a", "<<=", "b", "<=>", "c", ">>=", "d", "->", "e", "->*", "f", ">=", "g"});
  CHECK(words("x-->y") == Words{"x", "--", ">", "y"});
  CHECK(words("a::b:c...") == Words{"a", "::", "b", ":", "c", "..."});
}

TEST_CASE("lexer: comments and directives are not tokens") {
  CHECK(words("a /* b \" */ c // d '\\\n e\nf") == Words{"a", "c", "f"});
  CHECK(words("# 1 \"it's\"\n  #pragma x '\na # b") == Words{"a", "#", "b"});
  CHECK(lex("# 1 \"a\"\n x\n #pragma y").directives.size() == 2);
}
