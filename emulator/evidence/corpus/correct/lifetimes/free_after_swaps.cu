// correct: like free_alias, but each array is freed once, by its own pointer.
#include <cuda_runtime.h>

#include <utility>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void step(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x] + 1;
}

int main() {
  int values[64];
  int *from = nullptr, *to = nullptr;
  CHECK(cudaMalloc(&from, sizeof(values)));
  CHECK(cudaMalloc(&to, sizeof(values)));
  CHECK(cudaMemset(from, 0, sizeof(values)));
  for (int i = 0; i < 5; ++i) {
    step<<<1, 64>>>(from, to);
    CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  CHECK(cudaMemcpy(values, from, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  for (const int value : values) {
    if (value != 5) return 1;
  }
  return 0;
}
