// bug: race
// where: tile[t] = x[first + t]
// where: sum += tile[k]
// A lambda loads a tile and adds it up; between two calls of it there is no barrier.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y) {
  __shared__ int tile[96];
  const int t = threadIdx.x;
  int sum = 0;
  const auto add_tile = [&](int first) {
    tile[t] = x[first + t];
    __syncthreads();
    for (int k = 0; k < 96; ++k) sum += tile[k];
  };
  add_tile(0);
  add_tile(96);
  y[t] = sum;
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 192 * sizeof(int)));
  CHECK(cudaMalloc(&y, 96 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 192 * sizeof(int)));
  total<<<1, 96>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
