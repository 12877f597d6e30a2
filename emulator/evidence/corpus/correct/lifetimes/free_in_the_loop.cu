// correct: like leak_in_a_loop, but every round frees what it allocated.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}

int main() {
  int sum = 0;
  for (int round = 0; round < 5; ++round) {
    int* scratch = nullptr;
    int value = 0;
    CHECK(cudaMalloc(&scratch, 256 * sizeof(int)));
    fill<<<1, 256>>>(scratch, round);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&value, scratch + 255, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(scratch));
    sum += value;
  }
  return sum == 10 ? 0 : 1;
}
