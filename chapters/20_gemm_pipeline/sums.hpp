/// @file
/// What a thread of chapter 20 has in its registers: its sums, what it reads for them, and how they
/// get to C, or to another block that shares the tile.
#pragma once

#include "tiles.hpp"

namespace ours {

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
