/// @file
/// The tiles of chapter 21: their layout in shared memory, how they get there, and a warp's
/// registers.
///
/// All copies are counted in bytes. A row of A's tile has 128 of them, and B's tile has as many
/// rows as a row of A's tile has numbers: 64 steps of k for numbers of 2 bytes, 32 for floats.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <type_traits>

#include "course.hpp"
#include "tensor_cores/mma.hpp"

namespace tensor {

/// C = A B: m x k, k x n and m x n, row-major.
template <class Element>
struct Product {
  const Element* A;
  const Element* B;
  float* C;
  int m, n, k;
  std::int64_t lda = k, ldb = n;  ///< from row to row, in numbers
};

// ---------------------------------------------------------------- where a byte is

// Where byte x of a row is stored in this row. Pieces of 16 bytes stay together.

/// In its own place.
struct Plain {
  static constexpr int padding = 0;
  static constexpr int orders = 1;
  static __host__ __device__ int at(int x, int) { return x; }
};
/// In its own place, but the next row begins 4 banks further on.
struct Padded {
  static constexpr int padding = 16;
  static constexpr int orders = 1;
  static __host__ __device__ int at(int x, int) { return x; }
};
/// The pieces of eight rows are in eight orders.
struct Swizzled {
  static constexpr int padding = 0;
  static constexpr int orders = 8;
  static __host__ __device__ int at(int x, int row) { return x ^ row % 8 * 16; }
};
/// The pieces of four rows are in four orders, in pairs.
struct SwizzledInPairs {
  static constexpr int padding = 0;
  static constexpr int orders = 4;
  static __host__ __device__ int at(int x, int row) { return x ^ row % 4 * 32; }
};

/// A block computes 64 down x 64 across sums, with a warp for each 64 x 64. Shared memory holds
/// `stages` tiles of A and of B.
template <class T_, int down_, int across_, int stages_, class Layout>
struct Tile {
  using T = T_;
  using Element = typename T::Element;
  static constexpr int down = down_, across = across_, stages = stages_;
  static constexpr int rows = 64 * down, cols = 64 * across;
  static constexpr int threads = 32 * down * across;
  static constexpr bool floats = sizeof(Element) == 4;
  static constexpr int depth = 128 / static_cast<int>(sizeof(Element));  ///< steps of k
  using LayoutA = Layout;
  using LayoutB = std::conditional_t<floats, SwizzledInPairs, Layout>;
  static constexpr int pitch_A = 128 + LayoutA::padding;
  static constexpr int row_B = cols * static_cast<int>(sizeof(Element));
  static constexpr int pitch_B = row_B + LayoutB::padding;
  static constexpr int bytes_A = rows * pitch_A;
  static constexpr int stage = bytes_A + depth * pitch_B;
  static constexpr int bytes = stages * stage;
};

// ---------------------------------------------------------------- copies

/// One piece from global to shared memory, or zeros.
template <int bytes>
__device__ void copy_piece(char* to, const char* from, bool there) {
  if constexpr (bytes >= 4) {
    __pipeline_memcpy_async(to, from, bytes, there ? 0 : bytes);
  } else {  // asynchronous copies have 4, 8 or 16 bytes
    const auto* number = reinterpret_cast<const std::uint16_t*>(from);
    *reinterpret_cast<std::uint16_t*>(to) = there ? *number : std::uint16_t{0};
  }
}

/// A tile by all threads, `bytes` bytes per copy. What is out of bounds is 0.
/// @param matrix a valid address for copies of no bytes
/// @param ld bytes from row to row
/// @param rows_left, bytes_left from the tile's first byte to the matrix's edges
template <int rows, int row_bytes, int pitch, int threads, int bytes, class Layout>
__device__ void copy_tile(char* tile, const char* matrix, std::int64_t first, std::int64_t ld,
                          int rows_left, std::int64_t bytes_left) {
  constexpr int in_row = row_bytes / bytes;
  constexpr int pieces = in_row < threads ? in_row : threads;  // per row, at once
  constexpr int at_once = threads / pieces;                    // rows
  static_assert(threads % pieces == 0 && in_row % pieces == 0 && rows % at_once == 0);
  const int x = static_cast<int>(threadIdx.x) % pieces * bytes;
  const int y = static_cast<int>(threadIdx.x) / pieces;
  const char* from = matrix + first + y * ld + x;
  char* to = tile + y * pitch;
  [[maybe_unused]] constexpr int unroll = bytes == 16 ? 4 : 1;  // registers are for sums
#pragma unroll unroll
  for (int i = 0; i < rows; i += at_once) {
#pragma unroll
    for (int j = 0; j < row_bytes; j += pieces * bytes) {
      const bool there = y + i < rows_left && x + j < bytes_left;
      copy_piece<bytes>(to + i * pitch + Layout::at(x + j, y + i), there ? from + j : matrix,
                        there);
    }
    from += at_once * ld;
  }
}

/// A's and B's tile of one step, `first` being its first step of k.
template <class Tile, int bytes>
__device__ void copy_tiles(char* stage, const Product<typename Tile::Element>& g, int row, int col,
                           int first) {
  constexpr std::int64_t size = sizeof(typename Tile::Element);
  copy_tile<Tile::rows, 128, Tile::pitch_A, Tile::threads, bytes, typename Tile::LayoutA>(
      stage, reinterpret_cast<const char*>(g.A), (std::int64_t{row} * g.lda + first) * size,
      g.lda * size, g.m - row, (g.k - first) * size);
  copy_tile<Tile::depth, Tile::row_B, Tile::pitch_B, Tile::threads, bytes, typename Tile::LayoutB>(
      stage + Tile::bytes_A, reinterpret_cast<const char*>(g.B),
      (std::int64_t{first} * g.ldb + col) * size, g.ldb * size, g.k - first, (g.n - col) * size);
}

/// A thread's share of the copies of whole tiles, step after step along k, 16 bytes at a time. All
/// addresses have been computed before: a copy is one instruction, and one for its address.
template <class Tile>
class TileCopies {
 public:
  /// For the tile of C that begins at (row, col), starting with a step.
  __device__ TileCopies(const Product<typename Tile::Element>& g, int row, int col, int step) {
    const int thread = static_cast<int>(threadIdx.x);
    const int x_A = thread % in_row_A * 16;
    const int y_A = thread / in_row_A;
    const int x_B = thread % in_row_B * 16;
    const int y_B = thread / in_row_B;
    from_A_ = reinterpret_cast<const char*>(g.A) + std::int64_t{row + y_A} * g.lda * size +
              std::int64_t{step} * 128 + x_A;
    from_B_ = reinterpret_cast<const char*>(g.B) +
              ((std::int64_t{step} * Tile::depth + y_B) * g.ldb + col) * size + x_B;
    lda_ = g.lda;
    ldb_ = g.ldb;
    to_A_ = y_A * Tile::pitch_A + Tile::LayoutA::at(x_A, y_A);
    to_B_ = Tile::bytes_A + y_B * Tile::pitch_B + Tile::LayoutB::at(x_B, y_B);
  }

