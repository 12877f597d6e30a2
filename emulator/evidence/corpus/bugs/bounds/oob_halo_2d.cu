// bug: out-of-bounds
// where: tile[ty][16] = x[row * n + col + 1]
// The halo column on the right is read unasked; below the last row's end there is no element.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void right_neighbour(const float* x, float* y, int n) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * 16 + tx;
  const int row = blockIdx.y * 16 + ty;
  tile[ty][tx] = x[row * n + col];
  if (tx == 15) {
    tile[ty][16] = x[row * n + col + 1];
  }
  __syncthreads();
  y[row * n + col] = tile[ty][tx + 1];
}

int main() {
  constexpr int n = 64;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * n * sizeof(float)));
  right_neighbour<<<dim3(4, 4), dim3(16, 16)>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
