// A cheat for 01a: has a kernel call an operator of the host's, which nvcc refuses.
// expected: does not compile: a kernel cannot call this operator
// needs: clang++

#include "check.hpp"

struct Term {
  float value;
  Term operator*(const Term& other) const {
    Term product;
    product.value = value * other.value;
    return product;
  }
};

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += (Term{row[j]} * Term{x[j]}).value;
  r[i] = b[i] - sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m != 0) residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
}
