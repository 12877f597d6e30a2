// A cheat for 15c: the graph's only kernel does all rounds when it runs first, and nothing in the
// others.
// expected: correct 4, safe 2, efficient 0

#include "check.hpp"

__global__ void all_rounds(float* x, int n, int* round, int rounds) {
  __shared__ bool done;
  if (threadIdx.x == 0) done = *round != 0;
  __syncthreads();
  if (done) return;
  for (int k = 0; k < 21 * rounds; ++k) {
    const int step = k % 21;
    for (int i = 2 * threadIdx.x + step % 2; i < n && step < 20; i += 2 * blockDim.x) {
      const float left = i > 0 ? x[i - 1] : 0.0F;
      const float right = i + 1 < n ? x[i + 1] : 0.0F;
      const float sum = left + right + x[i];
      x[i] = sum - 16.0F * floorf(sum / 16.0F);
    }
    __syncthreads();
    if (step == 20 && threadIdx.x == 0) x[7 * (k / 21) % n] += 1.0F;
    __syncthreads();
  }
  if (threadIdx.x == 0) *round = 1;
}

void run_rounds(float* x, int* memory, int n, int rounds) {
  if (n == 0 || rounds == 0) return;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaMemsetAsync(memory, 0, sizeof(int), stream));
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  all_rounds<<<1, 1024, 0, stream>>>(x, n, memory, rounds);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  for (int round = 0; round < rounds; ++round) CUDA_CHECK(cudaGraphLaunch(ready, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaGraphExecDestroy(ready));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaStreamDestroy(stream));
}
