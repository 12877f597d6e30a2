// correct: like launch_2d_threads, but 32 x 32 threads are just allowed.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  x[row * 64 + col] = row - col;
}

int main() {
  static int values[64][64];
  int* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  fill<<<dim3(2, 2), dim3(32, 32)>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int row = 0; row < 64; ++row) {
    for (int col = 0; col < 64; ++col) {
      if (values[row][col] != row - col) return 1;
    }
  }
  return 0;
}
