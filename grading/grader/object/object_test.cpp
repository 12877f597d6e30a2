#include "grader/object/object.hpp"

#include <doctest/doctest.h>

#include "grader/object/known_functions.hpp"

using namespace course::tool::grading;

namespace {

std::string symbol_line(const std::string& type, const std::string& name) {
  return (type == "U" || type == "w" ? "                 " : "0000000000000010 ") + type + ' ' +
         name;
}

std::optional<std::string> refusal(const Lines& lines, const Permissions& needs = {}) {
  const auto symbols = read_symbols(lines);
  REQUIRE(symbols);
  return refused_for_symbols(*symbols, needs);
}

}  // namespace

TEST_CASE("symbols are read by their columns, whatever their names hold") {
  const auto symbols = read_symbols({symbol_line("T", "main"), symbol_line("U", "fork"), "",
                                     symbol_line("w", "memcpy U 0"), symbol_line("u", "x")});
  REQUIRE(symbols);
  REQUIRE(symbols->size() == 4);
  CHECK((*symbols)[0].name == "main");
  CHECK((*symbols)[0].is_global());
  CHECK((*symbols)[1].is_undefined());
  CHECK((*symbols)[2].name == "memcpy U 0");
  CHECK((*symbols)[2].is_undefined());
  CHECK((*symbols)[3].is_global());
  CHECK_FALSE(read_symbols({"bfork"}));
  CHECK_FALSE(read_symbols({"0000000000000010 T"}));
}

TEST_CASE("a refusal names what is used, at most five of it, each once") {
  CHECK_FALSE(refusal({symbol_line("U", "memcpy"), symbol_line("T", "fork")}));
  CHECK(refusal({symbol_line("U", "fork")}) == "uses fork(), which no solution needs");
  CHECK(refusal({symbol_line("w", "fork"), symbol_line("U", "kill"), symbol_line("U", "fork")}) ==
        "uses fork() and kill(), which no solution needs");
  Lines many;
  for (const char* const name : {"aa", "bb", "cc", "dd", "ee", "gg", "hh"}) {
    many.push_back(symbol_line("U", name));
  }
  CHECK(refusal(many) == "uses aa(), bb(), cc(), dd(), ee() and 2 more, which no solution needs");
}

TEST_CASE("a refusal speaks of what was written, not of what the emulator's headers make of it") {
  CHECK(refusal({symbol_line("U", "_ZN8emulator6detail15shared_of_blockEPKvj")}) ==
        "uses map_shared_rank(), which no solution needs");
  CHECK(refusal({symbol_line("U", "_ZN8emulator6detail5fetchEyNS0_12TextureShapeEbifff"),
                 symbol_line("U", "_ZN8emulator6detail13fetch_elementEyib")}) ==
        "uses textures, which no solution needs");
  for (const KnownFunction& function : functions_of_emulator()) {
    CAPTURE(function.name);
    CHECK((function.verdict == Verdict::allowed || !function.shown.empty()));
  }
}

TEST_CASE("an object must not define what the compiler's own calls would find") {
  for (const char* const type : {"T", "t", "W", "d"}) {
    CHECK(refusal({symbol_line(type, "__tsan_read4")})->starts_with("defines __tsan_read4"));
    CHECK(refusal({symbol_line(type, "course_memcpy")}));
    CHECK(refusal({symbol_line(type, "__sanitizer_cov_trace_pc")}));
  }
  CHECK_FALSE(refusal({symbol_line("T", "course")}));
}

TEST_CASE("functions chosen at load time, and versions of symbols, are refused") {
  CHECK(refusal({symbol_line("i", "memcpy")})->find("chosen when the program is loaded") !=
        std::string::npos);
  CHECK(refusal({symbol_line("T", "f@@GLIBC_2.2.5")})->find("versioned symbol") !=
        std::string::npos);
}

TEST_CASE("instructions that enter the kernel are refused, and those that look like them are not") {
  CHECK_FALSE(refused_for_instructions({"   0:\tmov    %rsp,%rbp", "0000000000000000 <syscall>:",
                                        "   5:\tcall   a <syscall>", "   7:\tint    $0x3", ""}));
  for (const char* const line : {"   4:\tsyscall", "   4:\tsyscall ", "   4:\tsysenter",
                                 "   4:\tint    $0x80", "   4:\tsvc\t#0x0"}) {
    CAPTURE(line);
    CHECK(refused_for_instructions({line}));
  }
}

TEST_CASE("data among code, and code that can be written to, are refused") {
  const std::string text =
      "  0 .text   00000010  0000  0000  00000040  2**0  CONTENTS, ALLOC, LOAD, READONLY, CODE";
  CHECK_FALSE(refused_for_data({text}, {"0000000000000000 g     F .text\t0000000000000004 f",
                                        "0000000000000000 l     O .data\t0000000000000004 d"}));
  CHECK(refused_for_data({text}, {"0000000000000000 l     O .text\t0000000000000004 d"}));
  CHECK(refused_for_data(
      {"  0 .own   00000010  0000  0000  00000040  2**0  CONTENTS, ALLOC, LOAD, CODE"}, {}));
}

TEST_CASE("a linker's complaints name what it misses, each once") {
  CHECK(undefined_references({"/usr/bin/ld: b.o: in function `main':",
                              "b.cpp:(.text+0x1): undefined reference to `_Z1fi'",
                              "b.cpp:(.text+0x2): undefined reference to `_Z1fi'",
                              "b.cpp:4: undefined reference to `_Z1gv'", "collect2: error"}) ==
        std::vector<std::string>{"_Z1fi", "_Z1gv"});
}
