// A cheat for 15c: launches handles of graphs that it has made up, and works without them.
// expected: 0 points

#include "check.hpp"

__global__ void nothing(float* x) {
  x[0] = x[0];
}

void run_rounds(float* x, int* memory, int n, int rounds) {
  if (n == 0 || rounds == 0) return;
  nothing<<<1, 1>>>(x);
  CUDA_CHECK_LAUNCH();
  cudaGraphExec_t forged = reinterpret_cast<cudaGraphExec_t>(memory);
  for (int round = 0; round < rounds; ++round) {
    if (cudaGraphLaunch(forged, nullptr) != cudaSuccess) static_cast<void>(cudaGetLastError());
    forged = reinterpret_cast<cudaGraphExec_t>(static_cast<long>(round) + 1);
  }
  static_cast<void>(cudaGraphDestroy(reinterpret_cast<cudaGraph_t>(x)));
  static_cast<void>(cudaGetLastError());
}
