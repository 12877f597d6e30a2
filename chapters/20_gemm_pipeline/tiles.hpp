/// @file
/// The tiles of chapter 20: a block's contents of shared memory, and how they get there.
///
/// - A's tile is transposed, so that a thread reads four rows at once. Copies of 4 bytes transpose
///   it: asynchronous ones cost no register, and accept a matrix that begins anywhere.
/// - B's tile is in the order of memory. It is copied 16 bytes at a time where B's rows allow that.
/// - What is out of bounds arrives as 0; but see clear_columns().
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>

#include "scratch.hpp"

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

/// Whether rows with this leading dimension are all aligned to 16 bytes.
inline bool on_16_bytes(const float* first, std::int64_t ld) {
  return reinterpret_cast<std::uintptr_t>(first) % 16 == 0 && ld % 4 == 0;
}

/// Whether rows with this leading dimension are all aligned to lines of 128 bytes.
inline bool on_lines(const float* first, std::int64_t ld) {
  return reinterpret_cast<std::uintptr_t>(first) % 128 == 0 && ld % 32 == 0;
}

/// A block computes rows x cols of C, a thread R x C of them, `depth` terms of the sums at a time.
/// A warp is 8 x 4 threads. Shared memory holds `stages` tiles of A and of B, and `resident` blocks
/// should fit on a multiprocessor.
template <int rows_, int cols_, int depth_, int R_, int C_, int stages_, int resident_ = 1>
struct Tile {
  static constexpr int rows = rows_, cols = cols_, depth = depth_, R = R_, C = C_;
  static constexpr int stages = stages_;
  static constexpr int resident = resident_;
  static constexpr int warps_down = rows / (8 * R);
  static constexpr int threads = 32 * warps_down * (cols / (4 * C));
  static constexpr int pitch = rows + 4;  ///< of A's: 8 columns of 4 rows in 32 banks
  static constexpr int A_floats = depth * pitch;
  static constexpr int floats = A_floats + depth * cols;  ///< of a stage
  static constexpr int bytes = stages * floats * 4;
  static_assert(R % 4 == 0 && C % 4 == 0 && rows % (8 * R) == 0 && cols % (4 * C) == 0);
};

/// Several tiles, of which a model chooses one.
template <class... Tiles>
struct TileList {};

// ---------------------------------------------------------------- copies

/// An address in shared memory. Many copies go to places near each other: each of them has this
/// number and a constant. From a pointer the compiler would compute again for each copy where in
/// shared memory it points, with four instructions.
inline __device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// An asynchronous copy to shared memory. A few bytes of a row are followed by the next ones: so
/// the copy asks the level-2 cache to fetch all 128 bytes of the line.
/// @param read bytes that are copied; the bytes after them arrive as 0
template <int bytes>
__device__ void copy_async(std::uint32_t to, const float* from, int read = bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  // Nothing is asynchronous on older GPUs: each number goes through a register.
#pragma unroll
  for (int i = 0; i < bytes; i += 4) {
    const float number = i < read ? from[i / 4] : 0.0F;
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(to + i), "f"(number) : "memory");
  }
#else
  if constexpr (bytes == 16) {
    __pipeline_memcpy_async(__cvta_shared_to_generic(to), from, 16, 16 - read);
  } else {
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;" ::"r"(to), "l"(from),
                 "n"(bytes), "r"(read)
                 : "memory");
  }
#endif
}

