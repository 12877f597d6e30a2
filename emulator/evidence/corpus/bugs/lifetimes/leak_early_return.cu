// bug: leak
// where: if (cudaMalloc(&x, n * sizeof(float)) != cudaSuccess) return false
// The function has a way out that frees nothing.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x) {
  x[threadIdx.x] = 1.0F;
}

bool compute(int n, bool wanted) {
  float* x = nullptr;
  if (cudaMalloc(&x, n * sizeof(float)) != cudaSuccess) return false;
  fill<<<1, n>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  if (!wanted) return true;
  return cudaFree(x) == cudaSuccess;
}

int main() {
  const bool fine = compute(64, true) && compute(96, false);
  CHECK(cudaGetLastError());
  return fine ? 0 : 1;
}
