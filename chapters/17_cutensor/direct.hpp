// Chapter 17, fourth lesson: the contraction by one kernel of ours, which reads the tensors as they
// lie. It is a product of matrices whose rows are (m,n), columns (u,v), inner index (h,k). All that
// is new are the addresses.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "check.hpp"
#include "tensors.hpp"

// A row of the product counts m first, then n; a column u, then v; the inner index h, then k. Where
// an element stands is a sum: one part comes from its row or column, the other from the inner
// index.
__device__ inline size_t row_in_A(const Contraction& c, int row) {
  return row % c.m + static_cast<size_t>(row / c.m) * c.k * c.h * c.m;
}
__device__ inline size_t inner_in_A(const Contraction& c, int p) {
  return static_cast<size_t>(p) * c.m;  // h and k follow each other in A: there they are one mode
}
__device__ inline size_t col_in_B(const Contraction& c, int col) {
  return col % c.u + static_cast<size_t>(col / c.u) * c.k * c.u;
}
__device__ inline size_t inner_in_B(const Contraction& c, int p) {
  return (p / c.h + static_cast<size_t>(p % c.h) * c.v * c.k) * c.u;
}
__device__ inline size_t row_in_C(const Contraction& c, int row) {
  return row % c.m + static_cast<size_t>(row / c.m) * c.u * c.m;
}
__device__ inline size_t col_in_C(const Contraction& c, int col) {
  return (col % c.u + static_cast<size_t>(col / c.u) * c.n * c.u) * c.m;
}

constexpr int tile_side = 128;       // a block makes 128 rows x 128 columns of C ...
constexpr int tile_depth = 8;        // ... from 8 values of the inner index at a time
constexpr int direct_threads = 256;  // 16 x 16, each of which makes 8 x 8
constexpr int each = 8;

// Four rows, or columns, that follow each other. `wide`: they are neighbours in memory, and begin
// at a multiple of 16 bytes; so one load brings them all. What lies beyond the last one counts as
// 0.
template <bool wide>
__device__ inline float4 load_four(const float* from, const size_t (&at)[4], size_t inner,
                                   int count) {
  if constexpr (wide) {
    return count > 0 ? *reinterpret_cast<const float4*>(from + at[0] + inner) : float4{};
  } else {
    return {count > 0 ? from[at[0] + inner] : 0.0F, count > 1 ? from[at[1] + inner] : 0.0F,
            count > 2 ? from[at[2] + inner] : 0.0F, count > 3 ? from[at[3] + inner] : 0.0F};
  }
}

// Four results of one column, from `row` on.
template <bool wide>
__device__ inline void store_four(const Contraction& c, float* column, int row, int count,
                                  const float (&results)[4], float beta) {
  // C is read only if it counts: it may hold anything, and 0 times a NaN is a NaN.
  if constexpr (wide) {
    if (count <= 0) return;
    auto* const to = reinterpret_cast<float4*>(column + row_in_C(c, row));
    const float4 old = beta == 0.0F ? float4{} : *to;
    *to = {results[0] + beta * old.x, results[1] + beta * old.y, results[2] + beta * old.z,
           results[3] + beta * old.w};
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (i >= count) return;
      float* const to = column + row_in_C(c, row + i);
      *to = results[i] + (beta == 0.0F ? 0.0F : beta * *to);
    }
  }
}

// Element i of the eight rows, or columns, that a thread has: four here, and four half a tile on.
// So 16 threads read 64 floats in one piece, and never two of them another word of the same bank.
__device__ inline int place_of(int thread, int i) {
  return i / 4 * (tile_side / 2) + 4 * thread + i % 4;
}

