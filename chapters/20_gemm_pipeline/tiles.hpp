/// @file
/// The tiles of chapter 20: what a block has in shared memory, how it gets there, and what a thread
/// has in its registers.
///
/// - A's tile lies transposed, so that a thread reads four rows at once. Copies of 4 bytes turn it
///   on the way: asynchronous ones cost no register, and take a matrix that begins anywhere.
/// - B's tile lies as in memory. Copies of 16 bytes bring it where B's rows allow that.
/// - What lies beyond an edge arrives as 0.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>

#include "course.hpp"

namespace ours {

/// C = alpha A B + beta C: m x k, k x n and m x n, row-major, with any distance between rows.
struct Product {
  int m, n, k;
  const float* A;
  std::int64_t lda;
  const float* B;
  std::int64_t ldb;
  float* C;
  std::int64_t ldc;
  float alpha, beta;
};

/// Whether rows so far apart all begin on 16 bytes.
inline bool on_16_bytes(const float* first, std::int64_t ld) {
  return reinterpret_cast<std::uintptr_t>(first) % 16 == 0 && ld % 4 == 0;
}

/// Whether rows so far apart all begin on a line of 128 bytes.
inline bool on_lines(const float* first, std::int64_t ld) {
  return reinterpret_cast<std::uintptr_t>(first) % 128 == 0 && ld % 32 == 0;
}

/// A block computes rows x cols of C, a thread R x C of them, `depth` terms of the sums at a time.
/// A warp is 8 x 4 threads. So many stages of a tile of A and one of B are in shared memory.
template <int rows_, int cols_, int depth_, int R_, int C_, int stages_, int at_once_ = 2>
struct Tile {
  static constexpr int rows = rows_, cols = cols_, depth = depth_, R = R_, C = C_;
  static constexpr int stages = stages_;
  static constexpr int at_once = at_once_;  ///< steps in a turn of the inner loop
  static constexpr int warps_down = rows / (8 * R);
  static constexpr int threads = 32 * warps_down * (cols / (4 * C));
  static constexpr int pitch = rows + 4;  ///< of A's: 8 columns of 4 rows in 32 banks
  static constexpr int A_floats = depth * pitch;
  static constexpr int floats = A_floats + depth * cols;  ///< of a stage
  static constexpr int bytes = stages * floats * 4;
  static_assert(R % 4 == 0 && C % 4 == 0 && rows % (8 * R) == 0 && cols % (4 * C) == 0);
};

// ---------------------------------------------------------------- copies

/// A thread's share of A's tile. A warp reads 8 neighbours in each of 4 rows: 4 whole sectors.
template <class T, int threads>
__device__ void copy_A(float* stage, const Product& g, int first_row, int first, int thread) {
  const int x = thread % 8;
  const int y = thread / 8;
  const float* from = g.A + (first_row + y) * g.lda + first + x;
  float* to = stage + x * T::pitch + y;
  if (first_row + T::rows <= g.m && first + T::depth <= g.k) {
#pragma unroll 4
    for (int i = 0; i < T::rows; i += threads / 8) {
#pragma unroll
      for (int p = 0; p < T::depth; p += 8) {
        __pipeline_memcpy_async(to + p * T::pitch + i, from + p, 4);
      }
      from += threads / 8 * g.lda;
    }
    return;
  }
  // Beyond an edge nothing is read: all 4 bytes are 0. But the address counts, for the hardware
  // looks there even so: it is always the same one, which is close at hand in level-1 cache.
  const int rows_left = g.m - first_row - y;
  if (first + T::depth <= g.k) {
#pragma unroll 4
    for (int i = 0; i < T::rows; i += threads / 8) {
      const bool there = i < rows_left;
      const float* row = there ? from : g.A;
#pragma unroll
      for (int p = 0; p < T::depth; p += 8) {
        __pipeline_memcpy_async(to + p * T::pitch + i, row + p, 4, there ? 0 : 4);
      }
      from += threads / 8 * g.lda;
    }
    return;
  }
  const int steps_left = g.k - first - x;
#pragma unroll 2
  for (int i = 0; i < T::rows; i += threads / 8) {
#pragma unroll
    for (int p = 0; p < T::depth; p += 8) {
      const bool there = i < rows_left && p < steps_left;
      __pipeline_memcpy_async(to + p * T::pitch + i, there ? from + p : g.A, 4, there ? 0 : 4);
    }
    from += threads / 8 * g.lda;
  }
}

/// Neighbours of a row, of which only some are there. A copy of 16 bytes passes level-1 cache by,
/// so one that brings nothing takes its time even so; two of 8 bytes do not.
/// @param from  where the first of them is, or, if none is there, what may be looked at
/// @param there how many; any number below 1: none
template <int floats>
__device__ void copy_some(float* to, const float* from, int there) {
  if constexpr (floats == 1) {
    __pipeline_memcpy_async(to, from, 4, there > 0 ? 0 : 4);
  } else if (there >= floats) {
    __pipeline_memcpy_async(to, from, 16);
  } else if (there <= 0) {
    __pipeline_memcpy_async(to, from, 8, 8);
    __pipeline_memcpy_async(to + 2, from, 8, 8);
  } else {
#pragma unroll 1  // rare: a short loop leaves registers to others
    for (int j = 0; j < floats; ++j) {
      __pipeline_memcpy_async(to + j, j < there ? from + j : from, 4, j < there ? 0 : 4);
    }
  }
}

/// Where copies bring four columns at a time, nothing is copied for those that all lie beyond C's
/// last one. Their sums are nobody's; but what is read must have been written once.
/// @param left columns of the tile that are in C. All of the block's threads call it.
template <class T>
__device__ void clear_columns(float* stages, int left) {
  const int lane = threadIdx.x % 32;
  for (int row = threadIdx.x / 32; row < T::stages * T::depth; row += blockDim.x / 32) {
    float* B = stages + row / T::depth * T::floats + T::A_floats + row % T::depth * T::cols;
    for (int col = (left + 3) / 4 * 4 + 4 * lane; col < T::cols; col += 128) {
      *reinterpret_cast<float4*>(B + col) = float4{};
    }
  }
}

/// A thread's share of B's tile, in pieces of 4 floats, or of 1.
template <class T, int threads, int floats>
__device__ void copy_B(float* stage, const Product& g, int first, int first_col, int thread) {
  constexpr int in_row = T::cols / floats;
  constexpr int pieces = in_row < threads ? in_row : threads;  // of a row, at once
  constexpr int at_once = threads / pieces;                    // rows
  static_assert(threads % pieces == 0 && T::depth % at_once == 0);
  const int x = thread % pieces * floats;
  const int y = thread / pieces;
  const float* from = g.B + (first + y) * g.ldb + first_col + x;
  float* to = stage + T::A_floats + y * T::cols + x;
  if (first_col + T::cols <= g.n && first + T::depth <= g.k) {
#pragma unroll 4
    for (int p = 0; p < T::depth; p += at_once) {
#pragma unroll
      for (int i = 0; i < T::cols; i += pieces * floats) {
        __pipeline_memcpy_async(to + p * T::cols + i, from + i, floats * 4);
      }
      from += at_once * g.ldb;
    }
    return;
  }
  const int cols_left = g.n - first_col - x;
  if (first + T::depth <= g.k) {
    // The last columns of tiles. The same pieces are there in all rows: so the loop need not ask.
    constexpr int in_turn = T::cols / (pieces * floats);
    int there[in_turn];
    int offset[in_turn];
#pragma unroll
    for (int i = 0; i < in_turn; ++i) {
      there[i] = cols_left - i * pieces * floats;
      offset[i] = there[i] > 0 ? i * pieces * floats : -(first_col + x);
    }
#pragma unroll 4
    for (int p = 0; p < T::depth; p += at_once) {
#pragma unroll
      for (int i = 0; i < in_turn; ++i) {
        if (floats == 1 || there[i] > 0) {  // others: clear_columns()
          copy_some<floats>(to + p * T::cols + i * pieces * floats, from + offset[i], there[i]);
        }
      }
      from += at_once * g.ldb;
    }
    return;
  }
  const int steps_left = g.k - first - y;
#pragma unroll 4
  for (int p = 0; p < T::depth; p += at_once) {
#pragma unroll
    for (int i = 0; i < T::cols; i += pieces * floats) {
      const int there = p < steps_left ? cols_left - i : 0;
      copy_some<floats>(to + p * T::cols + i, there > 0 ? from + i : g.B, there);
    }
    from += at_once * g.ldb;
  }
}

// ---------------------------------------------------------------- sums to C

/// Four neighbours of a row, of which `left` are in C.
inline __device__ void write_four(float* to, float4 sum, int left, bool wide, float alpha,
                                  float beta) {
  sum = make_float4(alpha * sum.x, alpha * sum.y, alpha * sum.z, alpha * sum.w);
  if (wide && left >= 4) {
    if (beta != 0.0F) {  // with beta = 0, C is not read: it may hold anything
      const float4 c = *reinterpret_cast<float4*>(to);
      sum = make_float4(sum.x + beta * c.x, sum.y + beta * c.y, sum.z + beta * c.z,
                        sum.w + beta * c.w);
    }
    *reinterpret_cast<float4*>(to) = sum;
  } else {
    if (left > 0) to[0] = beta != 0.0F ? sum.x + beta * to[0] : sum.x;
    if (left > 1) to[1] = beta != 0.0F ? sum.y + beta * to[1] : sum.y;
    if (left > 2) to[2] = beta != 0.0F ? sum.z + beta * to[2] : sum.z;
    if (left > 3) to[3] = beta != 0.0F ? sum.w + beta * to[3] : sum.w;
  }
}

// ---------------------------------------------------------------- sums for another block

/// A thread's R x C sums to memory, for the same thread of another block: a warp's lanes side by
/// side, in an order that only these threads need to know.
/// @param one 1, but the compiler does not know it. What is stored four at a time lies in four
///            neighbouring registers; a product may, and the sums may stay where the inner loop is
///            fastest.
template <class T>
__device__ void leave_sums(const float (&sum)[T::R][T::C], float* part, float one) {
  float4* to = reinterpret_cast<float4*>(part) + threadIdx.x;
#pragma unroll
  for (int i = 0; i < T::R; ++i) {
#pragma unroll
    for (int j = 0; j < T::C; j += 4) {
      const float* s = &sum[i][j];
      __stcg(to + (i * T::C + j) / 4 * T::threads,
             make_float4(one * s[0], one * s[1], one * s[2], one * s[3]));
    }
  }
}

/// What the other block's thread left is added.
template <class T>
__device__ void add_sums(float (&sum)[T::R][T::C], const float* part) {
  const float4* from = reinterpret_cast<const float4*>(part) + threadIdx.x;
#pragma unroll
  for (int i = 0; i < T::R; ++i) {
#pragma unroll
    for (int j = 0; j < T::C; j += 4) {
      const float4 four = __ldcg(from + (i * T::C + j) / 4 * T::threads);
      float* s = &sum[i][j];
      s[0] += four.x;
      s[1] += four.y;
      s[2] += four.z;
      s[3] += four.w;
    }
  }
}

/// The sums in other registers, before anything else is done with them: the inner loop has them
/// where it is fastest, and what comes behind it wants them elsewhere.
/// @param one as for leave_sums()
template <class T>
__device__ void settle_sums(float (&sum)[T::R][T::C], float one) {
#pragma unroll
  for (auto& row : sum) {
#pragma unroll
    for (float& s : row) s *= one;
  }
}

// ---------------------------------------------------------------- a thread's registers

/// A thread's sums, and the numbers of two steps: one is multiplied while the other is read.
template <class T>
class Sums {
 public:
  __device__ Sums() {
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    // Lanes that differ in bit 0 have the same rows, and in bit 1 the same columns: their loads are
    // served together (chapter 19, lane pairs).
    row_ = warp % T::warps_down * 8 * T::R + lane / 2 % 8 * 4;
    col_ = warp / T::warps_down * 4 * T::C + (lane % 2 + lane / 16 * 2) * 4;
  }

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < T::R; ++i) {
#pragma unroll
      for (int j = 0; j < T::C; ++j) sum_[i][j] = 0.0F;
    }
  }

  /// A thread's rows of A and columns of B in a stage. They go from step to step.
  struct Place {
    const float* A;
    const float* B;
  };
  __device__ Place place_in(const float* stage) const {
    return {stage + row_, stage + T::A_floats + col_};
  }

  /// The numbers of a step, so many steps after a place, from shared memory.
  template <int slot>
  __device__ void read(Place from, int step) {
#pragma unroll
    for (int i = 0; i < T::R; i += 4) set(&a_[slot][i], from.A + step * T::pitch + 8 * i);
#pragma unroll
    for (int j = 0; j < T::C; j += 4) set(&b_[slot][j], from.B + step * T::cols + 4 * j);
  }
  /// Those of a stage's first step.
  __device__ void read_first(const float* stage) {
    read<0>(place_in(stage), 0);
  }

  /// Along the longer side, back and forth: so the other side's number stays at hand, and at each
  /// turn one of this side, too.
  template <int slot>
  __device__ void multiply() {
    constexpr bool down = T::R > T::C;
    constexpr int longer = down ? T::R : T::C;
    constexpr int shorter = down ? T::C : T::R;
#pragma unroll
    for (int s = 0; s < shorter; ++s) {
#pragma unroll
      for (int l = 0; l < longer; ++l) {
        const int there = s % 2 == 0 ? l : longer - 1 - l;
        const int i = down ? there : s;
        const int j = down ? s : there;
        sum_[i][j] += a_[slot][i] * b_[slot][j];
      }
    }
  }

  /// The terms of a stage, each step's numbers read just before they are multiplied.
  __device__ void steps(const float* stage) {
    const Place from = place_in(stage);
#pragma unroll
    for (int p = 0; p < T::depth; ++p) {
      read<0>(from, p);
      multiply<0>();
    }
  }

  /// The same; but while the numbers of one step are multiplied, those of the next are read. The
  /// first have been read before, and at the end read_next() reads the first of the next stage.
  /// @param left steps that there are, all of them or a few of the last stage
  template <class ReadNext>
  __device__ void steps_ahead(const float* stage, [[maybe_unused]] int left, ReadNext read_next) {
    Place from = place_in(stage);
    int last = T::depth;
    if constexpr (T::R * T::C <= 64) last = min(left, T::depth);  // where a register is left for it
#pragma unroll 1  // a loop that fits in the cache for instructions, whatever the depth
    for (int p = T::at_once; p < last; p += T::at_once) {
#pragma unroll
      for (int i = 0; i < T::at_once; i += 2) {
        read<1>(from, i + 1);
        multiply<0>();
        read<0>(from, i + 2);
        multiply<1>();
      }
      from.A += T::at_once * T::pitch;
      from.B += T::at_once * T::cols;
    }
#pragma unroll
    for (int i = 0; i < T::at_once; i += 2) {
      read<1>(from, i + 1);
      multiply<0>();
      if (i + 2 < T::at_once) {
        read<0>(from, i + 2);
      } else {
        read_next();
      }
      multiply<1>();
    }
  }

  /// Floats of shared memory that a warp needs for write_through(): 8 rows, and no two of them
  /// begin in the same bank.
  static constexpr int room = 8 * (4 * T::C + 4);

  /// As write(), by way of shared memory. Where rows begin anywhere, a lane's four neighbours would
  /// take four stores, each of them one float at each of 32 places. So they go through shared
  /// memory first, eight rows at a time, and from there each row side by side.
  __device__ void write_through(float* room, float* to, std::int64_t ld, int rows, int cols,
                                bool wide, float alpha, float beta) const {
    constexpr int in_row = 4 * T::C;
    constexpr int pitch = in_row + 4;
    const int lane = threadIdx.x % 32;
    const int own_row = lane / 2 % 8;
    const int own_col = (lane % 2 + lane / 16 * 2) * 4;
    to += (row_ - own_row * 4) * ld + col_ - own_col;  // the warp's first element
    rows -= row_ - own_row * 4;
    cols -= col_ - own_col;
#pragma unroll
    for (int i = 0; i < T::R; ++i) {
      __syncwarp();
#pragma unroll
      for (int j = 0; j < T::C; j += 4) {
        *reinterpret_cast<float4*>(room + own_row * pitch + own_col + j * 4) =
            make_float4(alpha * sum_[i][j], alpha * sum_[i][j + 1], alpha * sum_[i][j + 2],
                        alpha * sum_[i][j + 3]);
      }
      __syncwarp();
      const int first = i / 4 * 32 + i % 4;  // of the eight rows, which are 4 apart
      if (wide) {
#pragma unroll
        for (int at = 4 * lane; at < 8 * in_row; at += 128) {
          const int y = first + at / in_row * 4;
          const int x = at % in_row;
          if (y >= rows) continue;
          const float4 sum = *reinterpret_cast<float4*>(room + at / in_row * pitch + x);
          write_four(to + y * ld + x, sum, cols - x, true, 1.0F, beta);
        }
      } else {
#pragma unroll
        for (int at = lane; at < 8 * in_row; at += 32) {
          const int y = first + at / in_row * 4;
          const int x = at % in_row;
          if (y >= rows || x >= cols) continue;
          float* c = to + y * ld + x;
          const float sum = room[at / in_row * pitch + x];
          *c = beta != 0.0F ? sum + beta * *c : sum;
        }
      }
    }
  }

  /// alpha times the sums, plus beta times what is there, to the tile of C that begins at `to`.
  /// rows x cols of it are in C. wide: its rows begin on 16 bytes.
  __device__ void write(float* to, std::int64_t ld, int rows, int cols, bool wide, float alpha,
                        float beta) const {
#pragma unroll
    for (int i = 0; i < T::R; ++i) {
      const int y = row_ + i / 4 * 32 + i % 4;
      if (y >= rows) continue;
#pragma unroll
      for (int j = 0; j < T::C; j += 4) {
        const int x = col_ + j * 4;
        const float* s = &sum_[i][j];
        write_four(to + y * ld + x, make_float4(s[0], s[1], s[2], s[3]), cols - x, wide, alpha,
                   beta);
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
  static __device__ void set(float* to, const float* from) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
  }

  int row_, col_;  // of the thread in the block's tile
  float sum_[T::R][T::C];
  float a_[2][T::R];
  float b_[2][T::C];
};

}  // namespace ours
