//@stub
//@ // Exercise 04a: how many of n points are near each of m others, tile by tile.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 04a
//@solution
// Exercise 04a: how many of n points are near each of m others, tile by tile. The model solution.
//
// Every thread needs all of q, so its block reads q together: a tile into shared memory, one
// barrier before it is used and one after. A point of p is used by one thread alone: it stays in a
// register.
//@end

#include "check.hpp"

constexpr int block = 128;    // threads a block
constexpr int tile = 256;     // points of q a tile
static_assert(tile > block);  // so each thread loads several

// count[i] = how many of the n points of q are nearer than r to p[i].
// p holds m points, q holds n, count has m elements.
__global__ void neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  //@stub
  //@ // TODO ({lines} lines): this thread's point; tile by tile, load together, wait, count, wait;
  //@ // the result. README.md says what a thread without a point has to do.
  //@solution
  __shared__ float2 q_tile[tile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // No early return: a thread without a point still helps to load the tiles.
  const float2 mine = i < m ? p[i] : make_float2(0.0F, 0.0F);
  int near = 0;
  for (int first = 0; first < n; first += tile) {
    const int width = min(tile, n - first);  // the last tile may be ragged
    for (int j = threadIdx.x; j < width; j += blockDim.x) q_tile[j] = q[first + j];
    __syncthreads();  // the tile is complete before anyone reads it
    for (int j = 0; j < width; ++j) {
      const float2 other = q_tile[j];  // one address for all lanes: a broadcast
      const float dx = other.x - mine.x;
      const float dy = other.y - mine.y;
      if (dx * dx + dy * dy < r * r) ++near;
    }
    __syncthreads();  // and read by all before anyone overwrites it
  }
  if (i < m) count[i] = near;
  //@end
}

// All pointers are to device memory. m may be 0, and so may n: then every count is 0.
void launch_neighbours(const float2* p, const float2* q, float r, int* count, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m - 1) / block + 1;
  neighbours<<<grid, block>>>(p, q, r, count, m, n);
  CUDA_CHECK_LAUNCH();
}
