// Bulk copies into one tile, with a phase for each and a barrier before the next.
#include <cuda_runtime.h>

#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_rows(const float* x, float* y, int rounds) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t full;
  const int t = threadIdx.x;
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (t == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                     256);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, x + round * 64, 256, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, round % 2)) {
    }
    y[round * 64 + t] = tile[63 - t];
    __syncthreads();
  }
}

int main() {
  constexpr int rounds = 4;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, rounds * 64 * sizeof(float)));
  CHECK(cudaMalloc(&y, rounds * 64 * sizeof(float)));
  CHECK(cudaMemset(x, 0, rounds * 64 * sizeof(float)));
  reverse_rows<<<1, 64>>>(x, y, rounds);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
