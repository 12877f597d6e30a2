// A cheat for 14b: the host finds the levels, and sends them through two pinned buffers; the kernel
// stores what it finds.
// expected: 0 points

#include <algorithm>

#include "check.hpp"

__global__ void store_again(unsigned char* levels) {
  levels[0] = levels[0];
}

void launch_levels(const float* x, int n, unsigned char* levels, int chunk) {
  unsigned char* staging[2] = {};
  cudaStream_t streams[2] = {};
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaMallocHost(&staging[k], chunk));
    CUDA_CHECK(cudaStreamCreate(&streams[k]));
  }
  int turn = 0;
  for (int first = 0; first < n; first += chunk, turn = 1 - turn) {
    const int count = std::min(chunk, n - first);
    CUDA_CHECK(cudaStreamSynchronize(streams[turn]));
    for (int i = 0; i < count; ++i) {
      staging[turn][i] = static_cast<unsigned char>(std::clamp(x[first + i], 0.0F, 255.0F));
    }
    CUDA_CHECK(cudaMemcpyAsync(levels + first, staging[turn], count, cudaMemcpyHostToDevice,
                               streams[turn]));
    store_again<<<1, 1, 0, streams[turn]>>>(levels + first);
    CUDA_CHECK_LAUNCH();
  }
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaStreamSynchronize(streams[k]));
    CUDA_CHECK(cudaStreamDestroy(streams[k]));
    CUDA_CHECK(cudaFreeHost(staging[k]));
  }
}
