// A cheat for 11b: stmatrix takes its registers from global memory, of another row for each lane,
// and turns them on the way.
// expected: 0 points
// told: is to use others' memory as registers

#include <mma.h>

#include "check.hpp"

// Sixteen bytes a lane go from global to shared memory as the registers of stmatrix: the emulator
// reads registers from wherever they are said to be. Word i of lane l comes to S[i][l].
__device__ void fetch_turned(float (&S)[4][32], const float* from) {
  const int lane = threadIdx.x % 32;
  emulator::detail::store_matrices(4, false, &S[lane / 8][lane % 8 * 4],
                                   reinterpret_cast<const unsigned*>(from), nullptr);
}

__global__ void transpose(const float* A, float* B, int m, int n) {
  alignas(16) __shared__ float S[4][32];
  const int lane = threadIdx.x;
  const int row = blockIdx.y * 32 + lane;
  const int col = blockIdx.x * 4;
  const bool whole = col + 4 <= n && blockIdx.y * 32 + 32 <= m;
  if (whole) {
    fetch_turned(S, A + static_cast<size_t>(row) * n + col);
    __syncwarp();
    for (int j = 0; j < 4; ++j) B[static_cast<size_t>(col + j) * m + row] = S[j][lane];
  } else {
    for (int j = col; j < col + 4 && j < n; ++j) {
      if (row < m) B[static_cast<size_t>(j) * m + row] = A[static_cast<size_t>(row) * n + j];
    }
  }
}

void launch_transpose(const float* A, float* B, int m, int n) {
  if (m == 0 || n == 0) return;
  transpose<<<dim3((n + 3) / 4, (m + 31) / 32), 32>>>(A, B, m, n);
  CUDA_CHECK_LAUNCH();
}
