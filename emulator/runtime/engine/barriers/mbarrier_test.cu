// Barriers in shared memory: <cuda/ptx>. Their tokens and parities, and which of their uses, and of
// bulk copies, end a launch. nvcc (-arch=sm_90a) compiles this file as well, but for the latter.

#include <doctest/doctest.h>

#include <cstdint>
#include <cuda/ptx>

#include "tests/kernel_test.hpp"

namespace {

namespace ptx = cuda::ptx;

__global__ void phases(unsigned* out) {
  __shared__ alignas(8) std::uint64_t barrier;
  ptx::mbarrier_init(&barrier, 2);
  unsigned bits = 0;
  const auto note = [&](unsigned bit, bool is) { bits |= is ? 1U << bit : 0U; };
  note(0, ptx::mbarrier_test_wait_parity(&barrier, 0));  // the running phase
  note(1, ptx::mbarrier_test_wait_parity(&barrier, 1));  // the one before
  const std::uint64_t token = ptx::mbarrier_arrive(&barrier);
  note(2, ptx::mbarrier_test_wait(&barrier, token));
  ptx::mbarrier_arrive(&barrier);
  note(3, ptx::mbarrier_test_wait(&barrier, token));
  note(4, ptx::mbarrier_test_wait_parity(&barrier, 0));
  note(5, ptx::mbarrier_test_wait_parity(&barrier, 1));
  out[0] = bits;
}

}  // namespace

TEST_CASE("mbarriers: tokens and parities") {
  Shared<unsigned> out(1);
  phases<<<1, 1>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0] == 0b011010);
}

#ifdef CUDA_EMULATOR

namespace {

__global__ void wrong(float* in, int what) {
  __shared__ alignas(128) float tile[32];
  __shared__ alignas(8) std::uint64_t barriers[2];
  auto* const bytes = reinterpret_cast<char*>(barriers);
  auto* const aside = reinterpret_cast<std::uint64_t*>(bytes + 4);
  if (what == 0) ptx::mbarrier_init(aside, 1);
  if (what == 1) ptx::mbarrier_init(&barriers[0], 0);
  if (what == 2) ptx::mbarrier_init(&barriers[0], 1U << 20);
  if (what == 3) ptx::mbarrier_arrive(&barriers[1]);
  if (what == 4) ptx::mbarrier_init(reinterpret_cast<std::uint64_t*>(in), 1);
  if (what < 5) return;
  ptx::mbarrier_init(&barriers[0], 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  const auto copy = [&](void* to, const void* from, unsigned size) {
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, to, from, size, &barriers[0]);
  };
  if (what == 5) copy(tile, in, 24);
  if (what == 6) copy(tile, in + 1, 16);
  if (what == 7) copy(tile + 2, in, 16);
  if (what == 8) copy(in, in, 16);
  if (what == 9) {
    ptx::mbarrier_arrive(&barriers[0], 2);
  }
  if (what == 10) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &barriers[0], 1U << 20);
  }
}

}  // namespace

TEST_CASE("bulk copies: what is no barrier, or no bulk copy, ends the launch") {
  const cudaError_t misaligned = cudaErrorMisalignedAddress;
  const cudaError_t failure = cudaErrorLaunchFailure;
  const cudaError_t expected[] = {misaligned, failure,    failure,
                                  failure,    failure,    failure,
                                  misaligned, misaligned, cudaErrorInvalidAddressSpace,
                                  failure,    failure};
  for (int what = 0; what < 11; ++what) {
    CAPTURE(what);
    Shared<float> in(32);
    wrong<<<1, 1>>>(in.get(), what);
    CHECK(cudaDeviceSynchronize() == expected[what]);
    CHECK(cudaDeviceReset() == cudaSuccess);
  }
}
#endif