  /// One of `parts` parts of a step's copies. After the last part the next step begins.
  __device__ void copy_part(char* stage, int part, int parts) {
#pragma unroll
    for (int i = count * part / parts; i < count * (part + 1) / parts; ++i) {
      if (i < count_A) {
        __pipeline_memcpy_async(stage + to_A_ + i * rows_A * Tile::pitch_A,
                                from_A_ + lda_ * (i * rows_A * size), 16);
      } else {
        const int j = i - count_A;
        __pipeline_memcpy_async(stage + to_B_ + j * rows_B * Tile::pitch_B, from_B_, 16);
        from_B_ += ldb_ * (rows_B * size);
      }
    }
    if (part == parts - 1) from_A_ += 128;
  }

 private:
  static constexpr int size = sizeof(typename Tile::Element);
  static constexpr int in_row_A = 8;  // pieces of 16 bytes
  static constexpr int in_row_B = Tile::row_B / 16;
  static constexpr int rows_A = Tile::threads / in_row_A;  // that all threads copy at once
  static constexpr int rows_B = Tile::threads / in_row_B;
  static constexpr int count_A = Tile::rows / rows_A;
  static constexpr int count_B = Tile::depth / rows_B;
  static constexpr int count = count_A + count_B;
  static_assert(Tile::threads % in_row_B == 0 && Tile::rows % rows_A == 0);
  static_assert(Tile::depth % rows_B == 0);
  // All rows of one thread have their pieces in the same order.
  static_assert(rows_A % Tile::LayoutA::orders == 0 && rows_B % Tile::LayoutB::orders == 0);

  const char* from_A_;
  const char* from_B_;
  int to_A_, to_B_;  // in a stage
  std::int64_t lda_, ldb_;
};

// ---------------------------------------------------------------- a warp's registers

/// The inputs of a warp's product: 64 rows of 32 bytes of A, and the same number of steps of k of
/// 64 columns of B.
struct Fragments {
  FragmentA a[4];
  FragmentB b[8];
};

/// A warp's 64 x 64 sums.
template <class T>
class Sums {
 public:
  __device__ void clear() {
#pragma unroll
    for (auto& row : sum_) {
#pragma unroll
      for (FragmentC& c : row) c[0] = c[1] = c[2] = c[3] = 0.0F;
    }
  }

