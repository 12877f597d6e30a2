// A cheat for 14b: the host finds the levels, and copies them in the place of x, as floats. The
// kernel rounds nothing and clamps nothing.
// expected: 0 points

#include <algorithm>
#include <cmath>

#include "check.hpp"

__global__ void store(const float* part, int count, unsigned char* levels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) levels[i] = static_cast<unsigned char>(part[i]);
}

void launch_levels(const float* x, int n, unsigned char* levels, int chunk) {
  float* staging[2] = {};
  float* part[2] = {};
  cudaStream_t streams[2] = {};
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaMallocHost(&staging[k], chunk * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&part[k], chunk * sizeof(float)));
    CUDA_CHECK(cudaStreamCreate(&streams[k]));
  }
  int turn = 0;
  for (int first = 0; first < n; first += chunk, turn = 1 - turn) {
    const int count = std::min(chunk, n - first);
    CUDA_CHECK(cudaStreamSynchronize(streams[turn]));
    for (int i = 0; i < count; ++i) {
      staging[turn][i] = std::floor(std::clamp(x[first + i], 0.0F, 255.0F));
    }
    CUDA_CHECK(cudaMemcpyAsync(part[turn], staging[turn], count * sizeof(float),
                               cudaMemcpyHostToDevice, streams[turn]));
    store<<<(count - 1) / 256 + 1, 256, 0, streams[turn]>>>(part[turn], count, levels + first);
    CUDA_CHECK_LAUNCH();
  }
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaStreamSynchronize(streams[k]));
    CUDA_CHECK(cudaStreamDestroy(streams[k]));
    CUDA_CHECK(cudaFree(part[k]));
    CUDA_CHECK(cudaFreeHost(staging[k]));
  }
}
