// A cheat for 00a: the kernel reads the host's array by an instruction of its own.
// No GPU could.
// expected: correct 1, safe 0, efficient 0
// told: a kernel reads 4 bytes of the host's memory

#include "check.hpp"

[[gnu::used, gnu::section(".data\n\t.text\n\t.globl fetch\n\t.type fetch,@function\nfetch:\n"
                          "\tmovss (%rdi),%xmm0\n\tret\n\t.section .data #")]] int place = 1;
extern "C" __device__ float fetch(const float*);

__global__ void change(const float* series, float* changes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) changes[i] = fetch(&series[i + 1]) - fetch(&series[i]);
}

void compute_changes(const float* series, float* changes, int n) {
  if (n < 2) return;
  float* result = nullptr;
  CUDA_CHECK(cudaMalloc(&result, (n - 1) * sizeof(float)));
  change<<<(n + 254) / 256, 256>>>(series, result, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(changes, result, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(result));
}
