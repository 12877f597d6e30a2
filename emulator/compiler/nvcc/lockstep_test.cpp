// Reductions from before Volta, in which lanes count on running in step.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

// Sums 64 numbers in each of three blocks of 96 threads. The statements are in `if (t < 32)`.
std::string reduction(const std::string& last_warp) {
  return R"(
#include <cstdio>
__device__ void last_warp(volatile int* s, int t) {
)" + last_warp +
         R"(
}
__global__ void total(const int* x, int* y) {
  __shared__ int s[96];
  const int t = threadIdx.x;
  s[t] = t < 64 ? x[t] + (int)blockIdx.x : 0;
  __syncthreads();
  if (t < 32) last_warp(s, t);
  if (t == 0) y[blockIdx.x] = s[0];
}
int main() {
  int x[64], *d, *y, sum[3];
  for (int i = 0; i < 64; ++i) x[i] = i * i;
  cudaMalloc(&d, sizeof(x));
  cudaMalloc(&y, sizeof(sum));
  cudaMemcpy(d, x, sizeof(x), cudaMemcpyHostToDevice);
  total<<<3, 96>>>(d, y);
  cudaMemcpy(sum, y, sizeof(sum), cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(y);
  for (int i = 0; i < 3; ++i) {
    if (sum[i] != 85344 + 64 * i) return 1;
  }
  return 0;
}
)";
}

const std::string unrolled = R"(
  s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8];
  s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];
)";

// Lanes take part in ever fewer steps, and come together again after each.
const std::string ever_fewer = R"(
  s[t] += s[t + 32];
  for (int step = 16; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
  }
)";

const std::string fences = R"(
  int* p = const_cast<int*>(s);
  p[t] += p[t + 32]; __threadfence_block(); p[t] += p[t + 16]; __threadfence_block();
  p[t] += p[t + 8]; __threadfence_block(); p[t] += p[t + 4]; __threadfence_block();
  p[t] += p[t + 2]; __threadfence_block(); p[t] += p[t + 1];
)";

const std::string note = "emulator: note: the lanes of a warp run in step";

}  // namespace

TEST_CASE("emucc: with --lockstep lanes run in step where a program from before Volta needs it") {
  const Scratch scratch;
  for (const std::string& last_warp : {unrolled, ever_fewer, fences}) {
    CAPTURE(last_warp);
    scratch.write("sum.cu", reduction(last_warp));
    Result result = scratch.run(emucc + "sum.cu -o fast");
    REQUIRE(result.status == 0);
    CHECK(contains(result.errors, "--lockstep") == (last_warp != fences));
    CHECK(scratch.run("./fast").status == 1);
    REQUIRE(scratch.run(emucc + "--look sum.cu -o look").status == 0);
    result = scratch.run("./look");
    CHECK(result.status == 1);
    CHECK(!contains(result.errors, note));

    result = scratch.run("EMULATOR_LOCKSTEP=1 ./look");
    CHECK(result.status == 0);
    CHECK(result.errors.find(note) == 0);
    CHECK(result.errors.find(note) == result.errors.rfind(note));
    CHECK(scratch.run("EMULATOR_LOCKSTEP=1 EMULATOR_REPORT=r.json ./look").status == 0);

    result = scratch.run(emucc + "--lockstep sum.cu -o step");
    REQUIRE(result.status == 0);
    CHECK(result.errors == "");
    CHECK(scratch.run("./step").status == 0);
    CHECK(scratch.run("EMULATOR_LOCKSTEP=0 ./step").status == 1);
    // It makes the result right, and not the program.
    CHECK(scratch.run("EMULATOR_CHECK=1 ./step").status == 3);
  }
}

TEST_CASE("emucc: lanes in step may poll, and fast programs have none") {
  const Scratch scratch;
  scratch.write("flag.cu", R"(
__global__ void wait(int* x) {
  volatile int* flag = x;
  if (threadIdx.x % 32 == 5) {
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 4);
  cudaMemset(x, 0, 4);
  wait<<<1, 64>>>(x);
  return cudaFree(x);
}
)");
  REQUIRE(scratch.run(emucc + "--lockstep flag.cu -o step").status == 0);
  CHECK(scratch.run("timeout 20 ./step").status == 0);
  REQUIRE(scratch.run(emucc + "flag.cu -o fast").status == 0);
  const Result result = scratch.run("EMULATOR_LOCKSTEP=1 ./fast");
  CHECK(result.status == 2);
  CHECK(contains(result.errors, "EMULATOR_LOCKSTEP=1: this program is fast"));
  CHECK(scratch.run("EMULATOR_LOCKSTEP=yes ./step").status == 2);
}
