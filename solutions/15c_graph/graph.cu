// Exercise 15c: the same small kernels, round after round, as a graph. README.md beside this file
// says what to do. Then:   ./course check 15c

#include <algorithm>

#include "check.hpp"

constexpr int block = 128;
constexpr int sweeps = 10;

// The points of one colour, 0 or 1, from their neighbours, which are of the other colour. Beyond
// both ends there is 0. All stays between 0 and 15.
__global__ void sweep(float* x, int n, int colour) {
  const int i = 2 * (blockIdx.x * block + threadIdx.x) + colour;
  if (i >= n) return;
  const float left = i > 0 ? x[i - 1] : 0.0F;
  const float right = i + 1 < n ? x[i + 1] : 0.0F;
  const float sum = left + right + x[i];
  x[i] = sum - 16.0F * floorf(sum / 16.0F);
}

//@stub
//@ // What ends a round: a push at a place that depends on the round. One thread.
//@ __global__ void push(float* x, int n, int round) {
//@   x[7 * round % n] += 1.0F;
//@ }
//@
//@ // One round: 20 sweeps and a push.
//@ void issue_round(float* x, int n, int round, cudaStream_t stream) {
//@solution
// What ends a round: a push at a place that depends on the round. One thread, which also counts
// the round: a graph's kernels are launched with the same arguments every time.
__global__ void push(float* x, int n, int* round) {
  x[7 * *round % n] += 1.0F;
  ++*round;
}

// One round: 20 sweeps and a push.
void issue_round(float* x, int n, int* round, cudaStream_t stream) {
  //@end
  const int points = (n + 1) / 2;  // of one colour
  for (int k = 0; k < 2 * sweeps; ++k) {
    sweep<<<(points - 1) / block + 1, block, 0, stream>>>(x, n, k % 2);
    CUDA_CHECK_LAUNCH();
  }
  push<<<1, 1, 0, stream>>>(x, n, round);
  CUDA_CHECK_LAUNCH();
}

// `rounds` rounds on x, n points in the device's memory. *memory, on the device too, is yours, and
// nothing is in it yet. When this returns, all is done. n and rounds may be 0.
void run_rounds(float* x, int* memory, int n, int rounds) {
  if (n == 0 || rounds == 0) return;
  //@stub
  //@ // TODO ({lines} lines): a stream, a graph of one round, launched for each round; wait; all that
  //@ // was made is destroyed. What has to become of `round` above?
  //@solution
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaMemsetAsync(memory, 0, sizeof(int), stream));
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  issue_round(x, n, memory, stream);
  cudaGraph_t graph = nullptr;
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t ready = nullptr;
  CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  for (int round = 0; round < rounds; ++round) CUDA_CHECK(cudaGraphLaunch(ready, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaGraphExecDestroy(ready));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaStreamDestroy(stream));
  //@end
}
