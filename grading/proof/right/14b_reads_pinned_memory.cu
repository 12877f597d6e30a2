// A right solution for 14b: kernels read the staging buffers where they are, in the host's memory.
// Nothing is copied, which is not what is asked.
// expected: correct 4, safe 2, efficient 0

#include <algorithm>

#include "check.hpp"

__global__ void to_levels(const float* part, int count, unsigned char* levels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) levels[i] = static_cast<unsigned char>(fminf(fmaxf(part[i], 0.0F), 255.0F));
}

void launch_levels(const float* x, int n, unsigned char* levels, int chunk) {
  float* staging[2] = {};
  cudaStream_t streams[2] = {};
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaMallocHost(&staging[k], chunk * sizeof(float)));
    CUDA_CHECK(cudaStreamCreate(&streams[k]));
  }
  int turn = 0;
  for (int first = 0; first < n; first += chunk, turn = 1 - turn) {
    const int count = std::min(chunk, n - first);
    CUDA_CHECK(cudaStreamSynchronize(streams[turn]));
    std::copy_n(x + first, count, staging[turn]);
    to_levels<<<(count - 1) / 256 + 1, 256, 0, streams[turn]>>>(staging[turn], count,
                                                                levels + first);
    CUDA_CHECK_LAUNCH();
  }
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaStreamSynchronize(streams[k]));
    CUDA_CHECK(cudaStreamDestroy(streams[k]));
    CUDA_CHECK(cudaFreeHost(staging[k]));
  }
}
