// bug: race
// where: s[t] += s[t + d]
// mend: __syncthreads()
// not: atomic
// A sum in a tree whose steps no barrier parts: a thread reads what another one has yet to add to.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void sum(const float* x, float* y) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) *y = s[0];
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(float)));
  CHECK(cudaMalloc(&y, sizeof(float)));
  CHECK(cudaMemset(x, 0, 128 * sizeof(float)));
  sum<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
