// Chapter 25, third lesson: merging by diagonals. Two sorted runs are merged by many threads, each
// of which makes equally many keys of the result.
#pragma once

#include "network.hpp"

// How many of the first `diagonal` keys of the merged result come from a (m keys, in order); the
// others come from b (n keys). Draw a as a column and b as a row: the result is a path that goes
// down or to the right, and its first `diagonal` steps end on a diagonal. Of equal keys those of a
// come first, so a merge is stable.
template <class Order, class Key, class Size>
__device__ Size merge_path(const Key* a, Size m, const Key* b, Size n, Size diagonal) {
  Size least = diagonal > n ? diagonal - n : 0, most = diagonal < m ? diagonal : m;
  while (least < most) {
    const Size middle = least + (most - least) / 2;
    const bool a_first = !(Order::bits(b[diagonal - 1 - middle]) < Order::bits(a[middle]));
    if (a_first) {
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  return least;
}

constexpr int merge_threads = 256, merge_items = 7;  // odd: threads begin in different banks
constexpr int merge_tile = merge_threads * merge_items;

// Merges runs in pairs: of `length` keys each, from runs to merged. A block makes merge_tile keys
// of the result: it finds where on the path they begin and end, reads both parts, and its threads
// do the same with seven keys each.
template <class Order>
__global__ void __launch_bounds__(merge_threads)
    merge_pairs_of_runs(const typename Order::Key* runs, typename Order::Key* merged, size_t n,
                        size_t length, unsigned tiles_a_pair) {
  using Key = typename Order::Key;
  __shared__ Key tile[merge_tile];
  __shared__ size_t ends[2];
  const size_t first = blockIdx.x / tiles_a_pair * 2 * length;  // of this pair
  const size_t m = min(length, n - first), b_first = first + m;
  const size_t b_count = min(length, n - b_first);
  const size_t from = min(blockIdx.x % tiles_a_pair * size_t{merge_tile}, m + b_count);
  const size_t to = min(from + merge_tile, m + b_count);
  const Key *const a = runs + first, *const b = runs + b_first;
  if (threadIdx.x < 2) {
    ends[threadIdx.x] = merge_path<Order>(a, m, b, b_count, threadIdx.x == 0 ? from : to);
  }
  __syncthreads();
  const size_t a_from = ends[0], b_from = from - a_from;
  const int count = static_cast<int>(to - from), of_a = static_cast<int>(ends[1] - a_from);
  for (int i = threadIdx.x; i < count; i += merge_threads) {
    tile[i] = i < of_a ? a[a_from + i] : b[b_from + i - of_a];
  }
  __syncthreads();

  const int mine = min(static_cast<int>(threadIdx.x) * merge_items, count);
  int i = merge_path<Order>(tile, of_a, tile + of_a, count - of_a, mine);
  int j = of_a + mine - i;
  Key key[merge_items];
#pragma unroll
  for (int k = 0; k < merge_items; ++k) {
    if (mine + k >= count) break;
    const bool from_a = j >= count || (i < of_a && !(Order::bits(tile[j]) < Order::bits(tile[i])));
    key[k] = tile[from_a ? i++ : j++];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < merge_items; ++k) {
    if (mine + k < count) tile[mine + k] = key[k];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < count; k += merge_threads) merged[first + from + k] = tile[k];
}
