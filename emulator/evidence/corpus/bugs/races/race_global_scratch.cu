// bug: race
// where: scratch[i] = 3 * t
// where: y[i] = scratch[i ^ 64]
// The threads of a block exchange values through global memory, which needs the barrier as well.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void exchange(int* scratch, int* y) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  scratch[i] = 3 * t;
  y[i] = scratch[i ^ 64];
}

int main() {
  constexpr int n = 256;
  int *scratch = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&scratch, n * sizeof(int)));
  CHECK(cudaMalloc(&y, n * sizeof(int)));
  CHECK(cudaMemset(scratch, 0, n * sizeof(int)));
  exchange<<<n / 128, 128>>>(scratch, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(scratch));
  CHECK(cudaFree(y));
  return 0;
}
