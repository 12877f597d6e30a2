#include "own_program.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace course::tool;

namespace {

std::string called(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : emucc_command("emucc", words)) text += word + ' ';
  return text;
}

}  // namespace

TEST_CASE("a program of one's own is compiled, instrumented, and run; options stand before it") {
  CHECK(called({"mine.cu"}) == "emucc --run --look mine.cu ");
  CHECK(called({"-I", "include", "mine.cu", "1000", "-c"}) ==
        "emucc --run --look -I include mine.cu 1000 -c ");
  CHECK(called({"--look", "mine.cu"}) == "emucc --run --look mine.cu ");
  CHECK(called({"main.cpp", "kernels.cu", "--", "5"}) ==
        "emucc --run --look main.cpp kernels.cu -- 5 ");
  CHECK(looks_into(emucc_command("emucc", {"mine.cu"})));
}

TEST_CASE("--fast leaves it as any other program") {
  CHECK(called({"--fast", "mine.cu", "--fast"}) == "emucc --run mine.cu --fast ");
  CHECK_FALSE(looks_into(emucc_command("emucc", {"--fast", "mine.cu"})));
}

TEST_CASE("what asks emucc for something else is passed on as it is") {
  CHECK(called({"--version"}) == "emucc --version ");
  CHECK(called({"-c", "mine.cu"}) == "emucc -c mine.cu ");
  CHECK(called({"-o", "mine", "mine.cu"}) == "emucc -o mine mine.cu ");
  CHECK(called({}) == "emucc ");
}

TEST_CASE("a file is told from a chapter and an exercise") {
  CHECK(names_source("01a_mine.cu"));
  CHECK(names_source("/some/where/mine.cu"));
  CHECK_FALSE(names_source("01a_residual"));
  CHECK_FALSE(names_source(".cu"));
}