template <bool wide>
__global__ void __launch_bounds__(direct_threads)
    contract_directly(Contraction c, int rows, int cols, int inner, float alpha, const float* A,
                      const float* B, float beta, float* C) {
  __shared__ __align__(16) float A_tile[tile_depth][tile_side];
  __shared__ __align__(16) float B_tile[tile_depth][tile_side];
  const int tiles_down = (rows - 1) / tile_side + 1;
  const int first_row = static_cast<int>(blockIdx.x) % tiles_down * tile_side;
  const int first_col = static_cast<int>(blockIdx.x) / tiles_down * tile_side;

  // A warp loads one line of each tile, 16 bytes a lane. The divisions that find a row or a column
  // are done once, before the loop.
  const int place = static_cast<int>(threadIdx.x) % 32 * 4;
  const int line = static_cast<int>(threadIdx.x) / 32;
  size_t from_A[4], from_B[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    from_A[i] = row_in_A(c, first_row + place + i);
    from_B[i] = col_in_B(c, first_col + place + i);
  }

  const int x = static_cast<int>(threadIdx.x) % 16;  // along the rows of the product, which is m
  const int y = static_cast<int>(threadIdx.x) / 16;
  float sums[each][each] = {};
  for (int first = 0; first < inner; first += tile_depth) {
    const int p = first + line;
    const bool there = p < inner;
    *reinterpret_cast<float4*>(&A_tile[line][place]) =
        load_four<wide>(A, from_A, inner_in_A(c, p), there ? rows - first_row - place : 0);
    *reinterpret_cast<float4*>(&B_tile[line][place]) =
        load_four<wide>(B, from_B, inner_in_B(c, p), there ? cols - first_col - place : 0);
    __syncthreads();  // the tiles are complete before anyone reads them
#pragma unroll
    for (int q = 0; q < tile_depth; ++q) {
      float a[each], b[each];
#pragma unroll
      for (int i = 0; i < each; i += 4) {
        *reinterpret_cast<float4*>(a + i) =
            *reinterpret_cast<const float4*>(&A_tile[q][place_of(x, i)]);
        *reinterpret_cast<float4*>(b + i) =
            *reinterpret_cast<const float4*>(&B_tile[q][place_of(y, i)]);
      }
#pragma unroll
      for (int j = 0; j < each; ++j) {
#pragma unroll
        for (int i = 0; i < each; ++i) sums[j][i] += a[i] * b[j];
      }
    }
    __syncthreads();  // and read by all before anyone overwrites them
  }

#pragma unroll
  for (int j = 0; j < each; ++j) {
    const int col = first_col + place_of(y, j);
    if (col >= cols) continue;
    float* const column = C + col_in_C(c, col);
#pragma unroll
    for (int i = 0; i < each; i += 4) {
      const int row = first_row + place_of(x, i);
      const float four[] = {alpha * sums[j][i], alpha * sums[j][i + 1], alpha * sums[j][i + 2],
                            alpha * sums[j][i + 3]};
      store_four<wide>(c, column, row, rows - row, four, beta);
    }
  }
}

// Whether four neighbours along m, and along u, are always neighbours in memory, aligned.
inline bool all_in_fours(const Contraction& c, const float* A, const float* B, const float* C) {
  const auto aligned = [](const float* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  return c.m % 4 == 0 && c.u % 4 == 0 && aligned(A) && aligned(B) && aligned(C);
}

inline void launch_direct(const Contraction& c, float alpha, const float* A, const float* B,
                          float beta, float* C) {
  if (c.size_of_C() == 0) return;
  const auto tiles = [](size_t length) { return (length - 1) / tile_side + 1; };
  const auto blocks = static_cast<unsigned>(tiles(c.rows()) * tiles(c.cols()));
  const auto kernel = all_in_fours(c, A, B, C) ? contract_directly<true> : contract_directly<false>;
  kernel<<<blocks, direct_threads>>>(c, static_cast<int>(c.rows()), static_cast<int>(c.cols()),
                                     static_cast<int>(c.inner()), alpha, A, B, beta, C);
  CUDA_CHECK_LAUNCH();
}