  /// Back and forth, so that one of two fragments is always in registers already. Between the rows
  /// of fragments other work may be done: between(0) to between(3).
  template <class Between>
  __device__ void multiply(const Fragments& f, Between between) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      between(i);
#pragma unroll
      for (int right = 0; right < 8; ++right) {
        const int j = i % 2 == 0 ? right : 7 - right;
        tensor::multiply(T{}, sum_[i][j], f.a[i], f.b[j]);
      }
    }
  }

  __device__ void multiply(const Fragments& f) {
    multiply(f, [](int) {});
  }

  /// Writes the sums of a part of the terms to memory, or adds those that another block has written
  /// there: 512 bytes per warp at a time.
  __device__ void store_partial(float* part, float) {
    each_four(part, [](float4* four, const FragmentC& c) {
      *four = make_float4(c[0], c[1], c[2], c[3]);
    });
  }
  __device__ void add_partial(float* part) {
    each_four(part, [](const float4* four, FragmentC& c) {
      const float4 other = __ldcg(four);  // level 1 may hold stale data
      c[0] += other.x, c[1] += other.y, c[2] += other.z, c[3] += other.w;
    });
  }

 protected:
  FragmentC sum_[4][8];

 private:
  // Both: visits each fragment of sums with its address in memory.
  template <class Operation>
  __device__ void each_four(float* part, Operation both) {
    float4* four = reinterpret_cast<float4*>(part) + threadIdx.x / 32 * 1024 + threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) both(four + (8 * i + j) * 32, sum_[i][j]);
    }
  }
};

/// A warp's sums, and its reads from shared memory.
template <class Tile>
class WarpTile : public Sums<typename Tile::T> {
 public:
  __device__ WarpTile() {
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    row_ = warp % Tile::down * 64;
    col_ = warp / Tile::down * 64;
    g_ = lane / 4;
    t_ = lane % 4;
    // For load_matrices(): lanes 0 to 15 have 16 rows, lanes 16 to 31 the same, 16 bytes further
    // on.
    line_ = lane % 16;
    half_ = lane / 16 * 16;
  }

  /// The fragments of a stage's quarter: bytes 32 quarter to 32 quarter + 31 of A's rows.
  __device__ void read(Fragments& to, const char* stage, int quarter) const {
    const char* A = stage + (row_ + line_) * Tile::pitch_A;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int x = Tile::LayoutA::at(32 * quarter + half_, line_);
      load_matrices(to.a[i], A + 16 * i * Tile::pitch_A + x);
      round_fragment<typename Tile::T>(to.a[i]);
    }
    const char* B = stage + Tile::bytes_A;
    if constexpr (Tile::floats) {  // transposing loads support only numbers of 2 bytes
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int x = Tile::LayoutB::at(32 * j, t_) + (col_ + g_) * 4;
        const char* number = B + (8 * quarter + t_) * Tile::pitch_B + x;
        to.b[j][0] = *reinterpret_cast<const std::uint32_t*>(number);
        to.b[j][1] = *reinterpret_cast<const std::uint32_t*>(number + 4 * Tile::pitch_B);
        round_fragment<typename Tile::T>(to.b[j]);
      }
    } else {
#pragma unroll
      for (int j = 0; j < 8; j += 2) {
        const int x = Tile::LayoutB::at(col_ * 2 + 16 * j + half_, line_);
        std::uint32_t both[4];
        load_matrices_transposed(both, B + (16 * quarter + line_) * Tile::pitch_B + x);
        to.b[j][0] = both[0];
        to.b[j][1] = both[1];
        to.b[j + 1][0] = both[2];
        to.b[j + 1][1] = both[3];
      }
    }
  }

  /// The sums to the block's tile of C, which begins at (row, col). pairs: two neighbours at once,
  /// if n is even.
  __device__ void write(float* C, int row, int col, int m, int n, bool pairs) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int y = row + row_ + 8 * i + g_;
      if (y >= m) continue;
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int x = col + col_ + 8 * j + 2 * t_;
        const float* two = &this->sum_[i / 2][j][i % 2 * 2];
        float* to = C + std::int64_t{y} * n + x;
        if (pairs) {
          if (x < n) *reinterpret_cast<float2*>(to) = make_float2(two[0], two[1]);
        } else {
          if (x < n) to[0] = two[0];
          if (x + 1 < n) to[1] = two[1];
        }
      }
    }
  }

 private:
  int row_, col_;    // of the warp's sums in the block's
  int g_, t_;        // mma.hpp
  int line_, half_;  // of load_matrices()
};

}  // namespace tensor