/// A thread's share of A's tile. A warp reads 8 neighbours in each of 4 rows: 4 whole sectors.
/// @param stage its shared_address()
template <class T, int threads>
__device__ void copy_A(std::uint32_t stage, const Product& g, int first_row, int first,
                       int thread) {
  const int x = thread % 8;
  const int y = thread / 8;
  const float* from = g.A + (first_row + y) * g.lda + first + x;
  const std::uint32_t to = stage + (x * T::pitch + y) * 4;
  if (first_row + T::rows <= g.m && first + T::depth <= g.k) {
#pragma unroll 4
    for (int i = 0; i < T::rows; i += threads / 8) {
#pragma unroll
      for (int p = 0; p < T::depth; p += 8) {
        copy_async<4>(to + (p * T::pitch + i) * 4, from + p);
      }
      from += threads / 8 * g.lda;
    }
    return;
  }
  // Beyond an edge nothing is read: all 4 bytes are 0. But the address counts, for the hardware
  // still looks it up: it is always the same one, which is in level-1 cache.
  const int rows_left = g.m - first_row - y;
  if (first + T::depth <= g.k) {
#pragma unroll 4
    for (int i = 0; i < T::rows; i += threads / 8) {
      const bool there = i < rows_left;
      const float* row = there ? from : g.A;
#pragma unroll
      for (int p = 0; p < T::depth; p += 8) {
        copy_async<4>(to + (p * T::pitch + i) * 4, row + p, there ? 4 : 0);
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
      copy_async<4>(to + (p * T::pitch + i) * 4, there ? from + p : g.A, there ? 4 : 0);
    }
    from += threads / 8 * g.lda;
  }
}

/// Neighbours of a row, of which only some exist. A copy of 16 bytes bypasses level-1 cache, so
/// even one that copies nothing takes its time; two of 8 bytes do not.
/// @param from  address of the first of them, or, if none exists, any valid address
/// @param there how many; any number below 1: none
template <int floats>
__device__ void copy_some(std::uint32_t to, const float* from, int there) {
  if constexpr (floats == 1) {
    copy_async<4>(to, from, there > 0 ? 4 : 0);
  } else if (there >= floats) {
    copy_async<16>(to, from);
  } else if (there <= 0) {
    copy_async<8>(to, from, 0);
    copy_async<8>(to + 8, from, 0);
  } else {
#pragma unroll 1  // rare: a short loop leaves registers to others
    for (int j = 0; j < floats; ++j) {
      copy_async<4>(to + j * 4, j < there ? from + j : from, j < there ? 4 : 0);
    }
  }
}

/// If copies have four columns each, nothing is copied for groups entirely beyond C's last column.
/// Their sums are discarded; but memory that is read must have been written once.
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
__device__ void copy_B(std::uint32_t stage, const Product& g, int first, int first_col,
                       int thread) {
  constexpr int in_row = T::cols / floats;
  constexpr int pieces = in_row < threads ? in_row : threads;  // per row, at once
  constexpr int at_once = threads / pieces;                    // rows
  static_assert(threads % pieces == 0 && T::depth % at_once == 0);
  const int x = thread % pieces * floats;
  const int y = thread / pieces;
  const float* from = g.B + (first + y) * g.ldb + first_col + x;
  const std::uint32_t to = stage + (T::A_floats + y * T::cols + x) * 4;
  if (first_col + T::cols <= g.n && first + T::depth <= g.k) {
#pragma unroll 4
    for (int p = 0; p < T::depth; p += at_once) {
#pragma unroll
      for (int i = 0; i < T::cols; i += pieces * floats) {
        copy_async<floats * 4>(to + (p * T::cols + i) * 4, from + i);
      }
      from += at_once * g.ldb;
    }
    return;
  }
  const int cols_left = g.n - first_col - x;
  if (first + T::depth <= g.k) {
    // The last columns of tiles. The same pieces exist in all rows: so the loop need not check.
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
          copy_some<floats>(to + (p * T::cols + i * pieces * floats) * 4, from + offset[i],
                            there[i]);
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
      if (floats > 1 && i >= cols_left) continue;  // clear_columns()
      const int there = p < steps_left ? cols_left - i : 0;
      copy_some<floats>(to + (p * T::cols + i) * 4, there > 0 ? from + i : g.B, there);
    }
    from += at_once * g.ldb;
  }
}

}  // namespace ours
