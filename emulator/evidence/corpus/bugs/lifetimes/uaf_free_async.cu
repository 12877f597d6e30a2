// bug: use-after-free
// where: x[threadIdx.x] = 7
// The buffer is given back to the stream before the launch that writes it.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x) {
  x[threadIdx.x] = 7;
}

int main() {
  cudaStream_t stream = nullptr;
  int* x = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocAsync(&x, 64 * sizeof(int), stream));
  CHECK(cudaFreeAsync(x, stream));
  fill<<<1, 64, 0, stream>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
