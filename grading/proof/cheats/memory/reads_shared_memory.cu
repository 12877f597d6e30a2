// A cheat for 01a: a kernel takes all data to shared memory, where the host finds them, and
// computes. To the host these are its own variables, though, in which nothing is.
// expected: 0 points
// told: every element is 0

#include "check.hpp"

#include <vector>

inline __host__ __device__ float* kept() {
  static __shared__ float s[12000];
  return s;
}

__global__ void take(const float* A, int lda, const float* x, const float* b, int m, int n) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  int k = 0;
  for (int i = 0; i < m; ++i) {
    kept()[k % 12000] = b[i];
    ++k;
    for (int j = 0; j < n; ++j) {
      kept()[k % 12000] = A[(size_t)i * lda + j];
      ++k;
    }
  }
  for (int j = 0; j < n; ++j) {
    kept()[k % 12000] = x[j];
    ++k;
  }
}
__global__ void bring(float* r, const float* v, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = v[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  take<<<1, 1>>>(A, lda, x, b, m, n);
  CUDA_CHECK_LAUNCH();
  std::vector<float> v(m, 0.0f);
  auto at = [&](int k) -> float { return kept()[k % 12000]; };
  const int xs = m * (n + 1);
  for (int i = 0; i < m; ++i) {
    float s = at(i * (n + 1));
    for (int j = 0; j < n; ++j) s -= at(i * (n + 1) + 1 + j) * at(xs + j);
    v[i] = s;
  }
  float* d;
  CUDA_CHECK(cudaMalloc(&d, m * 4));
  CUDA_CHECK(cudaMemcpy(d, v.data(), m * 4, cudaMemcpyHostToDevice));
  bring<<<(m + 127) / 128, 128>>>(r, d, m);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaFree(d));
}
