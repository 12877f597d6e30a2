/// @file
/// A thread's registers in chapter 20: its sums, the numbers that it reads for them, and how the
/// sums get to C, or to another block that shares the tile.
#pragma once

#include "tiles.hpp"

namespace ours {

// ---------------------------------------------------------------- sums to C

/// Four neighbours of a row, of which `left` are in C.
/// @param old what was there, if `wide` and all four are in C; else it is read here
inline __device__ void write_four(float* to, float4 sum, int left, bool wide, float beta,
                                  float4 old) {
  if (wide && left >= 4) {
    if (beta != 0.0F) {
      sum = make_float4(sum.x + beta * old.x, sum.y + beta * old.y, sum.z + beta * old.z,
                        sum.w + beta * old.w);
    }
    *reinterpret_cast<float4*>(to) = sum;
  } else {
    if (left > 0) to[0] = beta != 0.0F ? sum.x + beta * to[0] : sum.x;
    if (left > 1) to[1] = beta != 0.0F ? sum.y + beta * to[1] : sum.y;
    if (left > 2) to[2] = beta != 0.0F ? sum.z + beta * to[2] : sum.z;
    if (left > 3) to[3] = beta != 0.0F ? sum.w + beta * to[3] : sum.w;
  }
}

// ---------------------------------------------------------------- where sums are

/// Where a column's sum is among its neighbours: if pairs are exchanged, 1 0 3 2.
///
/// Four numbers that are stored at once are in four neighbouring registers, and so are four numbers
/// of B that were loaded at once. One multiply-add with both in even registers, or both in odd
/// ones, costs nothing extra; in a series of them each waits. With pairs exchanged the sum is
/// always in a register of the other kind.
template <bool exchanged>
__host__ __device__ constexpr int place_of_column(int j) {
  return exchanged ? j ^ 1 : j;
}

/// Four neighbours of a row, in their order in registers.
template <bool exchanged>
__device__ float4 four_sums(const float* s) {
  return make_float4(s[place_of_column<exchanged>(0)], s[place_of_column<exchanged>(1)],
                     s[place_of_column<exchanged>(2)], s[place_of_column<exchanged>(3)]);
}

/// The same, times a number.
inline __device__ float4 times(float factor, float4 four) {
  return make_float4(factor * four.x, factor * four.y, factor * four.z, factor * four.w);
}

inline __device__ float4 plus(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// ---------------------------------------------------------------- a thread's registers

/// A thread's sums, and the numbers of two steps: one is multiplied while the other is read.
///
/// Lanes that differ in bit 0 have the same rows, and in bit 1 the same columns: then shared memory
/// serves two quarters of a warp at a time (chapter 19, lane pairs). But such fast answers come
/// back in bursts, and multiply-adds wait while these are written to registers. Where a thread has
/// many sums, shared memory has enough time to serve each quarter separately. There lanes take
/// turns: one of two neighbours begins with the other half of its rows, and of its columns.
/// @tparam exchanged the order of sums in registers: see place_of_column()
template <class T, bool exchanged = false>
class Sums {
  static constexpr bool turns = T::R * T::C >= 128;
  static constexpr int tall = turns ? 8 : 4;  // rows of a thread that are neighbours

 public:
  __device__ Sums() {
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    row_ = warp % T::warps_down * 8 * T::R + lane / 2 % 8 * tall;
    col_ = warp / T::warps_down * 4 * T::C + (lane % 2 + lane / 16 * 2) * 4;
  }

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < T::R; ++i) {
#pragma unroll
      for (int j = 0; j < T::C; ++j) sum_[i][j] = 0.0F;
    }
  }

  /// A thread's rows of A and columns of B in a stage: the positions of the first four that it
  /// reads, and of the second four. They advance from step to step.
  struct FragmentPointers {
    const float* A;
    const float* B;
    const float* A_second;
    const float* B_second;
  };
  __device__ FragmentPointers fragments_in(const float* stage) const {
    const float* A = stage + row_;
    const float* B = stage + T::A_floats + col_;
    return {A + A_turn(), B + B_turn(), A + (4 - A_turn()), B + (16 - B_turn())};
  }

  /// The numbers of a step, this many steps after a position, from shared memory.
  template <int slot>
  __device__ void read(FragmentPointers from, int step) {
#pragma unroll
    for (int i = 0; i < T::R; i += 4) {
      set(&a_[slot][i],
          (i % tall < 4 ? from.A : from.A_second) + step * T::pitch + i / tall * (8 * tall));
    }
#pragma unroll
    for (int j = 0; j < T::C; j += 4) {
      set(&b_[slot][j], (j % 8 < 4 ? from.B : from.B_second) + step * T::cols + j / 8 * 32);
    }
  }
  /// Those of a stage's first step.
  __device__ void read_first(const float* stage) {
    read<0>(fragments_in(stage), 0);
  }

