/// @file
/// Kernels for matrices that are small, thin, or begin anywhere: a warp's lanes stand side by side.
///
/// In sums.hpp a thread has four neighbours of a row, and loads and stores 16 bytes at once: that
/// wants rows that begin on 16 bytes. Here lane 0 has column 0, lane 1 column 1, and each has
/// every 32nd column. So a warp's loads and stores are whole lines wherever a row begins. A needs
/// no turning: all lanes want the same rows of it, and one load brings four steps of a row to all.
#pragma once

#include "plan.hpp"

namespace ours {

/// A warp computes R x 32 C of C, a block has down x across warps. `resident`: blocks that a
/// multiprocessor is to have.
template <int R_, int C_, int down_, int across_, int depth_, int stages_, int resident_>
struct LaneTile {
  static constexpr int R = R_, C = C_, down = down_, depth = depth_, stages = stages_;
  static constexpr int rows = R * down, cols = 32 * C * across_;
  static constexpr int threads = 32 * down * across_;
  static constexpr int resident = resident_;
  static constexpr int A_floats = rows * depth;
  static constexpr int floats = A_floats + depth * cols;  ///< of a stage
  static constexpr int bytes = stages * floats * 4;
  static_assert(depth % 4 == 0);
};

/// Several tiles, of which the model chooses one.
template <class... Tiles>
struct TileList {};

using LaneTiles = TileList<LaneTile<16, 4, 4, 2, 16, 5, 2>,  // 64 x 256
                           LaneTile<8, 4, 2, 2, 32, 3, 2>,   // 16 x 256
                           LaneTile<8, 4, 1, 4, 16, 3, 2>>;  // 8 x 512

/// A thread's share of a tile of a row-major matrix, in pieces of so many floats. What lies beyond
/// an edge arrives as 0.
/// @param from the tile's first element
/// @param anywhere an address that may be read
template <int rows, int cols, int threads, int floats>
__device__ void copy_piece_by_piece(float* tile, const float* from, std::int64_t ld, int rows_left,
                                    int cols_left, const float* anywhere) {
  constexpr int in_row = cols / floats;
  constexpr int pieces = in_row < threads ? in_row : threads;  // of a row, at once
  constexpr int at_once = threads / pieces;                    // rows
  constexpr int rounds = (rows + at_once - 1) / at_once;
  static_assert(threads % pieces == 0 && in_row % pieces == 0);
  const int x = static_cast<int>(threadIdx.x) % pieces * floats;
  const int y = static_cast<int>(threadIdx.x) / pieces;
  const bool inside = rows <= rows_left && cols <= cols_left;  // the whole tile
  from += y * ld + x;
  float* to = tile + y * cols + x;
#pragma unroll 8
  for (int p = 0; p < rounds; ++p) {
    if (rows % at_once != 0 && y + p * at_once >= rows) break;
#pragma unroll
    for (int i = 0; i < cols; i += pieces * floats) {
      int there = floats;
      if (!inside) there = y + p * at_once < rows_left ? cols_left - x - i : 0;
      copy_some<floats>(to + p * at_once * cols + i, there > 0 ? from + i : anywhere, there);
    }
    from += at_once * ld;
  }
}

/// A thread's sums: R rows, and C columns that lie 32 apart.
template <class T>
class LaneSums {
 public:
  __device__ LaneSums() {
    const int warp = threadIdx.x / 32;
    row_ = warp % T::down * T::R;
    col_ = warp / T::down * 32 * T::C + threadIdx.x % 32;
  }

  __device__ void clear() {
#pragma unroll
    for (auto& row : sum_) {
#pragma unroll
      for (float& s : row) s = 0.0F;
    }
  }

