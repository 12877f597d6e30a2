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
  // The host sets the flag after a second, from another thread: else the kernel would never end.
  scratch.write("waits.cu", R"(
#include <unistd.h>
#include <thread>
__global__ void wait(volatile int* flag) {
  while (*flag == 0) {
  }
}
int main() {
  int* flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  std::thread later([&] {
    usleep(1000000);
    *flag = 1;
  });
  wait<<<1, 1>>>(flag);
  later.join();
  return cudaDeviceSynchronize();
}
)");
  for (const std::string options : {"-g", "--look"}) {
    REQUIRE(scratch.run(emucc + options + " waits.cu -o waits").status == 0);
    const Result result = scratch.run("EMULATOR_PATIENCE=0.1 ./waits");
    CAPTURE(result.errors);
    CHECK(result.status == 0);
    CHECK(contains(result.errors, "emulator: note: wait has been running for 0."));
    CHECK(contains(result.errors, "thread (0,0,0) of block (0,0,0) is in "));
    CHECK(contains(result.errors, "waits.cu:5. If it waits for what the host does later, "));
    CHECK(result.errors.find("note:") == result.errors.rfind("note:"));
  }
  CHECK(scratch.run("EMULATOR_PATIENCE=0 ./waits").errors == "");
}
