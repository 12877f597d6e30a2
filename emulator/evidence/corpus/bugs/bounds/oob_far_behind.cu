// bug: out-of-bounds
// where: x[far * t]
// no: host-pointer
// no: leak
// An index that no memory is large enough for. The kernel fails, and what the program frees then is
// not a leak.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void strided(const float* x, float* y, long long far) {
  const int t = threadIdx.x;
  y[t] = x[far * t];
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 1024 * sizeof(float)));
  CHECK(cudaMalloc(&y, 64 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 1024 * sizeof(float)));
  strided<<<1, 64>>>(x, y, 1LL << 43);
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t ended = cudaDeviceSynchronize();
  const cudaError_t freed_x = cudaFree(x);
  const cudaError_t freed_y = cudaFree(y);
  return launched == cudaSuccess && ended != cudaSuccess && freed_x == ended && freed_y == ended
             ? 0
             : 1;
}
