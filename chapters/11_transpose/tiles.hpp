// Chapter 11, second lesson: a tile in shared memory. A block reads it row by row and writes it
// column by column, so that a warp has neighbours at both ends. What changes from kernel to kernel
// is where in the tile an element waits, and how many of them a thread carries.
#pragma once

#include "in_memory.hpp"

// How many elements are as wide as a bank.
template <class E>
constexpr int a_word = 4 / sizeof(E);

// Without padding the 32 elements of a column lie in one bank (in two, if they are of 2 bytes).
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

// A tile twice as wide: each thread has two loads on their way before it waits at the barrier.
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

// A tile of 32 x 32 for a block of 32 x 8: four rows a thread. Small blocks come and go one by one,
// where of those of 1,024 threads a multiprocessor holds two, and all of one wait at its barrier.
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

// No padding. Row i keeps its elements in another order, element j at place j ^ i. In a row that is
// a permutation; and down a column all 32 places differ, since all i do.
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
