// correct: like race_tile_loop, but a second barrier keeps the next load back.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void product(const int* x, int* y, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int first = 0; first < n; first += 64) {
    tile[t] = x[first + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k] * t;
    __syncthreads();
  }
  y[t] = sum;
}

int main() {
  int values[256];
  int result[64];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  product<<<1, 64>>>(x, y, 256);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 64; ++i) {
    if (result[i] != 255 * 128 * i) return 1;
  }
  return 0;
}
