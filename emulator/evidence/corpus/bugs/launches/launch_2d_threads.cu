// bug: invalid-launch
// where: fill<<<dim3(2, 2), block>>>(x)
// 64 x 64 are 4096 threads per block; each side alone would be allowed.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  x[row * 128 + col] = 1.0F;
}

int main() {
  float* x = nullptr;
  CHECK(cudaMalloc(&x, 128 * 128 * sizeof(float)));
  const dim3 block(64, 64);
  fill<<<dim3(2, 2), block>>>(x);
  const cudaError_t error = cudaGetLastError();
  CHECK(cudaFree(x));
  return error == cudaSuccess ? 0 : 1;
}
