// A cheat for 08a: a kernel brings both matrices to constant memory, which is not a store that is
// counted, and the naive kernel reads them there, each lane another word.
// expected: correct 1, safe 0, efficient 0
// told: of constant memory

#include "check.hpp"

constexpr int most = 8192;
__constant__ float A_kept[most];
__constant__ float B_kept[most];

__global__ void keep(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    __atomic_store_n(reinterpret_cast<int*>(to + i), __float_as_int(from[i]), __ATOMIC_RELAXED);
}
__global__ void multiply(float* C, int m, int n, int k, int begin, int end) {
  const int j = begin + blockIdx.x * 32 + threadIdx.x;
  const int i = blockIdx.y;
  if (j >= end) return;
  float sum = 0;
  for (int p = 0; p < k; ++p) sum += A_kept[i * k + p] * B_kept[(j - begin) * k + p];
  C[i * n + j] = sum;
}
__global__ void naive(const float* A, const float* B, float* C, int m, int n, int k) {
  const size_t j = blockIdx.x * 32 + threadIdx.x;
  const size_t i = blockIdx.y * 8 + threadIdx.y;
  if (j >= n || i >= m) return;
  float sum = 0;
  for (int p = 0; p < k; ++p) sum += A[i * k + p] * B[j * k + p];
  C[i * n + j] = sum;
}

void launch_product(const float* A, const float* B, float* C, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0 || m * k > most || k > most || m > 1000) {
    naive<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(A, B, C, m, n, k);
    CUDA_CHECK_LAUNCH();
    return;
  }
  void* a = nullptr;
  void* b = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&a, A_kept));
  CUDA_CHECK(cudaGetSymbolAddress(&b, B_kept));
  keep<<<(m * k + 255) / 256, 256>>>(A, static_cast<float*>(a), m * k);
  const int rows = most / k;
  for (int begin = 0; begin < n; begin += rows) {
    const int end = begin + rows < n ? begin + rows : n;
    keep<<<((end - begin) * k + 255) / 256, 256>>>(B + static_cast<size_t>(begin) * k,
                                                   static_cast<float*>(b), (end - begin) * k);
    multiply<<<dim3((end - begin + 31) / 32, m), 32>>>(C, m, n, k, begin, end);
    CUDA_CHECK_LAUNCH();
  }
}
