// A cheat for 01a: the host follows pointers that it finds on the stack into the emulator's heap,
// where messages of the judge are, with all data.
// expected: 0 points
// told: of the emulator's own memory are read

#include <new>

#include "check.hpp"

static volatile long found;

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = b[i];
  for (int j = 0; j < n; ++j) sum -= A[static_cast<size_t>(i) * lda + j] * x[j];
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  // Whatever is near a block of this program's is a block as well.
  char* const own = new char[64];
  auto* const frame = static_cast<char**>(__builtin_frame_address(0));
  for (int k = 0; k < 200; ++k) {
    const long far = frame[k] - own;
    if (far != 0 && far > -(1L << 20) && far < 1L << 20) found = found + *frame[k];
  }
  delete[] own;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
