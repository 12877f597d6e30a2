// Kernels that do not end: somebody who waits is told where they are.

#include <doctest/doctest.h>

#include <string>

#include "compile_test.hpp"

namespace {

using namespace emulator_test;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

}  // namespace

TEST_CASE("emucc: a kernel that waits for the host is said to be running, once, and where") {
  const Scratch scratch;
  scratch.write("waits.cu", R"(
__global__ void wait(volatile int* flag) {
  while (*flag == 0) {
  }
}
int main(int argc, char**) {
  int* flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = argc > 1;
  wait<<<1, 1>>>(flag);
  *flag = 1;
  return cudaDeviceSynchronize();
}
)");
  for (const std::string options : {"-g", "--look"}) {
    REQUIRE(scratch.run(emucc + options + " waits.cu -o waits").status == 0);
    const std::string run = "EMULATOR_PATIENCE=0.2 timeout 0.7 ./waits";
    const Result result = scratch.run(run);
    CAPTURE(result.errors);
    CHECK(result.status == 124);
    CHECK(contains(result.errors, "emulator: note: wait has been running for 0."));
    CHECK(contains(result.errors, "thread (0,0,0) of block (0,0,0) is in "));
    CHECK(contains(result.errors, "waits.cu:3. If it waits for what the host does later, "));
    CHECK(result.errors.find("note:") == result.errors.rfind("note:"));
    CHECK(scratch.run("EMULATOR_PATIENCE=0 timeout 0.5 ./waits").errors == "");
    CHECK(scratch.run(run + " 1").errors == "");
  }
}
