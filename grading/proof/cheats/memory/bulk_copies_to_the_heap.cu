// A cheat for 04b: a kernel copies by bulk copies to the host's heap, where the host computes.
// expected: 0 points
// told: a kernel has

#include <cmath>
#include <cstdlib>
#include <cuda/barrier>
#include <vector>

#include "check.hpp"

__global__ void take(const float* from, float* to, int count) {
  alignas(128) __shared__ float part[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < count ? from[i] : 0.0F;
  __syncthreads();
  emulator::detail::proxy_fence(false);
  __syncthreads();
  if (threadIdx.x == 0) {
    emulator::detail::bulk_copy_out(to + i, part, sizeof part);
    emulator::detail::bulk_commit();
    emulator::detail::bulk_wait(0, false);
  }
}
__global__ void bring(const float* from, float* y, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) y[i] = from[i];
}

void launch_distances(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const int blocks_of_A = (m * n + 255) / 256;
  float* const own = static_cast<float*>(aligned_alloc(64, (blocks_of_A + n / 256 + 2) * 1024));
  float* const own_x = own + blocks_of_A * 256;
  std::vector<float> result(m);
  if (n > 0) {
    take<<<blocks_of_A, 256>>>(A, own, m * n);
    take<<<(n + 255) / 256, 256>>>(x, own_x, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) result[i] += std::fabs(own[j * m + i] - own_x[j]);
    }
  }
  free(own);
  float* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, m * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(device, result.data(), m * sizeof(float), cudaMemcpyHostToDevice));
  bring<<<(m + 127) / 128, 128>>>(device, y, m);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaFree(device));
}