  /// Row by row, back and forth: a row's number of A stays in a register, one of B at each turn.
  template <int slot>
  __device__ void multiply() {
#pragma unroll
    for (int i = 0; i < T::R; ++i) {
#pragma unroll
      for (int l = 0; l < T::C; ++l) {
        const int j = i % 2 == 0 ? l : T::C - 1 - l;
        sum_[i][j] += a_[slot][i] * b_[slot][j];
      }
    }
  }

  /// The terms of a stage, each step's numbers read just before they are multiplied.
  __device__ void steps(const float* stage) {
    const FragmentPointers from = fragments_in(stage);
#pragma unroll
    for (int p = 0; p < T::depth; ++p) {
      read<0>(from, p);
      multiply<0>();
    }
  }

  /// The same; but while one step's numbers are multiplied, the next step's are read. The first
  /// must have been read before, and at the end read_next() reads the first ones of the next stage.
  /// @tparam at_once steps per iteration of the loop
  /// @param left remaining steps: all of the stage's, or a few in the last stage
  template <int at_once, class ReadNext>
  __device__ void steps_ahead(const float* stage, [[maybe_unused]] int left, ReadNext read_next) {
    FragmentPointers from = fragments_in(stage);
    int last = T::depth;
    if constexpr (T::R * T::C <= 64) last = min(left, T::depth);  // if a register is left for it
#pragma unroll 1  // a loop that fits in the instruction cache, whatever the depth
    for (int p = at_once; p < last; p += at_once) {
#pragma unroll
      for (int i = 0; i < at_once; i += 2) {
        read<1>(from, i + 1);
        multiply<0>();
        read<0>(from, i + 2);
        multiply<1>();
      }
      from.A += at_once * T::pitch;
      from.B += at_once * T::cols;
      from.A_second += at_once * T::pitch;
      from.B_second += at_once * T::cols;
    }
#pragma unroll
    for (int i = 0; i < at_once; i += 2) {
      read<1>(from, i + 1);
      multiply<0>();
      if (i + 2 < at_once) {
        read<0>(from, i + 2);
      } else {
        read_next();
      }
      multiply<1>();
    }
  }

  /// Floats of shared memory that a warp needs for write_through(): 8 rows, no two of which begin
  /// in the same bank.
  static constexpr int room = 8 * (4 * T::C + 4);

  /// Like write(), but through shared memory. Where rows begin anywhere, a lane's four neighbours
  /// would take four stores, each of them one float at each of 32 places. So they go through shared
  /// memory first, eight rows at a time, and from there each row is written contiguously. Old
  /// values of eight rows are in flight together: a load after each store would wait for memory
  /// every time.
  __device__ void write_through(float* room, float* to, std::int64_t ld, int rows, int cols,
                                bool /*wide*/, float alpha, float beta) const {
    constexpr int in_row = 4 * T::C;
    constexpr int pitch = in_row + 4;
    constexpr int of_a_lane = 8 * in_row / 32;
    const int lane = threadIdx.x % 32;
    const int own_row = lane / 2 % 8;
    const int own_col = (lane % 2 + lane / 16 * 2) * 4;
    to += (row_ - own_row * tall) * ld + col_ - own_col + lane;  // the lane's first element
    rows -= row_ - own_row * tall;
    cols -= col_ - own_col + lane;
    const auto for_own = [&](int i, auto visit) {
#pragma unroll
      for (int e = 0; e < of_a_lane; ++e) {
        const int y = e * 32 / in_row;
        const int x = e * 32 % in_row;
        if (below(i) + y * tall < rows && x < cols) {
          visit(e, to + (below(i) + y * tall) * ld + x, y * pitch + x);
        }
      }
    };
    const float* own = room + place_of_column<exchanged>(lane);
#pragma unroll
    for (int i = 0; i < T::R; ++i) {
      float old[of_a_lane] = {};
      if (beta != 0.0F) {
        for_own(i, [&](int e, const float* c, int /*place*/) { old[e] = *c; });
      }
      __syncwarp();
#pragma unroll
      for (int j = 0; j < T::C; j += 4) {
        *reinterpret_cast<float4*>(room + own_row * pitch + own_col + right_of(j)) =
            times(alpha, four_sums<exchanged>(&sum_[i][j]));
      }
      __syncwarp();
      for_own(i, [&](int e, float* c, int place) {
        *c = beta != 0.0F ? own[place] + beta * old[e] : own[place];
      });
    }
  }

