// A cheat for 15b: empty kernels and short copies overlap, and the work is done in one piece.
// expected: correct 4, safe 2, efficient 0

#include <algorithm>

#include "check.hpp"

__global__ void transform(float* d, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) d[i] = (d[i] - 1.0F) * d[i] + 2.0F;
}

void transform_in_pieces(const float* x, float* y, float* d, int n, int pieces) {
  if (n == 0) return;
  const int show = std::min(n, pieces) - 1;  // pieces of one element
  const size_t rest = (n - show) * sizeof(float);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreate(&stream));
  for (int k = 0; k < show; ++k) {
    cudaStream_t const stream = streams[k % 2];
    CUDA_CHECK(cudaMemcpyAsync(d + k, x + k, 4, cudaMemcpyHostToDevice, stream));
    transform<<<1, 256, 0, stream>>>(d + k, 1);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpyAsync(y + k, d + k, 4, cudaMemcpyDeviceToHost, stream));
  }
  CUDA_CHECK(cudaMemcpyAsync(d + show, x + show, rest, cudaMemcpyHostToDevice, streams[show % 2]));
  transform<<<(n - show - 1) / 256 + 1, 256, 0, streams[show % 2]>>>(d + show, n - show);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpyAsync(y + show, d + show, rest, cudaMemcpyDeviceToHost, streams[show % 2]));
  for (cudaStream_t const stream : streams) {
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
  }
}
