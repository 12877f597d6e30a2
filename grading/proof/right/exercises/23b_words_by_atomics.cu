// A right solution for 23b: words are written and read by atomic operations.
// expected: full marks

#include "check.hpp"

constexpr int block = 256;
constexpr int warps = block / 32;
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// What other tiles can read of a tile, in one word: how many it keeps, or how many are kept up to
// its end; and which of the two it is. A word of 0 says nothing yet.
using Word = unsigned long long;
constexpr unsigned nothing = 0, own_count = 1, prefix = 2;

__device__ void publish(Word* word, unsigned count, unsigned what) {
  atomicExch(word, static_cast<Word>(what) << 32 | count);
}
struct Published {
  unsigned count;
  unsigned what;
};
__device__ Published read(Word* word) {
  const Word value = atomicAdd(word, Word{0});
  return {static_cast<unsigned>(value), static_cast<unsigned>(value >> 32)};
}

// How many elements the tiles before this one keep. One thread calls it. It publishes what the
// others need, first of all what this tile keeps on its own.
__device__ unsigned look_back(Word* words, unsigned tile, unsigned own) {
  if (tile == 0) {
    publish(&words[0], own, prefix);
    return 0;
  }
  publish(&words[tile], own, own_count);
  unsigned before = 0;
  for (unsigned at = tile - 1;;) {
    const Published theirs = read(&words[at]);
    if (theirs.what == nothing) continue;  // look again
    before += theirs.count;
    if (theirs.what == prefix) break;
    --at;  // tile 0 knows its prefix, so this does not pass it
  }
  publish(&words[tile], before + own, prefix);
  return before;
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
  if (threadIdx.x == 0) drawn = atomicAdd(ticket, 1U);
  __syncthreads();
  const unsigned tile = drawn;
  const int i = static_cast<int>(tile * block + threadIdx.x);
  const int value = i < n ? x[i] : 0;
  const bool is_kept = i < n && value > limit;
  const unsigned keepers = __ballot_sync(all_lanes, is_kept);
  if (lane == 0) of_warps[warp] = __popc(keepers);
  __syncthreads();
  unsigned before_warp = 0;
  unsigned own = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < warp) before_warp += of_warps[w];
    own += of_warps[w];
  }
  if (threadIdx.x == 0) {
    before_tile = look_back(words, tile, own);
    if (tile == gridDim.x - 1) *count = static_cast<int>(before_tile + own);
  }
  __syncthreads();
  const unsigned before_me = __popc(keepers & ((1U << lane) - 1));
  if (is_kept) kept[before_tile + before_warp + before_me] = value;
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
