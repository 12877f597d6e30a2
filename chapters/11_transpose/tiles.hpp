// Chapter 11, second lesson: a tile in shared memory. A block reads it row by row and writes it
// column by column, so that a warp accesses neighbours on both sides. The kernels differ in where
// an element is in the tile, and in how many elements a thread moves.
#pragma once

#include "in_memory.hpp"

// How many elements fit in a bank's width.
template <class E>
constexpr int a_word = 4 / sizeof(E);

// Without padding the 32 elements of a column are in one bank (in two, if they are of 2 bytes).
// With rows that are a word longer, each row begins one bank further on.
template <class E, int padding>
__global__ void through_tile(const E* A, E* B, int m, int n) {
  __shared__ E tile[side][side + padding];
  const TileOrigin origin = tile_origin(n, side, side);
  const int i = threadIdx.y;
  const int j = threadIdx.x;
  if (origin.x + j < n && origin.y + i < m) tile[i][j] = A[at(origin.y + i, origin.x + j, n)];
  __syncthreads();
  if (origin.x + i < n && origin.y + j < m) B[at(origin.x + i, origin.y + j, m)] = tile[j][i];
}

// A tile twice as wide: each thread has two loads in flight before it waits at the barrier.
template <class E>
__global__ void two_a_thread(const E* A, E* B, int m, int n) {
  __shared__ E tile[side][2 * side + a_word<E>];
  const TileOrigin origin = tile_origin(n, 2 * side, side);
  const int i = threadIdx.y;
  const int j = threadIdx.x;
  for (const int k : {0, side}) {
    const int x = origin.x + j + k;
    if (x < n && origin.y + i < m) tile[i][j + k] = A[at(origin.y + i, x, n)];
  }
  __syncthreads();
  for (const int k : {0, side}) {
    const int x = origin.x + i + k;
    if (x < n && origin.y + j < m) B[at(x, origin.y + j, m)] = tile[j][i + k];
  }
}

// A tile of 32 x 32 for a block of 32 x 8: four rows per thread. Small blocks start and end one by
// one; of blocks of 1,024 threads only two fit on a multiprocessor, and one barrier stops 1,024.
constexpr int block_rows = 8;

template <class E>
__global__ void four_a_thread(const E* A, E* B, int m, int n) {
  __shared__ E tile[side][side + a_word<E>];
  const TileOrigin origin = tile_origin(n, side, side);
  const int j = threadIdx.x;
#pragma unroll
  for (int i = threadIdx.y; i < side; i += block_rows) {
    if (origin.x + j < n && origin.y + i < m) tile[i][j] = A[at(origin.y + i, origin.x + j, n)];
  }
  __syncthreads();
#pragma unroll
  for (int i = threadIdx.y; i < side; i += block_rows) {
    if (origin.x + i < n && origin.y + j < m) B[at(origin.x + i, origin.y + j, m)] = tile[j][i];
  }
}

// No padding. Row i stores its elements in another order, element j in column j ^ i. In a row that
// is a permutation; down a column all 32 positions differ, since all i do.
template <class E>
__global__ void swizzled(const E* A, E* B, int m, int n) {
  __shared__ E tile[side][side];
  const TileOrigin origin = tile_origin(n, side, side);
  const int j = threadIdx.x;
#pragma unroll
  for (int i = threadIdx.y; i < side; i += block_rows) {
    if (origin.x + j < n && origin.y + i < m) tile[i][j ^ i] = A[at(origin.y + i, origin.x + j, n)];
  }
  __syncthreads();
#pragma unroll
  for (int i = threadIdx.y; i < side; i += block_rows) {
    if (origin.x + i < n && origin.y + j < m) B[at(origin.x + i, origin.y + j, m)] = tile[j][i ^ j];
  }
}
