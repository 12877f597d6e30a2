// correct: like host_heap, but managed memory is the host's and the device's.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void twice(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

int main() {
  constexpr int n = 1000;
  int* x = nullptr;
  CHECK(cudaMallocManaged(&x, n * sizeof(int)));
  for (int i = 0; i < n; ++i) x[i] = i;
  twice<<<8, 128>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && x[i] == 2 * i;
  CHECK(cudaFree(x));
  return right ? 0 : 1;
}
