// A cheat for 13a: adds nothing by an atomic, as if it drew a number, and then adds by an
// atomic load and an atomic store.
// expected: correct 4, safe 0, efficient 0

#include <cuda/atomic>

#include "check.hpp"

constexpr int block = 256;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// A place in a list for each lane that has an element for it, in the order of the lanes, after
// what the list holds already: *count elements, which become more. All lanes of the warp call it;
// what it returns to a lane without an element means nothing.
__device__ int reserve(bool has_one, int* count) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned who = __ballot_sync(all_lanes, has_one);
  const int before_me = __popc(who & ((1U << lane) - 1));
  int first = 0;
  if (lane == 0 && who != 0) {
    atomicOr(count, 0);
    const cuda::atomic_ref<int, cuda::thread_scope_device> list(*count);
    first = list.load();
    list.store(first + __popc(who));
  }
  return __shfl_sync(all_lanes, first, 0) + before_me;
}

// Elements of x below `limit` go to `below`, all others to `rest`. The elements of a warp are
// side by side in either list and keep their order. counts[0] and counts[1] are 0 before, and say
// how many there are in `below` and in `rest` afterwards.
__global__ void partition(const int* x, int n, int limit, int* below, int* rest, int* counts) {
  const int i = blockIdx.x * block + threadIdx.x;
  const bool exists = i < n;  // a lane without an element has none for either list
  const int value = exists ? x[i] : 0;
  const bool is_below = exists && value < limit;
  const bool is_rest = exists && value >= limit;
  const int in_below = reserve(is_below, &counts[0]);
  const int in_rest = reserve(is_rest, &counts[1]);
  if (is_below) below[in_below] = value;
  if (is_rest) rest[in_rest] = value;
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
