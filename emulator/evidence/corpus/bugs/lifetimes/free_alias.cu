// bug: double-free
// where: CHECK(cudaFree(newest))
// After the last swap `newest` is one of the two arrays that have been freed already.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void step(const float* from, float* to) {
  to[threadIdx.x] = 0.5F * from[threadIdx.x];
}

int main() {
  float* state[2] = {};
  for (float*& s : state) CHECK(cudaMalloc(&s, 64 * sizeof(float)));
  CHECK(cudaMemset(state[0], 0, 64 * sizeof(float)));
  float* newest = nullptr;
  for (int i = 0; i < 5; ++i) {
    newest = state[(i + 1) % 2];
    step<<<1, 64>>>(state[i % 2], newest);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(state[0]));
  CHECK(cudaFree(state[1]));
  CHECK(cudaFree(newest));
  return 0;
}
