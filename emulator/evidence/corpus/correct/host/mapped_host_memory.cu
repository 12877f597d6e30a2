// correct: like host_malloc_result, but this memory of the host's is mapped.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* result, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *result = sum;
}

int main() {
  constexpr int n = 100;
  int *x = nullptr, *x_on_device = nullptr, *result = nullptr, *result_on_device = nullptr;
  CHECK(cudaHostAlloc(&x, n * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&result, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&x_on_device, x, 0));
  CHECK(cudaHostGetDevicePointer(&result_on_device, result, 0));
  for (int i = 0; i < n; ++i) x[i] = i;
  total<<<1, 1>>>(x_on_device, result_on_device, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const bool right = *result == 4950;
  CHECK(cudaFreeHost(x));
  CHECK(cudaFreeHost(result));
  return right ? 0 : 1;
}
