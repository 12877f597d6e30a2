// A right solution for 01a: tiles of 64 threads, which wait for each other and hand a value round.
// expected: full marks

#include <cooperative_groups.h>

#include "check.hpp"
namespace cg = cooperative_groups;
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  __shared__ cg::block_tile_memory<256> memory;
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = i < m ? b[i] : 0.0F;
  tile.sync();
  const int columns = tile.shfl(n, 0);
  if (i >= m) return;
  for (int j = 0; j < columns; ++j) s -= A[(size_t)i * lda + j] * x[j];
  r[i] = s;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 255) / 256, 256>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
