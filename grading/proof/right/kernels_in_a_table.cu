// A right solution for 01a: kernels in containers, picked when they are launched.
// expected: full marks

#include <map>
#include <vector>

#include "check.hpp"

using Kernel = void (*)(const float*, int, const float*, const float*, float*, int, int);

template <int unroll>
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = b[i];
#pragma unroll unroll
  for (int j = 0; j < n; ++j) sum -= A[static_cast<size_t>(i) * lda + j] * x[j];
  r[i] = sum;
}

struct Rung {
  const char* name;
  Kernel kernel;
};

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  const int blocks = (m + 127) / 128;
  const std::vector<Kernel> kernels{residual<1>, residual<2>};
  const std::map<int, Rung> rungs{{4, {"four", residual<4>}}};
  if (n % 3 == 0) {
    kernels.at(n % 2)<<<blocks, 128>>>(A, lda, x, b, r, m, n);
  } else if (n % 3 == 1) {
    kernels[n % 2]<<<blocks, 128>>>(A, lda, x, b, r, m, n);
  } else {
    rungs.at(4).kernel<<<blocks, 128>>>(A, lda, x, b, r, m, n);
  }
  CUDA_CHECK_LAUNCH();
}
