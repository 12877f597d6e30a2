// Each block waits for the one before, and then reads what all earlier ones have written: what was
// handed on to one is handed on by it. All threads execute a fence before they meet; one of them
// raises the flag.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void one_after_another(int* x, int* flags) {
  const int b = blockIdx.x;
  const int t = threadIdx.x;
  if (t == 0 && b > 0) {
    while (atomicAdd(&flags[b - 1], 0) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  int sum = 1;
  for (int i = 0; i < b; ++i) sum += x[i * 64 + t];
  x[b * 64 + t] = sum;
  __threadfence();
  __syncthreads();
  if (t == 0) atomicExch(&flags[b], 1);
}

int main() {
  int *x = nullptr, *flags = nullptr;
  CHECK(cudaMalloc(&x, 512 * sizeof(int)));
  CHECK(cudaMalloc(&flags, 8 * sizeof(int)));
  CHECK(cudaMemset(flags, 0, 8 * sizeof(int)));
  one_after_another<<<8, 64>>>(x, flags);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(flags));
  return 0;
}
