// Chapter 06, second lesson: column-major A, and more threads. The columns of a row are split among
// several threads, and the partial sums are added up:
//
//   split warps        ... among the 32 warps of a block, by shared memory
//   split atomics      ... also among blocks, by atomic additions to y, in any order
//   split two passes   ... by a second kernel, always in the same order
//
// The kernels are templates over what one load fetches, a Chunk: a float, or a float4 where
// addresses are aligned for it.
#pragma once

#include "chunk.hpp"
#include "course.hpp"

using course::add_product;
using course::chunk_floats;
using course::warp;
using course::with_chunk;

// A block's warps share columns first .. last - 1 of 32 chunks of rows, one chunk per lane. Warp 0
// gets the sums; the other warps' results mean nothing.
template <class Chunk>
__device__ Chunk sum_of_columns(const float* A, const float* x, int m, int first, int last) {
  __shared__ Chunk partial[32][warp];
  const int lane = threadIdx.x % warp;
  const int this_warp = threadIdx.x / warp;
  const int warps = blockDim.x / warp;
  const int chunk = blockIdx.x * warp + lane;

  Chunk sum = {};
  if (chunk < m / chunk_floats<Chunk>) {
#pragma unroll 8
    for (int j = first + this_warp; j < last; j += warps) {
      const float* const column = A + static_cast<size_t>(j) * m;
      add_product(sum, reinterpret_cast<const Chunk*>(column)[chunk], x[j]);
    }
  }
  partial[this_warp][lane] = sum;
  __syncthreads();
  if (this_warp == 0) {
    for (int w = 1; w < warps; ++w) {
      const Chunk other = partial[w][lane];
      add_product(sum, other, 1.0F);
    }
  }
  return sum;
}

// The blocks of a row of the grid share the matrix's rows, those of a column of it the matrix's
// columns: `width` each. Every piece of the columns writes its sums to its own vector; if there is
// one piece, that vector is y.
template <class Chunk, int block>
__global__ void __launch_bounds__(block)
    sgemv_split(const float* A, const float* x, float* sums, int m, int n, int width) {
  const int first = blockIdx.y * width;
  const Chunk sum = sum_of_columns<Chunk>(A, x, m, first, first + min(width, n - first));
  const int chunk = blockIdx.x * warp + threadIdx.x;
  if (threadIdx.x >= warp || chunk >= m / chunk_floats<Chunk>) return;
  reinterpret_cast<Chunk*>(sums + static_cast<size_t>(blockIdx.y) * m)[chunk] = sum;
}

// Every piece adds its sums to y.
template <class Chunk>
__global__ void __launch_bounds__(256)
    sgemv_split_atomics(const float* A, const float* x, float* y, int m, int n, int width) {
  const int first = blockIdx.y * width;
  const Chunk sum = sum_of_columns<Chunk>(A, x, m, first, first + min(width, n - first));
  const int row = (blockIdx.x * warp + threadIdx.x) * chunk_floats<Chunk>;
  if (threadIdx.x >= warp || row >= m) return;
  const float* const sums = reinterpret_cast<const float*>(&sum);
  for (int k = 0; k < chunk_floats<Chunk>; ++k) atomicAdd(&y[row + k], sums[k]);
}

// The second pass: y(row) = sum of the pieces' partial sums.
__global__ void sgemv_add_pieces(const float* partial, float* y, int m, int pieces) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0F;
  for (int piece = 0; piece < pieces; ++piece) sum += partial[static_cast<size_t>(piece) * m + row];
  y[row] = sum;
}

// ---------------------------------------------------------------- launchers

// A grid for the split: enough blocks for the rows, 32 chunks each, times pieces of the columns.
struct Split {
  dim3 grid;
  int width;  // columns per piece
  Split(int m, int n, int most_blocks) {
    const int blocks = (m / (m % 4 == 0 ? 4 : 1) - 1) / warp + 1;
    const int last = std::max(n, 1) - 1;
    width = last / std::clamp(most_blocks / blocks, 1, last / 64 + 1) + 1;  // at least 64 columns
    grid = dim3(blocks, last / width + 1);
  }
};
constexpr int many_blocks = 1024;  // enough to keep any GPU busy

void launch_split_warps(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const Split split(m, n, 1);
  with_chunk(m, [&](auto chunk) {
    sgemv_split<decltype(chunk), 1024><<<split.grid, 1024>>>(A, x, y, m, n, split.width);
  });
  CUDA_CHECK_LAUNCH();
}

void launch_split_atomics(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const Split split(m, n, many_blocks);
  CUDA_CHECK(cudaMemsetAsync(y, 0, m * sizeof(float)));  // the blocks add to y
  with_chunk(m, [&](auto chunk) {
    sgemv_split_atomics<decltype(chunk)><<<split.grid, 256>>>(A, x, y, m, n, split.width);
  });
  CUDA_CHECK_LAUNCH();
}

// @param partial room for Split(m, n, many_blocks).grid.y vectors of m elements
void launch_split_two_passes(const float* A, const float* x, float* partial, float* y, int m,
                             int n) {
  if (m == 0) return;
  const Split split(m, n, many_blocks);
  with_chunk(m, [&](auto chunk) {
    sgemv_split<decltype(chunk), 256><<<split.grid, 256>>>(A, x, partial, m, n, split.width);
  });
  CUDA_CHECK_LAUNCH();
  sgemv_add_pieces<<<(m - 1) / 128 + 1, 128>>>(partial, y, m, split.grid.y);
  CUDA_CHECK_LAUNCH();
}
