// A cheat for 15c: a function of the host's is captured into the graph, to do the work.
// expected: refused: cudaLaunchHostFunc

#include "check.hpp"

void work(void*) {}

void run_rounds(float* x, int*, int n, int rounds) {
  if (n == 0 || rounds == 0) return;
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CUDA_CHECK(cudaLaunchHostFunc(stream, &work, x));
  cudaGraph_t graph = nullptr;
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaStreamDestroy(stream));
}
