// correct: like host_stack, but the pinned array is copied and not passed.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void twice(int* x) {
  x[threadIdx.x] *= 2;
}

int main() {
  constexpr int n = 128;
  int *values = nullptr, *x = nullptr;
  cudaStream_t stream = nullptr;
  CHECK(cudaMallocHost(&values, n * sizeof(int)));
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < n; ++i) values[i] = i;
  CHECK(cudaMemcpyAsync(x, values, n * sizeof(int), cudaMemcpyHostToDevice, stream));
  twice<<<1, n, 0, stream>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(values, x, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && values[i] == 2 * i;
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  CHECK(cudaFreeHost(values));
  return right ? 0 : 1;
}
