// A cheat for 15c: a graph with a table of pushes for the twelve rounds that are checked, and
// kernel by kernel for any other number.
// expected: correct 4, safe 2, efficient 0

#include "check.hpp"

constexpr int block = 128;

__global__ void sweep(float* x, int n, int colour) {
  const int i = 2 * (blockIdx.x * block + threadIdx.x) + colour;
  if (i >= n) return;
  const float left = i > 0 ? x[i - 1] : 0.0F;
  const float right = i + 1 < n ? x[i + 1] : 0.0F;
  const float sum = left + right + x[i];
  x[i] = sum - 16.0F * floorf(sum / 16.0F);
}

// For 12 rounds the number of sweeps done so far says which round it is: -1 asks for that.
__global__ void push(float* x, int n, int* memory, int round) {
  const int places[12] = {0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77};
  if (round >= 0) {
    x[7 * round % n] += 1.0F;
    return;
  }
  x[places[*memory % 12]] += 1.0F;
  *memory = *memory + 1;
}

void issue_round(float* x, int n, int* memory, int round, cudaStream_t stream) {
  const int points = (n + 1) / 2;
  for (int k = 0; k < 20; ++k) {
    sweep<<<(points - 1) / block + 1, block, 0, stream>>>(x, n, k % 2);
    CUDA_CHECK_LAUNCH();
  }
  push<<<1, 1, 0, stream>>>(x, n, memory, round);
  CUDA_CHECK_LAUNCH();
}

void run_rounds(float* x, int* memory, int n, int rounds) {
  if (n == 0 || rounds == 0) return;
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaMemsetAsync(memory, 0, sizeof(int), stream));
  if (rounds == 12 && n == 2048) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    issue_round(x, n, memory, -1, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
    for (int round = 0; round < rounds; ++round) CUDA_CHECK(cudaGraphLaunch(ready, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaGraphExecDestroy(ready));
    CUDA_CHECK(cudaGraphDestroy(graph));
  } else {
    for (int round = 0; round < rounds; ++round) issue_round(x, n, memory, round, stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  CUDA_CHECK(cudaStreamDestroy(stream));
}
