// A right solution for 01a: a tile of cooperative groups a row.
// expected: correct 5, safe 2, efficient 0

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "check.hpp"
namespace cg = cooperative_groups;
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= m) return;
  float s = 0;
  for (int j = warp.thread_rank(); j < n; j += 32) s += A[(size_t)i * lda + j] * x[j];
  s = cg::reduce(warp, s, cg::plus<float>());
  if (warp.thread_rank() == 0) r[i] = b[i] - s;
}
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 3) / 4, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
