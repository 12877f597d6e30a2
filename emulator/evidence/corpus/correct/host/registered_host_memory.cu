// correct: like host_heap, but the vector's memory is registered and mapped.
#include <cuda_runtime.h>

#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void twice(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

int main() {
  std::vector<int> x(1000, 21);
  const int n = static_cast<int>(x.size());
  int* on_device = nullptr;
  CHECK(cudaHostRegister(x.data(), n * sizeof(int), cudaHostRegisterMapped));
  CHECK(cudaHostGetDevicePointer(&on_device, x.data(), 0));
  twice<<<8, 128>>>(on_device, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaHostUnregister(x.data()));
  for (const int value : x) {
    if (value != 42) return 1;
  }
  return 0;
}
