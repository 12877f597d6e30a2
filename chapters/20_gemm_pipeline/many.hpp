/// @file
/// A kernel for products that are small, thin or short: several small blocks on a multiprocessor.
///
/// Where a block has few terms to add up, most of its time is not multiplication: its first copies,
/// its last terms, its tile of C. Here a block does not try to hide that itself. Four or so other
/// blocks are on the same multiprocessor, each at another point of its work. The hardware
/// distributes the blocks, and a block computes one tile, or a share of its terms.
///
/// What remains is to issue few instructions: the loop has no branch, so the compiler spreads its
/// copies over its multiply-adds, and C is written a row at a time, wherever rows begin. Where
/// several blocks share a tile, no block waits for another: a second kernel adds up their sums.
#pragma once

#include "early.hpp"
#include "epilogue.hpp"

namespace ours {

/// Several tiles, of which the model chooses one.
using ManyTiles = TileList<Tile<64, 64, 16, 8, 4, 3, 5>,   //
                           Tile<32, 128, 16, 4, 8, 3, 5>,  //
                           Tile<64, 128, 8, 8, 8, 4, 4>,   //
                           Tile<128, 32, 16, 8, 4, 3, 5>>;

/// A thread's sources and targets: its share of a tile of A and of one of B, which advance from
/// step to step. What is beyond C's edges is not copied.
/// @tparam floats of B, per copy
template <class T, int floats>
class ThreadCopy {
 public:
  /// @param row,col of the block's tile in C
  /// @param first   the block's first term
  /// @param stages  in shared memory
  __device__ ThreadCopy(const Product& g, int row, int col, int first, const float* stages)
      : x_(static_cast<int>(threadIdx.x) % 8),
        y_(static_cast<int>(threadIdx.x) / lanes),
        A_(g.A + (row + threadIdx.x / 8) * g.lda + first + x_),
        B_(g.B + (first + y_) * g.ldb + col + threadIdx.x % lanes * floats),
        lda_(g.lda),
        ldb_(g.ldb),
        to_A_(shared_address(stages + x_ * T::pitch + threadIdx.x / 8)),
        to_B_(shared_address(stages + T::A_floats + y_ * T::cols + threadIdx.x % lanes * floats)) {
#pragma unroll
    for (int i = 0; i < A_rounds; ++i) {
      A_there_[i] = row + static_cast<int>(threadIdx.x) / 8 + i * A_rows < g.m;
    }
#pragma unroll
    for (int j = 0; j < B_pieces; ++j) {
      B_there_[j] = col + (static_cast<int>(threadIdx.x) % lanes + j * lanes) * floats < g.n;
    }
  }

  /// The terms of a whole step.
  __device__ void copy(int stage) {
    for_each_copy(
        stage, [](std::uint32_t to, const float* from, int) { copy_async<4>(to, from); },
        [](std::uint32_t to, const float* from, int) { copy_async<4 * floats>(to, from); });
    A_ += T::depth;
    B_ += T::depth * ldb_;
  }

  /// The same, but with only this many terms: the others arrive as 0. (A copy of no bytes still
  /// looks up its source address, which must be valid.)
  __device__ void copy_some(const Product& g, int terms) {
    for_each_copy(
        0,
        [&](std::uint32_t to, const float* from, int term) {
          const bool there = term < terms;
          copy_async<4>(to, there ? from : g.A, there ? 4 : 0);
        },
        [&](std::uint32_t to, const float* from, int term) {
          const bool there = term < terms;
          copy_async<4 * floats>(to, there ? from : g.B, there ? 4 * floats : 0);
        });
    A_ += terms;
    B_ += terms * ldb_;
  }

 private:
  static constexpr int A_rows = T::threads / 8;  ///< per round
  static constexpr int A_rounds = T::rows / A_rows;
  static constexpr int lanes = T::cols / floats < 32 ? T::cols / floats : 32;  ///< per row of B
  static constexpr int B_rows = T::threads / lanes;                            ///< per round
  static constexpr int B_pieces = T::cols / (lanes * floats);                  ///< per row
  static_assert(T::rows % A_rows == 0 && T::depth % B_rows == 0 && T::depth % 8 == 0);

