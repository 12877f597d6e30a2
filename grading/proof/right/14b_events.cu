// A right solution for 14b: events after copies, priorities, buffers of write-combined memory that
// begin as zeros.
// expected: full marks

#include <algorithm>

#include "check.hpp"

__global__ void to_levels(const float* part, int count, unsigned char* levels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) levels[i] = static_cast<unsigned char>(fminf(fmaxf(part[i], 0.0F), 255.0F));
}

void launch_levels(const float* x, int n, unsigned char* levels, int chunk) {
  float* staging[2] = {};
  float* part[2] = {};
  cudaEvent_t copied[2] = {};
  cudaStream_t stream[2] = {};
  int priority[2] = {};  // the least and the greatest
  CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&priority[0], &priority[1]));
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaHostAlloc(&staging[k], chunk * sizeof(float), cudaHostAllocWriteCombined));
    CUDA_CHECK(cudaMalloc(&part[k], chunk * sizeof(float)));
    CUDA_CHECK(cudaStreamCreateWithPriority(&stream[k], cudaStreamNonBlocking, priority[k]));
    CUDA_CHECK(cudaMemsetAsync(part[k], 0, chunk * sizeof(float), stream[k]));
    CUDA_CHECK(cudaEventCreateWithFlags(&copied[k], cudaEventDisableTiming));
  }
  int k = 0;
  for (long long first = 0; first < n; first += chunk, k = 1 - k) {
    const int count = static_cast<int>(std::min<long long>(chunk, n - first));
    CUDA_CHECK(cudaEventSynchronize(copied[k]));
    std::copy_n(x + first, count, staging[k]);
    CUDA_CHECK(cudaMemcpyAsync(part[k], staging[k], count * sizeof(float), cudaMemcpyHostToDevice,
                               stream[k]));
    CUDA_CHECK(cudaEventRecord(copied[k], stream[k]));
    to_levels<<<(count - 1) / 128 + 1, 128, 0, stream[k]>>>(part[k], count, levels + first);
    CUDA_CHECK_LAUNCH();
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  for (k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaEventDestroy(copied[k]));
    CUDA_CHECK(cudaStreamDestroy(stream[k]));
    CUDA_CHECK(cudaFree(part[k]));
    CUDA_CHECK(cudaFreeHost(staging[k]));
  }
}
