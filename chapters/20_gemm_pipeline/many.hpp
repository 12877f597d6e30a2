/// @file
/// A kernel for products that are small, thin or short: several small blocks on a multiprocessor.
///
/// Where a block has few terms to add up, most of its time goes into what it does not multiply in:
/// its first copies, its last terms, its tile of C. Here nobody tries to hide that within a block.
/// Four others or so are on the same multiprocessor, and are somewhere else in their work. The
/// hardware gives out the blocks, and a block computes one tile, or a share of its terms.
///
/// What is left is to issue little: the loop has no branch, so the compiler spreads its copies over
/// its multiply-adds, and C is written a row at a time, wherever rows begin.
#pragma once

#include <type_traits>

#include "plan.hpp"

namespace ours {

/// Several tiles, of which the model chooses one.
using ManyTiles = TileList<Tile<64, 64, 16, 8, 4, 3, 4>,    //
                           Tile<32, 128, 16, 4, 8, 3, 5>,   //
                           Tile<64, 128, 16, 8, 8, 3, 3>>;  //

/// Where a thread copies from and to: its share of a tile of A and of one of B, which go from step
/// to step. What lies beyond C's edges is not copied.
/// @tparam floats of B, at a time
template <class T, int floats>
class Route {
 public:
  /// @param row,col of the block's tile in C
  /// @param first   the block's first term
  __device__ Route(const Product& g, int row, int col, int first)
      : x_(static_cast<int>(threadIdx.x) % 8),
        y_(static_cast<int>(threadIdx.x) / lanes),
        A_(g.A + (row + threadIdx.x / 8) * g.lda + first + x_),
        B_(g.B + (first + y_) * g.ldb + col + threadIdx.x % lanes * floats),
        lda_(g.lda),
        ldb_(g.ldb),
        to_A_(x_ * T::pitch + static_cast<int>(threadIdx.x) / 8),
        to_B_(T::A_floats + y_ * T::cols + static_cast<int>(threadIdx.x) % lanes * floats) {
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
  __device__ void copy(float* stage) {
    go(
        stage, [](float* to, const float* from, int) { __pipeline_memcpy_async(to, from, 4); },
        [](float* to, const float* from, int) { __pipeline_memcpy_async(to, from, 4 * floats); });
    A_ += T::depth;
    B_ += T::depth * ldb_;
  }

  /// The same, but only so many terms are there: the others arrive as 0. (A copy of nothing goes to
  /// its address all the same.)
  __device__ void copy_some(float* stage, const Product& g, int terms) {
    go(
        stage,
        [&](float* to, const float* from, int term) {
          const bool there = term < terms;
          __pipeline_memcpy_async(to, there ? from : g.A, 4, there ? 0 : 4);
        },
        [&](float* to, const float* from, int term) {
          const bool there = term < terms;
          __pipeline_memcpy_async(to, there ? from : g.B, 4 * floats, there ? 0 : 4 * floats);
        });
    A_ += terms;
    B_ += terms * ldb_;
  }

 private:
  static constexpr int A_rows = T::threads / 8;  ///< at once
  static constexpr int A_rounds = T::rows / A_rows;
  static constexpr int lanes = T::cols / floats < 32 ? T::cols / floats : 32;  ///< of a row of B
  static constexpr int B_rows = T::threads / lanes;                            ///< at once
  static constexpr int B_pieces = T::cols / (lanes * floats);                  ///< of a row
  static_assert(T::rows % A_rows == 0 && T::depth % B_rows == 0 && T::depth % 8 == 0);

  template <class CopyA, class CopyB>
  __device__ void go(float* stage, CopyA copy_A, CopyB copy_B) const {
    const float* from = A_;
#pragma unroll
    for (int i = 0; i < A_rounds; ++i) {
#pragma unroll
      for (int p = 0; p < T::depth; p += 8) {
        if (A_there_[i]) copy_A(stage + to_A_ + p * T::pitch + i * A_rows, from + p, x_ + p);
      }
      from += A_rows * lda_;
    }
    from = B_;
#pragma unroll
    for (int p = 0; p < T::depth; p += B_rows) {
#pragma unroll
      for (int j = 0; j < B_pieces; ++j) {
        const int x = j * lanes * floats;
        if (B_there_[j]) copy_B(stage + to_B_ + p * T::cols + x, from + x, y_ + p);
      }
      from += B_rows * ldb_;
    }
  }

  int x_, y_;  // the thread's first term of A and of B
  const float* A_;
  const float* B_;
  std::int64_t lda_, ldb_;
  int to_A_, to_B_;  // in a stage
  bool A_there_[A_rounds];
  bool B_there_[B_pieces];
};

/// Each of a tile's blocks leaves its sums in memory.
/// @param blocks of the tile
/// @return whether all others have done so before
template <class T, class Sums>
__device__ bool leave_last(const Plan& plan, int tile, int rank, int blocks, const Sums& sums) {
  constexpr int floats = T::rows * T::cols;
  sums.leave(plan.parts + (std::int64_t{tile} * blocks + rank) * floats, plan.one);
  __threadfence();  // all others see these sums before they see the block counted
  __syncthreads();
  __shared__ bool last;
  if (threadIdx.x == 0) last = static_cast<int>(atomicAdd(plan.arrived + tile, 1U)) + 1 == blocks;
  __syncthreads();
  __threadfence();  // the last one sees what the others left
  if (last && threadIdx.x == 0) plan.arrived[tile] = 0;
  return last;
}

/// What all of them have left, added up in the order of the blocks, into shared memory as by
/// Sums::put(). So the result has the same bits every time.
template <class T, class Sums>
__device__ void add_up(const Plan& plan, int tile, int blocks, const Sums& sums, float* to,
                       int pitch) {
  constexpr int floats = T::rows * T::cols;
  constexpr int at_once = 4;
  // More would be on their way at once, but then nvcc finds no good registers for the inner loop.
  [[maybe_unused]] constexpr int parts_at_once = T::R == 4 ? 2 : 4;
  const float4* parts =
      reinterpret_cast<const float4*>(plan.parts + std::int64_t{tile} * blocks * floats) +
      threadIdx.x;
#pragma unroll 1
  for (int first = 0; first < Sums::fours; first += at_once) {
    float4 sum[at_once] = {};
#pragma unroll parts_at_once
    for (int p = 0; p < blocks; ++p) {
#pragma unroll
      for (int q = 0; q < at_once; ++q) {
        const float4 four = __ldcg(parts + p * (floats / 4) + (first + q) * T::threads);
        sum[q] =
            make_float4(sum[q].x + four.x, sum[q].y + four.y, sum[q].z + four.z, sum[q].w + four.w);
      }
    }
#pragma unroll
    for (int q = 0; q < at_once; ++q) {
      *reinterpret_cast<float4*>(to + sums.place_of_four(first + q, pitch)) = sum[q];
    }
  }
}

/// A tile from shared memory to C, a warp a row at a time: its lanes side by side.
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
  const auto write = [&](auto with_beta) {
#pragma unroll 4
    for (int y = warp; y < rows; y += warps) {
#pragma unroll
      for (int j = 0; j < pieces; ++j) {
        if (!there[j]) continue;
        const float sum = g.alpha * from[32 * j];
        if constexpr (decltype(with_beta)::value) {
          to[32 * j] = sum + g.beta * to[32 * j];
        } else {
          to[32 * j] = sum;
        }
      }
      from += warps * pitch;
      to += warps * g.ldc;
    }
  };
  if (g.beta != 0.0F) {
    write(std::true_type{});
  } else {
    write(std::false_type{});  // C is not read: it may hold anything
  }
}

/// Shared memory for the stages, and later for the tile of C.
template <class T>
constexpr int bytes_of_many = T::bytes > T::rows*(T::cols + 4) * 4 ? T::bytes
                                                                   : T::rows*(T::cols + 4) * 4;

/// @tparam floats of B, at a time; if more than one, n is a multiple of it
/// @tparam shared whether several blocks have a tile
/// @param blocks  that have a tile, one after the other
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
  // It is the very first step that has fewer terms. A branch for it in the loop would keep the
  // compiler from mixing copies with multiply-adds.
  const int fewer = g.k - (plan.steps - 1) * T::depth;
  Route<T, floats> route(g, row, col, begin == 0 ? 0 : fewer + (begin - 1) * T::depth);

  if (row + T::rows > g.m || col + T::cols > g.n) {
    // What is not copied is multiplied, too. Those sums are nobody's, but something must be there.
    for (int i = threadIdx.x; i < T::bytes / 16; i += T::threads) memory[i] = float4{};
    __syncthreads();
  }
  route.copy_some(stages, g, begin == 0 ? fewer : T::depth);
  __pipeline_commit();
#pragma unroll
  for (int s = 1; s < T::stages - 1; ++s) {
    if (begin + s < end) route.copy(stages + s * T::floats);
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
    if (step + T::stages - 1 < end) route.copy(stages + slot_ahead * T::floats);
    __pipeline_commit();
    slot_ahead = next(slot_ahead);
    sums.steps(stages + slot * T::floats);
    slot = next(slot);
  }

  constexpr int pitch = T::cols + 4;
  __syncthreads();  // all have read the stages
  if constexpr (shared) {
    if (!leave_last<T>(plan, tile, rank, blocks, sums)) return;
    add_up<T>(plan, tile, blocks, sums, stages, pitch);
  } else {
    sums.put(stages, pitch);
  }
  __syncthreads();
  write_rows<T>(g, stages, pitch, row, col);
}

}  // namespace ours