  /// The terms of a stage that has `left` steps, four at a time: all lanes get four of a row of A
  /// by one load.
  __device__ void steps(const float* stage, int left) {
    const float* A = stage + row_ * T::depth;
    const float* B = stage + T::A_floats + col_;
#pragma unroll 1
    for (int p = 0; p < left; p += 4) {
      float b[4][T::C];
#pragma unroll
      for (int q = 0; q < 4; ++q) {
#pragma unroll
        for (int j = 0; j < T::C; ++j) b[q][j] = B[(p + q) * T::cols + 32 * j];
      }
#pragma unroll
      for (int i = 0; i < T::R; ++i) {
        const float4 four = *reinterpret_cast<const float4*>(A + i * T::depth + p);
        const float a[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int q = 0; q < 4; ++q) {
#pragma unroll
          for (int j = 0; j < T::C; ++j) sum_[i][j] += a[q] * b[q][j];
        }
      }
    }
  }

  /// As Sums::write(). Lanes store side by side, so it does not matter where rows begin.
  __device__ void write(float* to, std::int64_t ld, int rows, int cols, bool, float alpha,
                        float beta) const {
#pragma unroll
    for (int i = 0; i < T::R; ++i) {
      if (row_ + i >= rows) break;
      float* row = to + (row_ + i) * ld + col_;
#pragma unroll
      for (int j = 0; j < T::C; ++j) {
        if (col_ + 32 * j >= cols) break;
        const float sum = alpha * sum_[i][j];
        row[32 * j] = beta != 0.0F ? sum + beta * row[32 * j] : sum;
      }
    }
  }

  __device__ void settle(float one) {
    settle_sums<T>(sum_, one);
  }
  __device__ void leave(float* part, float one) const {
    leave_sums<T>(sum_, part, one);
  }
  __device__ void add(const float* part) {
    add_sums<T>(sum_, part);
  }

 private:
  int row_, col_;  // of the thread in the block's tile
  float sum_[T::R][T::C];
};

/// Blocks that live long, as those with copying warps; here all threads do both. `floats`: of a
/// copy. Copies run ahead by stages - 1 steps, into the block's next tile of C, too.
template <class T, int floats>
__global__ void __launch_bounds__(T::threads, T::resident)
    gemm_lanes(const Product g, const Plan plan, const bool wide) {
  extern __shared__ float4 shared[];
  float* stages = reinterpret_cast<float*>(shared);
  Walk ahead(plan);
  bool more = ahead.next(plan);
  int step_ahead = ahead.first;
  int slot_ahead = 0;
  const auto ask = [&] {
    if (more) {
      const int2 place = plan.place_of(ahead.tile);
      const int row = place.x * T::rows;
      const int col = place.y * T::cols;
      const int first = step_ahead * T::depth;
      float* stage = stages + slot_ahead * T::floats;
      copy_piece_by_piece<T::rows, T::depth, T::threads, floats>(
          stage, g.A + row * g.lda + first, g.lda, g.m - row, g.k - first, g.A);
      copy_piece_by_piece<T::depth, T::cols, T::threads, floats>(
          stage + T::A_floats, g.B + first * g.ldb + col, g.ldb, g.k - first, g.n - col, g.B);
      if (++step_ahead == ahead.last) {
        more = ahead.next(plan);
        step_ahead = ahead.first;
      }
      slot_ahead = slot_ahead + 1 == T::stages ? 0 : slot_ahead + 1;
    }
    __pipeline_commit();
  };
  for (int s = 0; s < T::stages - 1; ++s) ask();

  LaneSums<T> sums;
  Walk walk(plan);
  int slot = 0;
  while (walk.next(plan)) {
    sums.clear();
    for (int step = walk.first; step < walk.last; ++step) {
      __pipeline_wait_prior(T::stages - 2);  // this thread's copies of this step have arrived ...
      __syncthreads();                       // ... all threads', and all have read the stage before
      ask();
      sums.steps(stages + slot * T::floats, min(T::depth, g.k - step * T::depth));
      slot = slot + 1 == T::stages ? 0 : slot + 1;
    }
    const auto write = [&](auto... where) { sums.write(where...); };
    const auto agree = [](auto find_out) {
      return __syncthreads_or(threadIdx.x == 0 && find_out()) != 0;
    };
    finish<T>(g, plan, walk, sums, write, wide, agree);
  }
}

}  // namespace ours
