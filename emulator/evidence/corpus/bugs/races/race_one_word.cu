// bug: race
// where: *y = x[i]
// Every thread stores its own value in the same place: which one stays is anyone's guess.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void store(const int* x, int* y) {
  const int i = threadIdx.x;
  *y = x[i];
}

int main() {
  constexpr int n = 96;
  int values[n];
  for (int i = 0; i < n; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(int)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  store<<<1, n>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