  template <class CopyA, class CopyB>
  __device__ void for_each_copy(int stage, CopyA copy_A, CopyB copy_B) const {
    const std::uint32_t to_A = to_A_ + stage * T::floats * 4;
    const std::uint32_t to_B = to_B_ + stage * T::floats * 4;
    const float* from = A_;
#pragma unroll
    for (int i = 0; i < A_rounds; ++i) {
#pragma unroll
      for (int p = 0; p < T::depth; p += 8) {
        if (A_there_[i]) copy_A(to_A + (p * T::pitch + i * A_rows) * 4, from + p, x_ + p);
      }
      from += A_rows * lda_;
    }
    from = B_;
#pragma unroll
    for (int p = 0; p < T::depth; p += B_rows) {
#pragma unroll
      for (int j = 0; j < B_pieces; ++j) {
        const int x = j * lanes * floats;
        if (B_there_[j]) copy_B(to_B + (p * T::cols + x) * 4, from + x, y_ + p);
      }
      from += B_rows * ldb_;
    }
  }

  int x_, y_;  // the thread's first term of A and of B
  const float* A_;
  const float* B_;
  std::int64_t lda_, ldb_;
  std::uint32_t to_A_, to_B_;  // in shared memory, of the first stage
  bool A_there_[A_rounds];
  bool B_there_[B_pieces];
};

/// A tile from shared memory to C, one warp per row at a time: its lanes side by side.
template <class T>
__device__ void write_rows(const Product& g, const float* tile, int pitch, int row, int col) {
  constexpr int warps = T::threads / 32;
  constexpr int pieces = T::cols / 32;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int rows = min(T::rows, g.m - row);
  bool there[pieces];
#pragma unroll
  for (int j = 0; j < pieces; ++j) there[j] = col + lane + 32 * j < g.n;
  const float* from = tile + warp * pitch + place_of_column<true>(lane);
  float* to = g.C + (row + warp) * g.ldc + col + lane;
  // Old values of several rows are in flight together. With beta = 0, C is not read: it may hold
  // anything.
  constexpr int at_once = 4;
  for (int y = warp; y < rows; y += at_once * warps) {
    float old[at_once][pieces] = {};
    const auto for_own = [&](auto visit) {
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
#pragma unroll
        for (int j = 0; j < pieces; ++j) {
          if (there[j] && y + i * warps < rows) visit(i, j, to + i * warps * g.ldc + 32 * j);
        }
      }
    };
    if (g.beta != 0.0F) {
      for_own([&](int i, int j, const float* c) { old[i][j] = *c; });
    }
    for_own([&](int i, int j, float* c) {
      const float sum = g.alpha * from[i * warps * pitch + 32 * j];
      *c = g.beta != 0.0F ? sum + g.beta * old[i][j] : sum;
    });
    from += at_once * warps * pitch;
    to += at_once * warps * g.ldc;
  }
}

/// Shared memory for the stages, and later for the tile of C.
template <class T>
constexpr int bytes_of_many = T::bytes > T::rows*(T::cols + 4) * 4 ? T::bytes
                                                                   : T::rows*(T::cols + 4) * 4;

