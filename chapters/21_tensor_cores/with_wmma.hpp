/// @file
/// The first two rungs: tensor cores by nvcuda::wmma. Its fragments are 16 x 16 numbers, and it
/// does not define which lane has which of them: so only wmma's own functions can do anything with
/// a fragment.
#pragma once

#include <mma.h>

#include "tiles.hpp"

namespace tensor {

namespace wmma = nvcuda::wmma;

template <class Element>
using WmmaA = wmma::fragment<wmma::matrix_a, 16, 16, 16, Element, wmma::row_major>;
template <class Element>
using WmmaB = wmma::fragment<wmma::matrix_b, 16, 16, 16, Element, wmma::row_major>;
using WmmaC = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

/// Whether wmma can load from, or store to, rows of n numbers: every fragment must begin at a
/// multiple of 32 bytes, and so must the matrix and each of its rows.
template <class Element>
__device__ bool suits_wmma(const Element* matrix, int n) {
  return reinterpret_cast<std::uintptr_t>(matrix) % 32 == 0 &&
         n % (32 / static_cast<int>(sizeof(Element))) == 0;
}

/// 16 x 16 numbers of a matrix into a warp's own buffer, zeros out of bounds: for wmma, which loads
/// only whole fragments.
template <class Element>
__device__ void copy_fragment(Element (&room)[16][16], const Element* from, int row, int col, int m,
                              int n) {
  __syncwarp();  // all lanes have read the previous one
  for (int i = static_cast<int>(threadIdx.x) % 32; i < 256; i += 32) {
    const int y = row + i / 16;
    const int x = col + i % 16;
    room[i / 16][i % 16] =
        y < m && x < n ? from[std::int64_t{y} * n + x] : static_cast<Element>(0.0F);
  }
  __syncwarp();
}

/// A fragment of sums to C, through the warp's own buffer if it is not whole.
inline __device__ void write_fragment(const WmmaC& sums, float (&room)[16][16], float* C, int row,
                                      int col, int m, int n) {
#ifndef COURSE_OLDER_THAN_AMPERE
  if (row >= m || col >= n) return;
  if (row + 16 <= m && col + 16 <= n && suits_wmma(C, n)) {
    wmma::store_matrix_sync(C + std::int64_t{row} * n + col, sums, n, wmma::mem_row_major);
    return;
  }
  __syncwarp();
  wmma::store_matrix_sync(&room[0][0], sums, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = static_cast<int>(threadIdx.x) % 32; i < 256; i += 32) {
    const int y = row + i / 16;
    const int x = col + i % 16;
    if (y < m && x < n) C[std::int64_t{y} * n + x] = room[i / 16][i % 16];
  }
#endif
}

/// A warp has 16 x 16 elements of C, a block four warps side by side. All numbers come from global
/// memory, each of A's for only 16 columns.
template <class T>
__global__ void __launch_bounds__(128) gemm_wmma(const Product<typename T::Element> g) {
#ifndef COURSE_OLDER_THAN_AMPERE
  using Element = typename T::Element;
  alignas(32) __shared__ Element A_room[4][16][16];
  alignas(32) __shared__ Element B_room[4][16][16];
  alignas(32) __shared__ float C_room[4][16][16];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int across = (g.n - 1) / 64 + 1;
  const int row = static_cast<int>(blockIdx.x) / across * 16;
  const int col = static_cast<int>(blockIdx.x) % across * 64 + warp * 16;
  if (col >= g.n) return;
  const bool A_suits = row + 16 <= g.m && suits_wmma(g.A, g.k);
  const bool B_suits = col + 16 <= g.n && suits_wmma(g.B, g.n);

  WmmaC sums;
  wmma::fill_fragment(sums, 0.0F);
  for (int p = 0; p < g.k; p += 16) {
    WmmaA<Element> a;
    WmmaB<Element> b;
    const bool whole = p + 16 <= g.k;
    if (A_suits && whole) {
      wmma::load_matrix_sync(a, g.A + std::int64_t{row} * g.k + p, g.k);
    } else {
      copy_fragment(A_room[warp], g.A, row, p, g.m, g.k);
      wmma::load_matrix_sync(a, &A_room[warp][0][0], 16);
    }
    if (B_suits && whole) {
      wmma::load_matrix_sync(b, g.B + std::int64_t{p} * g.n + col, g.n);
    } else {
      copy_fragment(B_room[warp], g.B, p, col, g.k, g.n);
      wmma::load_matrix_sync(b, &B_room[warp][0][0], 16);
    }
    wmma::mma_sync(sums, a, b, sums);
  }
  write_fragment(sums, C_room[warp], g.C, row, col, g.m, g.n);
#endif
}

/// A block has 128 x 128 elements of C, a warp 64 x 64, that is 4 x 4 fragments. They come from
/// shared memory, where each number serves 64 rows or columns.
template <class Tile, int bytes>
__global__ void __launch_bounds__(Tile::threads)
    gemm_wmma_shared(const Product<typename Tile::Element> g) {
#ifndef COURSE_OLDER_THAN_AMPERE
  using Element = typename Tile::Element;
  alignas(128) __shared__ char tiles[Tile::bytes];
  alignas(32) __shared__ float rooms[Tile::threads / 32][16][16];
  constexpr int ld_A = Tile::pitch_A / static_cast<int>(sizeof(Element));
  constexpr int ld_B = Tile::pitch_B / static_cast<int>(sizeof(Element));
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int across = (g.n - 1) / Tile::cols + 1;
  const int row = static_cast<int>(blockIdx.x) / across * Tile::rows;
  const int col = static_cast<int>(blockIdx.x) % across * Tile::cols;
  const int y = warp % Tile::down * 64;
  const int x = warp / Tile::down * 64;

  WmmaC sums[4][4];
#pragma unroll
  for (auto& row_of_sums : sums) {
#pragma unroll
    for (WmmaC& c : row_of_sums) wmma::fill_fragment(c, 0.0F);
  }
  for (int first = 0; first < g.k; first += Tile::depth) {
    copy_tiles<Tile, bytes>(tiles, g, row, col, first);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const auto* A = reinterpret_cast<const Element*>(tiles) + y * ld_A;
    const auto* B = reinterpret_cast<const Element*>(tiles + Tile::bytes_A) + x;
#pragma unroll 2
    for (int p = 0; p < Tile::depth; p += 16) {
      WmmaB<Element> b[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) wmma::load_matrix_sync(b[j], B + p * ld_B + 16 * j, ld_B);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        WmmaA<Element> a;
        wmma::load_matrix_sync(a, A + 16 * i * ld_A + p, ld_A);
#pragma unroll
        for (int j = 0; j < 4; ++j) wmma::mma_sync(sums[i][j], a, b[j], sums[i][j]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      write_fragment(sums[i][j], rooms[warp], g.C, row + y + 16 * i, col + x + 16 * j, g.m, g.n);
    }
  }
#endif
}

}  // namespace tensor
