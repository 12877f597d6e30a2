// What CUDA has and the emulator has not: whether a program that mentions it compiles, and what is
// said to one that uses it.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

}  // namespace

TEST_CASE("emucc: what is only mentioned compiles, and what is used is named in its line") {
  const Scratch scratch;
  const std::string headers = R"(#include <mma.h>
#include <cuda_fp8.h>
#include <cuda_fp6.h>
#include <cuda/barrier>
#include <curand_kernel.h>
using namespace nvcuda;
template <class T> __global__ void unused(T* x) { *x = T(__nv_fp6_e2m3(*x)); }
static __device__ inline void never() { asm volatile("cp.async.wait_all;"); }
int main() { curandGenerator_t generator; (void)generator; }
)";
  scratch.write("a.cu", headers);
  Result result = scratch.run(emucc + "a.cu");
  CHECK(result.status == 0);
  CHECK(result.errors == "");

  scratch.write("b.cu", headers + R"(
__global__ void k4() { wmma::bmma_sync(1); }
__global__ void k5(float* x) { *x = float(__nv_fp6_e2m3(*x)); }
__global__ void k6() { __shared__ cuda::barrier<cuda::thread_scope_device> b; b.arrive_and_wait(); }
)");
  result = scratch.run(emucc + "-O0 -c b.cu");
  CHECK(result.status == 1);
  int line = 10;
  for (const std::string what :
       {"products of bits by wmma are", "numbers of 6 and 4 bits, and of E8M0, are",
        "cuda::barrier of another scope than thread_scope_block is"}) {
    const std::string place = "b.cu:" + std::to_string(++line) + ":";
    CAPTURE(place);
    CHECK(contains(result.errors, place + " error: " + what + " not modelled\n"));
  }
  CHECK_FALSE(contains(result.errors, "attribute"));

  // An instruction that is not known is named, in the line where it is.
  scratch.write("ptx.cu", R"(
__global__ void k() {
  asm volatile("tcgen05.fence::before_thread_sync;");
}
)");
  result = scratch.run(emucc + "-c ptx.cu");
  CHECK(result.status == 1);
  CHECK(contains(result.errors,
                 "ptx.cu:3: error: PTX in the source: the instruction "
                 "tcgen05.fence::before_thread_sync is not "
                 "modelled; `emucc --list-ptx` lists all"));
  CHECK_FALSE(contains(result.errors, "attribute"));
  result = scratch.run(emucc + "--list-ptx");
  CHECK(result.status == 0);
  CHECK(contains(result.output, "`mad.lo`"));
  CHECK_FALSE(contains(result.output, "tcgen05"));

  scratch.write("lanes.cu", R"(
#include <cstdio>
__global__ void k(unsigned* out) {
  __shared__ __align__(16 * 1024) char bytes[24 * 1024];
  bytes[threadIdx.x] = 0;
  unsigned lane, below;
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  out[threadIdx.x] = 100 * lane + __popc(below) + bytes[threadIdx.x];
}
int main() {
  unsigned* o;
  cudaMallocManaged(&o, 256);
  k<<<1, 64>>>(o);
  cudaDeviceSynchronize();
  printf("%u %u %u\n", o[0], o[31], o[37]);
}
)");
  CHECK(scratch.run(emucc + "--run lanes.cu").output == "0 3131 505\n");
}
