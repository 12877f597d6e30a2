// bug: invalid-launch
// where: reverse<<<1, 1024, bytes>>>(x)
// More than 48 KB of dynamic shared memory have to be asked for with cudaFuncSetAttribute.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse(double* x) {
  extern __shared__ double tile[];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  x[t] = tile[1023 - t];
}

int main() {
  constexpr int bytes = 8 * 1024 * sizeof(double);
  double* x = nullptr;
  CHECK(cudaMalloc(&x, 1024 * sizeof(double)));
  CHECK(cudaMemset(x, 0, 1024 * sizeof(double)));
  reverse<<<1, 1024, bytes>>>(x);
  const cudaError_t error = cudaGetLastError();
  CHECK(cudaFree(x));
  return error == cudaSuccess ? 0 : 1;
}