/// @tparam floats of B, per copy; if more than one, n is a multiple of it
/// @tparam shared whether several blocks share a tile
/// @param blocks  per tile, with consecutive numbers
template <class T, int floats, bool shared>
__global__ void __launch_bounds__(T::threads, T::resident)
    gemm_many(const Product g, const Plan plan, const int blocks) {
  extern __shared__ float4 memory[];
  float* stages = reinterpret_cast<float*>(memory);
  const int tile = shared ? blockIdx.x / blocks : blockIdx.x;
  const int rank = shared ? blockIdx.x % blocks : 0;
  const int2 place = plan.place_of(tile);
  const int row = place.x * T::rows;
  const int col = place.y * T::cols;
  const auto begin_of = [&](int block) {
    return static_cast<int>(std::int64_t{plan.steps} * block / blocks);
  };
  const int begin = shared ? begin_of(rank) : 0;
  const int end = shared ? begin_of(rank + 1) : plan.steps;
  // The very first step is the one with fewer terms. A branch for it in the loop would prevent the
  // compiler from mixing copies with multiply-adds.
  const int fewer = g.k - (plan.steps - 1) * T::depth;
  ThreadCopy<T, floats> copies(g, row, col, begin == 0 ? 0 : fewer + (begin - 1) * T::depth,
                               stages);

  if (!shared && g.beta != 0.0F) prefetch_C<T, T::threads>(g, row, col, threadIdx.x);
  if (row + T::rows > g.m || col + T::cols > g.n) {
    // The product also reads what is never copied. Its sums are discarded, but must be defined.
    for (int i = threadIdx.x; i < T::bytes / 16; i += T::threads) memory[i] = float4{};
    __syncthreads();
  }
  copies.copy_some(g, begin == 0 ? fewer : T::depth);
  __pipeline_commit();
#pragma unroll
  for (int s = 1; s < T::stages - 1; ++s) {
    if (begin + s < end) copies.copy(s);
    __pipeline_commit();
  }

  Sums<T, true> sums;
  sums.clear();
  int slot = 0;
  int slot_ahead = T::stages - 1;
  const auto next = [](int s) { return s + 1 == T::stages ? 0 : s + 1; };
  for (int step = begin; step < end; ++step) {
    __pipeline_wait_prior(T::stages - 2);
    __syncthreads();
    if (step + T::stages - 1 < end) copies.copy(slot_ahead);
    __pipeline_commit();
    slot_ahead = next(slot_ahead);
    sums.steps(stages + slot * T::floats);
    slot = next(slot);
  }

  if constexpr (shared) {
    launch_dependents();
    sums.put(plan.parts + (std::int64_t{tile} * blocks + rank) * (T::rows * T::cols), T::cols);
  } else {
    constexpr int pitch = T::cols + 4;
    __syncthreads();  // all threads have read the stages
    sums.put(stages, pitch);
    __syncthreads();
    write_rows<T>(g, stages, pitch, row, col);
  }
}

constexpr int reduction_threads = 256;  ///< threads of a block of add_parts()

/// The partial sums of each tile's blocks are added up in an order that depends only on their
/// number: so the result has the same bits every time. Several blocks per tile.
/// @tparam groups of threads, if parts are many: each adds up every `groups`-th part, four elements
///     per thread, and the first group adds up what the groups have
/// @param blocks that shared a tile
template <class T, int groups>
__global__ void __launch_bounds__(reduction_threads)
    add_parts(const Product g, const Plan plan, const int blocks, const bool wide) {
  constexpr int floats = T::rows * T::cols;
  constexpr int threads = reduction_threads / groups;  // of a group
  constexpr int for_a_tile = floats / (4 * threads);   // blocks
  static_assert(floats % (4 * threads) == 0);
  const int thread = threadIdx.x % threads;
  const int group = threadIdx.x / threads;
  const int tile = blockIdx.x / for_a_tile;
  const int first = (blockIdx.x % for_a_tile * threads + thread) * 4;  // in the tile
  const int2 place = plan.place_of(tile);
  const int row = place.x * T::rows + first / T::cols;
  const int col = place.y * T::cols + first % T::cols;
  const bool there = row < g.m && col < g.n;
  const float4* part =
      reinterpret_cast<const float4*>(plan.parts + std::int64_t{tile} * blocks * floats + first);
  wait_for_dependencies();
  float* c = g.C + row * g.ldc + col;
  float4 old = {};
  if (group == 0 && there && wide && g.beta != 0.0F && col + 4 <= g.n) {
    old = *reinterpret_cast<const float4*>(c);
  }
  float4 sum = {};
#pragma unroll 8  // this many are in flight at once
  for (int p = group; there && p < blocks; p += groups) {
    sum = plus(sum, __ldcg(part + p * (floats / 4)));
  }
  if constexpr (groups > 1) {
    __shared__ float4 sums[groups][threads];
    sums[group][thread] = sum;
    __syncthreads();
    if (group > 0) return;
#pragma unroll
    for (int other = 1; other < groups; ++other) sum = plus(sum, sums[other][thread]);
  }
  if (!there) return;
  sum = times(g.alpha, four_sums<true>(&sum.x));  // put() has not changed their order
  write_four(c, sum, g.n - col, wide, g.beta, old);
}

}  // namespace ours
