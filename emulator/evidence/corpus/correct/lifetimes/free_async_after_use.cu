// correct: like uaf_free_async, but the free comes after the use in the stream.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x) {
  x[threadIdx.x] = 7 * threadIdx.x;
}

int main() {
  int values[64];
  int* x = nullptr;
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocAsync(&x, sizeof(values), stream));
  fill<<<1, 64, 0, stream>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(values, x, sizeof(values), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(x, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  for (int i = 0; i < 64; ++i) {
    if (values[i] != 7 * i) return 1;
  }
  return 0;
}
