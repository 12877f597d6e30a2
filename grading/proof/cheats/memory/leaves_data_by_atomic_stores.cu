// A cheat for 01a: a kernel takes all data to an object of the program's that has no name, by
// atomic stores, which the runtime carries out. There the host finds them, and computes.
// expected: 0 points
// told: what kernels have left in variables are read

#include <vector>

#include "check.hpp"

[[gnu::used, gnu::section(".data\n\t.balign 64\n.Lkept:\n\t.zero 524288\n\t.text\n\t.globl kept\n"
                          "\t.type kept,@function\nkept:\n\tlea .Lkept(%rip),%rax\n\tret\n"
                          "\t.section .data #")]] int place = 1;
extern "C" __host__ __device__ float* kept();

__global__ void take(const float* A, int lda, const float* x, const float* b, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto put = [](int k, float value) {
    __atomic_store_n(reinterpret_cast<int*>(kept() + k), __float_as_int(value), __ATOMIC_RELAXED);
  };
  if (i < m) put(i, b[i]);
  if (i < n) put(m + i, x[i]);
  for (int k = i; k < m * n; k += gridDim.x * blockDim.x)
    put(m + n + k, A[static_cast<size_t>(k / n) * lda + k % n]);
}
__global__ void bring(const float* from, float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = from[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  take<<<(m + n + 127) / 128, 128>>>(A, lda, x, b, m, n);
  CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<float> result(m);
  for (int i = 0; i < m; ++i) {
    result[i] = kept()[i];
    for (int j = 0; j < n; ++j) result[i] -= kept()[m + n + i * n + j] * kept()[m + j];
  }
  float* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, m * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(device, result.data(), m * sizeof(float), cudaMemcpyHostToDevice));
  bring<<<(m + 127) / 128, 128>>>(device, r, m);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaFree(device));
}
