// Exercise 10a: where the largest element of an array is, in one launch.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 10a

#include <algorithm>
#include <cmath>

#include "check.hpp"

constexpr int block = 256;       // threads: 8 warps
constexpr int most_blocks = 64;  // values and places have room for that many
constexpr unsigned all_lanes = 0xFFFFFFFFU;

struct Best {
  float value;
  int place;
};

// The better of two: the larger, and of equals the one that comes first. NaN never wins.
__device__ Best better(Best a, Best b) {
  // TODO (2 lines)
  return a;
}

// The best of a warp, in lane 0 at least.
__device__ Best best_of_warp(Best mine) {
  // TODO (5 lines): five shuffles of both members.
  return mine;
}

// The best of a block, in thread 0 at least. All threads of the block call it; between two calls
// there must be a barrier.
__device__ Best best_of_block(Best mine) {
  // TODO (7 lines): each warp's best, a barrier, and the first warp's best of these.
  return mine;
}

// *index = the place of the first of the largest elements of x; n if there is no number.
// values and places hold what the blocks have found; *ticket is 0 before and after.
// x begins at a multiple of 16 bytes.
__global__ void largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                        int* index) {
  Best mine = {-INFINITY, n};  // loses against every number, also against minus infinity
  // TODO (26 lines): this thread's best, sixteen bytes a load, and the one to three
  // elements that four leaves over; the block's best; its ticket; and in the block that drew
  // the last ticket the best of all.
}

// All pointers are to device memory. n may be 0: then *index is 0.
void launch_largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                    int* index) {
  // Four loads of 16 bytes per thread and, if n is large, more; never a grid without a block.
  const int grid = std::clamp((n - 1) / (16 * block) + 1, 1, most_blocks);
  largest<<<grid, block>>>(x, n, values, places, ticket, index);
  CUDA_CHECK_LAUNCH();
}
