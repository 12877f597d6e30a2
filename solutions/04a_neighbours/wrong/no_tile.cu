// caught by: efficient: a block loads each point of q once
// Right, but every warp fetches every point of q for itself: no shared memory at all.

#include "check.hpp"

constexpr int block = 128;    // threads a block
constexpr int tile = 256;     // points of q a tile
static_assert(tile > block);  // so each thread loads several

// count[i] = how many of the n points of q are nearer than r to p[i].
// p holds m points, q holds n, count has m elements.
__global__ void neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // No early return: a thread without a point still helps to load the tiles.
  const float2 mine = i < m ? p[i] : make_float2(0.0F, 0.0F);
  int near = 0;
  for (int j = 0; j < n; ++j) {
    const float2 other = q[j];
    const float dx = other.x - mine.x;
    const float dy = other.y - mine.y;
    if (dx * dx + dy * dy < r * r) ++near;
  }
  if (i < m) count[i] = near;
}

// All pointers are to device memory. m may be 0, and so may n: then every count is 0.
void launch_neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m - 1) / block + 1;
  neighbours<<<grid, block>>>(p, q, r, count, m, n);
  CUDA_CHECK_LAUNCH();
}
