// A right solution for 04a: a block's threads copy each tile together, by cooperative groups.
// expected: full marks

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "check.hpp"
namespace cg = cooperative_groups;

constexpr int threads = 128;
constexpr int points = 256;

__global__ void neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  __shared__ float2 tile[points];
  const auto block = cg::this_thread_block();
  const int i = blockIdx.x * threads + threadIdx.x;
  const float2 own = i < m ? p[i] : make_float2(0, 0);
  int found = 0;
  for (int begin = 0; begin < n; begin += points) {
    const int width = min(points, n - begin);
    cg::memcpy_async(block, tile, points, q + begin, width);
    cg::wait(block);
    for (int k = 0; k < width; ++k) {
      const float dx = tile[k].x - own.x;
      const float dy = tile[k].y - own.y;
      found += dx * dx + dy * dy < r * r ? 1 : 0;
    }
    block.sync();
  }
  if (i < m) count[i] = found;
}
void launch_neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  if (m == 0) return;
  neighbours<<<(m + threads - 1) / threads, threads>>>(p, q, r, count, m, n);
  CUDA_CHECK_LAUNCH();
}