  /// alpha times the sums, plus beta times the old values, to the tile of C that begins at `to`.
  /// rows x cols of it are in C. wide: its rows are aligned to 16 bytes.
  __device__ void write(float* to, std::int64_t ld, int rows, int cols, bool wide, float alpha,
                        float beta) const {
    constexpr int at_once = 4 / in_row;  // rows whose old values are in flight
#pragma unroll
    for (int first = 0; first < T::R; first += at_once) {
      float4 old[at_once][in_row] = {};
      const auto for_fours = [&](auto visit) {
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
          const int y = row_ + below(first + i);
#pragma unroll
          for (int j = 0; j < in_row; ++j) {
            const int x = col_ + right_of(4 * j);
            if (y < rows) visit(i, j, to + y * ld + x, cols - x);
          }
        }
      };
      if (wide && beta != 0.0F) {  // with beta = 0, C is not read: it may hold anything
        for_fours([&](int i, int j, const float* c, int left) {
          if (left >= 4) old[i][j] = *reinterpret_cast<const float4*>(c);
        });
      }
      for_fours([&](int i, int j, float* c, int left) {
        const float4 sum = times(alpha, four_sums<false>(&sum_[first + i][4 * j]));
        write_four(c, sum, left, wide, beta, old[i][j]);
      });
    }
  }

  static constexpr int fours = T::R * T::C / 4;  ///< groups of four neighbours in a row

  /// Where a group of four belongs in a tile in memory.
  __device__ int place_of_four(int f, int pitch) const {
    const int i = f / in_row;
    return (row_ + below(i)) * pitch + col_ + right_of(f % in_row * 4);
  }

  /// To shared memory, row by row as in C, and four columns in their order in registers.
  __device__ void put(float* tile, int pitch) const {
#pragma unroll
    for (int f = 0; f < fours; ++f) {
      *reinterpret_cast<float4*>(tile + place_of_four(f, pitch)) = four_sums<exchanged>(of_four(f));
    }
  }

  /// Call this before any other use of the sums. Those of lanes that have taken turns are
  /// exchanged, so that they are in the same order in all lanes. And they move to other registers:
  /// the inner loop needs them where it is fastest, and the code after it needs them elsewhere.
  /// @param one 1, but the compiler does not know it: so the products get new registers
  __device__ void settle(float one) {
    if constexpr (turns) {
      change_places<4, 0>(A_turn() != 0);
      change_places<0, 4>(B_turn() != 0);
    }
#pragma unroll
    for (auto& row : sum_) {
#pragma unroll
      for (float& s : row) s *= one;
    }
  }

  /// The sums to memory, for the same thread of another block: a warp's lanes side by side, in an
  /// order that only these threads know.
  /// @param one as for settle()
  __device__ void store_partial(float* part, float one) const {
    float4* to = reinterpret_cast<float4*>(part) + threadIdx.x;
#pragma unroll
    for (int f = 0; f < fours; ++f) {
      const float4 four = four_sums<exchanged>(of_four(f));
      __stcg(to + f * T::threads, exchanged ? four : times(one, four));
    }
  }

  /// Adds the sums that the other block's thread has written.
  __device__ void add_partial(const float* part) {
    const float4* from = reinterpret_cast<const float4*>(part) + threadIdx.x;
#pragma unroll
    for (int f = 0; f < fours; ++f) {
      const float4 four = __ldcg(from + f * T::threads);
      float* s = &sum_[f / in_row][f % in_row * 4];
      s[place_of_column<exchanged>(0)] += four.x;
      s[place_of_column<exchanged>(1)] += four.y;
      s[place_of_column<exchanged>(2)] += four.z;
      s[place_of_column<exchanged>(3)] += four.w;
    }
  }

 private:
  static constexpr int in_row = T::C / 4;  // groups of four per row

  // Offsets of a thread's rows and columns from its first ones.
  static __device__ constexpr int below(int i) {
    return i / tall * (8 * tall) + i % tall;
  }
  static __device__ constexpr int right_of(int j) {
    return j / 4 * 16 + j % 4;
  }

  // Exchanges each sum with the one that is this many rows and columns away.
  template <int rows, int cols>
  __device__ void change_places(bool change) {
#pragma unroll
    for (int i = 0; i < T::R; ++i) {
#pragma unroll
      for (int j = 0; j < T::C; ++j) {
        if ((i & rows) != 0 || (j & cols) != 0) continue;
        float& here = sum_[i][j];
        float& there = sum_[i + rows][j + cols];
        const float was = here;
        here = change ? there : here;
        there = change ? was : there;
      }
    }
  }

  __device__ const float* of_four(int f) const {
    return &sum_[f / in_row][f % in_row * 4];
  }

  static __device__ void set(float* to, const float* from) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
  }

  // Offset of the thread's first read: not 0 if that is the second half of its rows, or columns.
  static __device__ int A_turn() {
    return turns ? threadIdx.x % 2 * 4 : 0;
  }
  static __device__ int B_turn() {
    return turns ? threadIdx.x / 2 % 2 * 16 : 0;
  }

  int row_, col_;  // of the thread in the block's tile
  float sum_[T::R][T::C];
  float a_[2][T::R];
  float b_[2][T::C];
};

}  // namespace ours
