// Chapter 11, first lesson: a copy, which is the least that a transpose costs, and two transposes
// that go straight from memory to memory. In one a warp reads neighbours, in the other it writes
// neighbours.
#pragma once

#include <cstdint>

#include "course.hpp"
#include "row_major.hpp"

// A is m x n and B is n x m, both row-major: B(x, y) = A(y, x). A transpose only moves bits, so the
// kernels are templates over an element of 4 bytes or of 2, whatever its meaning.

using course::at;  // the position of an element: at(row, column, length of a row)

constexpr int side = 32;  // of a tile: a warp's lanes cover one row of it

// Where a tile begins. A grid may have 2^31 blocks in x, but only 65,535 in y: too few for a tall
// matrix. So blocks are numbered in x alone, and here tiles are numbered along a row of A first.
struct TileOrigin {
  int x, y;
};
__device__ inline TileOrigin tile_origin(int n, int wide, int tall) {
  const unsigned across = (n - 1) / wide + 1;
  return {static_cast<int>(blockIdx.x % across) * wide,
          static_cast<int>(blockIdx.x / across) * tall};
}

// 16 bytes per thread, whatever they contain; and the remaining elements.
template <class E>
__global__ void copy(const E* A, E* B, size_t count) {
  constexpr size_t in_16_bytes = 16 / sizeof(E);
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if ((i + 1) * in_16_bytes <= count) {
    reinterpret_cast<uint4*>(B)[i] = reinterpret_cast<const uint4*>(A)[i];
  } else {
    for (size_t k = i * in_16_bytes; k < count; ++k) B[k] = A[k];
  }
}

// A warp reads a piece of a row, and writes 32 elements that are m apart.
template <class E>
__global__ void by_rows(const E* A, E* B, int m, int n) {
  const TileOrigin origin = tile_origin(n, side, side);
  const int x = origin.x + threadIdx.x;
  const int y = origin.y + threadIdx.y;
  if (x < n && y < m) B[at(x, y, m)] = A[at(y, x, n)];
}

// The other way round: it reads elements that are n apart, and writes a piece of a row.
template <class E>
__global__ void by_columns(const E* A, E* B, int m, int n) {
  const TileOrigin origin = tile_origin(n, side, side);
  const int x = origin.x + threadIdx.y;
  const int y = origin.y + threadIdx.x;
  if (x < n && y < m) B[at(x, y, m)] = A[at(y, x, n)];
}
