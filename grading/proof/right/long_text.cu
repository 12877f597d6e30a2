// A right solution for 01a: streams and exceptions with texts that are longer than a small string.
// expected: full marks

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += A[static_cast<size_t>(i) * lda + j] * x[j];
  r[i] = b[i] - sum;
}

static std::string last;

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m - 1) / 128 + 1, 128>>>(A, lda, x, b, r, m, n);
  const cudaError_t error = cudaGetLastError();
  std::ostringstream text;
  text << "the launch of residual with " << m << " x " << n << ": " << cudaGetErrorString(error);
  std::istringstream words(text.str());
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(word + " and more than sixteen characters");
  std::clog << all.size() << std::endl;
  try {
    if (error == cudaSuccess) throw std::runtime_error(text.str());
  } catch (const std::exception& caught) {
    last = caught.what();
  }
}
