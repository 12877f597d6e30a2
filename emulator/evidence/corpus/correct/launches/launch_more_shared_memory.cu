// correct: like launch_shared_memory, but the kernel was allowed 64 KB.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse(double* x) {
  extern __shared__ double tile[];
  const int t = threadIdx.x;
  for (int k = 0; k < 8; ++k) tile[k * 1024 + t] = x[k * 1024 + t];
  __syncthreads();
  for (int k = 0; k < 8; ++k) x[k * 1024 + t] = tile[8191 - k * 1024 - t];
}

int main() {
  constexpr int n = 8192;
  static double values[n];
  for (int i = 0; i < n; ++i) values[i] = i;
  double* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(values)));
  reverse<<<1, 1024, sizeof(values)>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < n; ++i) {
    if (values[i] != n - 1 - i) return 1;
  }
  return 0;
}
