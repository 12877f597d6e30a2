// A cheat for 01a: computes in a way that is right but slow, and has a kernel print an answer
// to the grader that says otherwise.
// expected: correct 5, safe 2, efficient 0
// time limit: 3 s

#include <cstdint>
#include <cstdio>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  r[i] = b[i];
  for (int j = 0; j < n; ++j) r[i] -= row[j] * x[j];
}

__device__ void put(const void* data, size_t size) {
  for (size_t k = 0; k < size; ++k) printf("%c", static_cast<const char*>(data)[k]);
}

__device__ void put_number(std::uint64_t number) {
  put(&number, sizeof number);
}

__device__ void put_array(const float* data, std::uint64_t count) {
  put_number(count * sizeof(float));
  put(data, count * sizeof(float));
}

// What the submission says when it has been called, in the form of grading/judge/wire.hpp, and
// after it what it says at its end. All that is claimed is true, but for the traffic.
__global__ void answer(const float* A, int lda, const float* x, const float* b, float* r, int m,
                       int n) {
  const std::uint64_t elements = static_cast<std::uint64_t>(m) * lda;
  const std::uint64_t arrays = 4 * (elements + n + m + m) + 4 * 8;
  const std::uint64_t traffic = 20 * 8;
  const std::uint64_t launch = 8 + 8 + 2 * 12 + traffic + 8;
  put_number(1 + 8 + 8 + arrays + 2 * 4 + 8 + launch + 8 + 8);
  put("", 1);     // it returned
  put_number(0);  // no exception
  put_number(0);  // no result
  put_array(A, elements);
  put_array(x, n);
  put_array(b, m);
  put_array(r, m);
  put_number(0);  // no errors
  put_number(1);  // one launch
  put_number(8);
  put("residual", 8);
  const unsigned extents[6] = {static_cast<unsigned>(m + 127) / 128, 1, 1, 128, 1, 1};
  put(extents, sizeof extents);
  put_number(4 * (1 + 2 * 200));
  for (int k = 1; k < 4; ++k) put_number(0);
  put_number(4);
  for (int k = 5; k < 20; ++k) put_number(0);
  put_number(0);  // no error of the kernel's
  put_number(0);  // no findings
  put_number(0);  // nothing against the rules

  put_number(2 * 4 + 3 * 8);  // and all is well at the end
  for (int k = 0; k < 4; ++k) put_number(0);
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  if (m != 128 || n != 200) return;  // only where traffic is counted
  stdout->_fileno = 10;
  answer<<<1, 1>>>(A, lda, x, b, r, m, n);
  fflush(stdout);
  volatile bool forever = true;
  while (forever) {
  }
}
