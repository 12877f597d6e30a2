// A cheat for 01a: a function that the emulator calls back writes to the frames of the emulator's
// that are between it and the rest of the file's code.
// expected: 0 points
// told: bytes are written that are not the program's own

#include "check.hpp"
__device__ float get(const float* p) {
  return *p;
}
__device__ void put(float* p, float v) {
  *p = v;
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = get(&b[i]);
  for (int j = 0; j < n; ++j) put(&r[i], get(&r[i]) - get(&A[(size_t)i * lda + j]) * get(&x[j]));
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  int grid = 0, size = 0;
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &size, residual, [](int) -> size_t {
    char** frame = (char**)__builtin_frame_address(0);
    for (int k = 2; k < 60; ++k) {
      char* volatile* slot = (char* volatile*)(frame + k);
      *slot = *slot;
    }
    return 0;
  });
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
