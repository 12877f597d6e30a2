#include "compiler/diagnose/plain_messages.hpp"

#include <doctest/doctest.h>

#include <string>

namespace emulator::compiler::diagnose {
namespace {

const std::string fits{launch_does_not_fit};

TEST_CASE("a launch that does not fit is one line, at the launch") {
  const std::string output =
      "In file included from include/cuda_runtime.h:32,\n"
      "                 from <command-line>:\n"
      "launch.h: In instantiation of 'void call()':\n"
      "launch.h:118:14:   required from 'void more()'\n"
      "k.cu:7:18:   required from here\n"
      "launch.h:127:24: error: static assertion failed: " +
      fits +
      "\n"
      "  127 |     static_assert(fits,\n"
      "      |                   ^~~~\n"
      "launch.h:127:24: note: it evaluates to false\n";
  CHECK(simplify_messages(output) == "k.cu:7: error: " + fits + "\n");
}

TEST_CASE("other messages stay, with their colours") {
  const std::string before = "k.cu:3:5: \x1B[01;31m\x1B[Kerror: \x1B[m\x1B[Kno\n    3 |   x\n";
  const std::string ours =
      "k.cu: In function 'void k()':\nk.cu:6:5: \x1B[01;31m\x1B[Kerror: "
      "\x1B[m\x1B[Kstatic assertion failed: " +
      std::string(shared_too_large) + "\n    6 |   y\n      |   ^\n";
  const std::string after = "k.cu: In function 'int main()':\nk.cu:9:5: error: never\n";
  CHECK(simplify_messages(before + after) == before + after);
  CHECK(simplify_messages(before + ours + after) ==
        before + "k.cu:6: error: " + std::string(shared_too_large) + "\n" + after);
}

TEST_CASE("a long list of candidates is left out, a short one stays") {
  const std::string error =
      "k.cu: In function 'void k(char*)':\n"
      "k.cu:5:12: error: no matching function for call to 'atomicAdd(char*, int)'\n"
      "    5 |   atomicAdd(x, 1);\n"
      "      |   ~~~~~~~~~^~~~~~\n";
  std::string candidates =
      "In file included from include/cuda_runtime.h:30,\n                 from <command-line>:\n";
  const std::string after = "k.cu:9:5: error: never\n";
  for (int i = 0; i < 4; ++i) {
    candidates +=
        "atomics.h:145:43: note: candidate: 'int atomicAdd(int*, int)'\n  145 | X(a)\n"
        "atomics.h:145:58: note:   no known conversion for argument 1\n";
  }
  CHECK(simplify_messages(error + candidates + after) == error + candidates + after);
  candidates += "atomics.h:146:43: note: candidate: 'float atomicAdd(float*, float)'\n";
  CHECK(simplify_messages(error + candidates + after) == error + after);
  CHECK(simplify_messages(error + candidates) == error);
}

TEST_CASE("what is not modelled is said once a line") {
  const std::string call =
      "error: call to 'nvcuda::wmma::fill_fragment<x&>' declared with attribute ";
  const std::string output =
      "k.cu:7:40: " + call + "error: tensor cores are not modelled\n" +
      "    7 |   f(x);\n      |   ~^~~~\nk.cu:9:4: " + call +
      "error: tensor cores are not modelled\n    9 |   f(y);\nk.cu:9:4: " + call +
      "error: textures are not modelled\nk.cu:9:7: " + call +
      "error: textures are not modelled\nl.h:2:1: " + call +
      "error: tensor cores are not modelled\n";
  CHECK(simplify_messages(output) ==
        "k.cu:7: error: tensor cores are not modelled\n"
        "k.cu:9: error: tensor cores are not modelled\n"
        "k.cu:9: error: textures are not modelled\nl.h:2: error: tensor cores are not modelled\n");
}

TEST_CASE("the same is said once") {
  const std::string ours =
      "k.cu:6:5: error: static assertion failed: " + std::string(parameters_too_large) + "\n";
  CHECK(simplify_messages(ours + ours) ==
        "k.cu:6: error: " + std::string(parameters_too_large) + "\n");
  CHECK(simplify_messages("").empty());
}

}  // namespace
}  // namespace emulator::compiler::diagnose
