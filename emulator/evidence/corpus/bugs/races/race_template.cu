// bug: race
// where: tile[t] = x[t]
// where: y[t] = tile[(t + shift) % size]
// In a kernel template: rotating by less than a warp still crosses from one warp to the next.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

template <int size, class T>
__global__ void rotate(const T* x, T* y, int shift) {
  __shared__ T tile[size];
  const int t = threadIdx.x;
  tile[t] = x[t];
  y[t] = tile[(t + shift) % size];
}

int main() {
  constexpr int n = 128;
  double *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(double)));
  CHECK(cudaMalloc(&y, n * sizeof(double)));
  CHECK(cudaMemset(x, 0, n * sizeof(double)));
  const auto kernel = rotate<n, double>;
  kernel<<<1, n>>>(x, y, 5);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
