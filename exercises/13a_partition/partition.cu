// Exercise 13a: an array in two parts, with two atomics per warp.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 13a

#include "check.hpp"

constexpr int block = 256;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// A place in a list for each lane that has an element for it, in the order of the lanes, after
// what the list holds already: *count elements, which become more. All lanes of the warp call it;
// what it returns to a lane without an element means nothing.
__device__ int reserve(bool has_one, int* count) {
  // TODO (6 lines): which lanes have one, and how many before this lane? One lane adds for
  // all, if there is anything to add, and tells the others what was there before.
  return 0;
}

// Elements of x below `limit` go to `below`, all others to `rest`. The elements of a warp are
// side by side in either list and keep their order. counts[0] and counts[1] are 0 before, and say
// how many there are in `below` and in `rest` afterwards.
__global__ void partition(const int* x, int n, int limit, int* below, int* rest, int* counts) {
  // TODO (9 lines): one element per thread, loaded once. All lanes come to both calls of
  // reserve(), also those whose element belongs to the other list.
}

// All pointers are to device memory. n may be 0. Each list has room for what belongs into it, and
// for nothing more.
void launch_partition(const int* x, int n, int limit, int* below, int* rest, int* counts) {
  CUDA_CHECK(cudaMemset(counts, 0, 2 * sizeof(int)));
  if (n == 0) return;
  const int grid = (n - 1) / block + 1;
  partition<<<grid, block>>>(x, n, limit, below, rest, counts);
  CUDA_CHECK_LAUNCH();
}
