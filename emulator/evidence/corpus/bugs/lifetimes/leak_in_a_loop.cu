// bug: leak
// where: CHECK(cudaMalloc(&scratch, 256 * sizeof(int)))
// Every round allocates again into one pointer, and only the last allocation is freed.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}

int main() {
  int* scratch = nullptr;
  for (int round = 0; round < 5; ++round) {
    CHECK(cudaMalloc(&scratch, 256 * sizeof(int)));
    fill<<<1, 256>>>(scratch, round);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(scratch));
  return 0;
}
