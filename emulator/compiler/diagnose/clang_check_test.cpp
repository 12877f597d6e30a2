#include "compiler/diagnose/clang_check.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace emulator::compiler::diagnose {
namespace {

using Lines = std::vector<std::string>;

Lines opinion(std::string_view output) {
  return clang_findings(output, [](std::string_view file) { return file.ends_with(".cu"); });
}

constexpr std::string_view wrong_call =
    "k.cu:7:20: error: no matching function for call to 'half_of'\n"
    "k.cu:2:7: note: candidate function not viable: call to __host__ function from __global__ "
    "function\n";

TEST_CASE("a call of the host's function is told in our words") {
  CHECK(opinion(wrong_call) ==
        Lines{"k.cu:7:20: error: a kernel cannot call 'half_of', which is a __host__ function; one "
              "of yours can be declared __host__ __device__"});
  CHECK(opinion("k.cu:7:20: error: reference to __device__ function 'f' in __host__ function\n") ==
        Lines{"k.cu:7:20: error: the host cannot call 'f', which is a __device__ function; one of "
              "yours can be declared __host__ __device__"});
  CHECK(opinion("k.cu:7:2: error: reference to __host__ variable 'n' in __global__ function\n")
            .size() == 1);
}

TEST_CASE("a launch in device code, which clang does not know, is none of its business") {
  const std::string launch =
      "k.cu:7:3: error: reference to __global__ function 'child' in __global__ function\n";
  const auto all = [](std::string_view) { return true; };
  CHECK(opinion(launch).size() == 1);
  CHECK(clang_findings(launch, all, true).empty());
  CHECK(clang_findings(launch + std::string(wrong_call), all, true).size() == 1);
}

TEST_CASE("clang may only speak of CUDA's rules") {
  CHECK(opinion(std::string(wrong_call) + "k.cu:9:1: error: expected ';'\n").empty());
  CHECK(opinion("k.cu:9:1: error: no matching function for call to 'f'\nk.cu:1:1: note: candidate "
                "function not viable: requires 2 arguments\n")
            .empty());
}

TEST_CASE("what nvcc only warns of is left alone") {
  CHECK(opinion("k.cu:7:2: error: reference to __host__ function 'f' in __host__ __device__ "
                "function\n")
            .empty());
  CHECK(opinion("k.cu:7:2: error: initialization is not supported for __shared__ variables.\n")
            .empty());
}

TEST_CASE("only the user's files count, each line once") {
  CHECK(opinion("/usr/include/h.h:7:2: error: reference to __host__ function 'f' in __device__ "
                "function\n")
            .empty());
  CHECK(opinion(std::string(wrong_call) + std::string(wrong_call)).size() == 1);
}

}  // namespace
}  // namespace emulator::compiler::diagnose
