// Exercise 23b: the elements above a limit, in their order, in one launch.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 23b

#include <cuda/atomic>

#include "check.hpp"

constexpr int block = 256;
constexpr int warps = block / 32;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// What other tiles can read of a tile, in one word: how many it keeps, or how many are kept up to
// its end; and which of the two it is. A word of 0 says nothing yet.
using Word = unsigned long long;
constexpr unsigned nothing = 0, own_count = 1, prefix = 2;

__device__ void publish(Word* word, unsigned count, unsigned what) {
  const cuda::atomic_ref<Word, cuda::thread_scope_device> shared(*word);
  shared.store(static_cast<Word>(what) << 32 | count, cuda::memory_order_relaxed);
}
struct Published {
  unsigned count;
  unsigned what;
};
__device__ Published read(Word* word) {
  const cuda::atomic_ref<Word, cuda::thread_scope_device> shared(*word);
  const Word value = shared.load(cuda::memory_order_relaxed);
  return {static_cast<unsigned>(value), static_cast<unsigned>(value >> 32)};
}

// How many elements the tiles before this one keep. One thread calls it. It publishes what the
// others need, first of all what this tile keeps on its own.
__device__ unsigned look_back(Word* words, unsigned tile, unsigned own) {
  // TODO (15 lines): publish your own count. Go back from tile to tile and add up, until one
  // knows its prefix; a word may still say nothing. Then publish your prefix.
  return 0;
}

// Elements of x above `limit` go to `kept`, in their order, and *count becomes their number. One
// element per thread. *ticket and the words are 0 before.
__global__ void compact(const int* x, int n, int limit, int* kept, int* count, unsigned* ticket,
                        Word* words) {
  __shared__ unsigned drawn;
  __shared__ unsigned of_warps[warps];
  __shared__ unsigned before_tile;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  // TODO (22 lines): draw a tile. Load an element. Its place: the kept ones of the tiles
  // before this one, of the warps before this one, of the lanes before this one. The last tile
  // knows the count.
}

// All pointers are to device memory. n may be 0. kept has room for what is kept, and for nothing
// more; words for one per tile of 256 elements.
void launch_compact(const int* x, int n, int limit, int* kept, int* count, unsigned* ticket,
                    unsigned long long* words) {
  CUDA_CHECK(cudaMemset(count, 0, sizeof(int)));
  if (n == 0) return;
  const int tiles = (n - 1) / block + 1;
  CUDA_CHECK(cudaMemset(ticket, 0, sizeof(unsigned)));
  CUDA_CHECK(cudaMemset(words, 0, tiles * sizeof(Word)));
  compact<<<tiles, block>>>(x, n, limit, kept, count, ticket, words);
  CUDA_CHECK_LAUNCH();
}
