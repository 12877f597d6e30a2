// bug: invalid-launch
// where: fill<<<dim3(1, rows), 32>>>(x)
// Only x may count beyond 65535 blocks; y and z may not.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x) {
  x[blockIdx.y * 32 + threadIdx.x] = 1.0F;
}

int main() {
  constexpr int rows = 70000;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, rows * 32 * sizeof(float)));
  fill<<<dim3(1, rows), 32>>>(x);
  const cudaError_t error = cudaGetLastError();
  CHECK(cudaFree(x));
  return error == cudaSuccess ? 0 : 1;
}
