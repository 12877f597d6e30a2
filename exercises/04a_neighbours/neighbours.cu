// Exercise 04a: how many of n points are near each of m others, tile by tile.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 04a

#include "check.hpp"

constexpr int block = 128;    // threads a block
constexpr int tile = 256;     // points of q a tile
static_assert(tile > block);  // so each thread loads several

// count[i] = how many of the n points of q are nearer than r to p[i].
// p holds m points, q holds n, count has m elements.
__global__ void neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  // TODO (17 lines): this thread's point; tile by tile, load together, wait, count, wait;
  // the result. README.md says what a thread without a point has to do.
}

// All pointers are to device memory. m may be 0, and so may n: then every count is 0.
void launch_neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m - 1) / block + 1;
  neighbours<<<grid, block>>>(p, q, r, count, m, n);
  CUDA_CHECK_LAUNCH();
}
