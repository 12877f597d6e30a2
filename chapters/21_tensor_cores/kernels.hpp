/// @file
/// The kernels of chapter 21 whose warps load fragments themselves, and their launches.
#pragma once

#include "tiles.hpp"

namespace tensor {

/// The row and column where a block's tile of C begins. Concurrent blocks cover eight rows of
/// tiles: they share what they read (chapter 19, block order).
template <class Tile>
__device__ int2 place_of(int block, int m, int n) {
  const int down = (m - 1) / Tile::rows + 1;
  const int across = (n - 1) / Tile::cols + 1;
  const int band = block / (8 * across) * 8;
  const int band_height = min(8, down - band);
  const int place = block - band * across;
  return make_int2((band + place % band_height) * Tile::rows, place / band_height * Tile::cols);
}

/// One stage: copy, wait, multiply, wait. `bytes`: per copy.
template <class Tile, int bytes>
__global__ void __launch_bounds__(Tile::threads)
    gemm_one_stage(const Product<typename Tile::Element> g, const bool pairs) {
  extern __shared__ char4 shared[];
  char* stage = reinterpret_cast<char*>(shared);
  const int2 place = place_of<Tile>(blockIdx.x, g.m, g.n);
  WarpTile<Tile> warp;
  warp.clear();
  for (int first = 0; first < g.k; first += Tile::depth) {
    copy_tiles<Tile, bytes>(stage, g, place.x, place.y, first);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int quarter = 0; quarter < 4; ++quarter) {
      Fragments f;
      warp.read(f, stage, quarter);
      warp.multiply(f);
    }
    __syncthreads();
  }
  warp.write(g.C, place.x, place.y, g.m, g.n, pairs);
}

/// Several stages: while one is multiplied, the copies of the next ones are in flight.
template <class Tile, int bytes>
__global__ void __launch_bounds__(Tile::threads)
    gemm_stages(const Product<typename Tile::Element> g, const bool pairs) {
  extern __shared__ char4 shared[];
  char* stages = reinterpret_cast<char*>(shared);
  const int2 place = place_of<Tile>(blockIdx.x, g.m, g.n);
  const int steps = (g.k + Tile::depth - 1) / Tile::depth;
  const auto prefetch = [&](int step) {
    if (step < steps) {
      char* stage = stages + step % Tile::stages * Tile::stage;
      copy_tiles<Tile, bytes>(stage, g, place.x, place.y, step * Tile::depth);
    }
    __pipeline_commit();  // one batch per step, even if it is empty
  };
  WarpTile<Tile> warp;
  warp.clear();
  for (int step = 0; step < Tile::stages - 1; ++step) prefetch(step);
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(Tile::stages - 2);  // this thread's copies of this step have arrived ...
    __syncthreads();                          // ... all threads', and all have read the last stage
    prefetch(step + Tile::stages - 1);
    const char* stage = stages + step % Tile::stages * Tile::stage;
#pragma unroll
    for (int quarter = 0; quarter < 4; ++quarter) {
      Fragments f;
      warp.read(f, stage, quarter);
      warp.multiply(f);
    }
  }
  warp.write(g.C, place.x, place.y, g.m, g.n, pairs);
}

/// The same; but while one quarter of a stage is multiplied, the fragments of the next are read.
/// The wait and the barrier come before a stage's last quarter: after them its successor is read.
template <class Tile, int bytes>
__global__ void __launch_bounds__(Tile::threads, 1)
    gemm_read_ahead(const Product<typename Tile::Element> g, const bool pairs) {
  extern __shared__ char4 shared[];
  char* stages = reinterpret_cast<char*>(shared);
  const int2 place = place_of<Tile>(blockIdx.x, g.m, g.n);
  const int steps = (g.k + Tile::depth - 1) / Tile::depth;
  const auto prefetch = [&](int step, int slot) {
    if (step < steps) {
      copy_tiles<Tile, bytes>(stages + slot * Tile::stage, g, place.x, place.y, step * Tile::depth);
    }
    __pipeline_commit();
  };
  WarpTile<Tile> warp;
  warp.clear();
  for (int step = 0; step < Tile::stages - 1; ++step) prefetch(step, step);
  __pipeline_wait_prior(Tile::stages - 2);
  __syncthreads();

  Fragments f[2];
  if (steps > 0) warp.read(f[0], stages, 0);
  int now = 0;                  // the stage that is multiplied
  int free = Tile::stages - 1;  // the one that all threads have read
  for (int step = 0; step < steps; ++step) {
    const int next = now + 1 == Tile::stages ? 0 : now + 1;
#pragma unroll
    for (int quarter = 0; quarter < 4; ++quarter) {
      if (quarter == 3) {
        __pipeline_wait_prior(Tile::stages - 2);
        __syncthreads();
        if (step + 1 < steps) warp.read(f[0], stages + next * Tile::stage, 0);
      } else {
        warp.read(f[(quarter + 1) % 2], stages + now * Tile::stage, quarter + 1);
      }
      if (quarter == 0) prefetch(step + Tile::stages - 1, free);
      warp.multiply(f[quarter % 2]);
    }
    free = now;
    now = next;
  }
  warp.write(g.C, place.x, place.y, g.m, g.n, pairs);
}

/// The same with cheap copies. Where a step's tiles are whole and its rows are aligned to 16 bytes,
/// a copy needs no check and no address computation, and copies are placed between the
/// multiplications. The last steps, and blocks at an edge, are as before.
template <class Tile, int bytes>
__global__ void __launch_bounds__(Tile::threads, 1)
    gemm_whole_tiles(const Product<typename Tile::Element> g, const bool pairs) {
  extern __shared__ char4 shared[];
  char* const stages = reinterpret_cast<char*>(shared);
  char* const end = stages + Tile::bytes;
  const int2 place = place_of<Tile>(blockIdx.x, g.m, g.n);
  const int steps = (g.k + Tile::depth - 1) / Tile::depth;
  const auto prefetch = [&](int step, char* stage) {
    if (step < steps) copy_tiles<Tile, bytes>(stage, g, place.x, place.y, step * Tile::depth);
  };
  WarpTile<Tile> warp;
  warp.clear();
  for (int step = 0; step < Tile::stages - 1; ++step) {
    prefetch(step, stages + step * Tile::stage);
    __pipeline_commit();
  }
  __pipeline_wait_prior(Tile::stages - 2);
  __syncthreads();

  Fragments f[2];
  if (steps > 0) warp.read(f[0], stages, 0);
  char* now = stages;              // the stage that is multiplied
  char* free = end - Tile::stage;  // the one that all threads have read
  TileCopies<Tile> copies(g, place.x, place.y, Tile::stages - 1);
  int step = 0;
  const auto pass = [&]<bool whole>() {
    char* const next = now + Tile::stage == end ? stages : now + Tile::stage;
#pragma unroll
    for (int quarter = 0; quarter < 4; ++quarter) {
      if (quarter == 3) {
        __pipeline_wait_prior(Tile::stages - 2);
        __syncthreads();
        if (whole || step + 1 < steps) warp.read(f[0], next, 0);
      } else {
        warp.read(f[(quarter + 1) % 2], now, quarter + 1);
      }
      if (!whole && quarter == 0) prefetch(step + Tile::stages - 1, free);
      warp.multiply(f[quarter % 2], [&](int row) {
        if (whole && quarter < 3) copies.copy_part(free, 4 * quarter + row, 12);
      });
      if (quarter == 2) __pipeline_commit();
    }
    free = now;
    now = next;
    ++step;
  };
  const bool inside = bytes == 16 && place.x + Tile::rows <= g.m && place.y + Tile::cols <= g.n;
  const int whole_steps = inside ? g.k / Tile::depth : 0;
#pragma unroll 1
  while (step + Tile::stages - 1 < whole_steps) pass.template operator()<true>();
#pragma unroll 1
  while (step < steps) pass.template operator()<false>();
  warp.write(g.C, place.x, place.y, g.m, g.n, pairs);
}

// ---------------------------------------------------------------- launching

/// The widest copies that the rows allow: 16 bytes, 4, or a single number.
template <class Element>
int copy_bytes(const Product<Element>& g) {
  const auto of = [](const Element* matrix, std::int64_t ld) {
    return reinterpret_cast<std::uintptr_t>(matrix) |
           static_cast<std::uintptr_t>(ld) * sizeof(Element);
  };
  const std::uintptr_t all = of(g.A, g.lda) | of(g.B, g.ldb);
  return all % 16 == 0 ? 16 : all % 4 == 0 ? 4 : 2;
}

/// A kernel in three variants, by the bytes per copy. Floats need only two.
template <class Tile>
struct Kernels {
  using Kernel = void (*)(const Product<typename Tile::Element>, const bool);
  Kernel by_16, by_4, by_2;
  Kernel of(int bytes) const { return bytes == 16 ? by_16 : bytes == 4 ? by_4 : by_2; }
};

template <class Tile>
unsigned blocks_of(int m, int n) {
  return static_cast<unsigned>((m - 1) / Tile::rows + 1) *
         static_cast<unsigned>((n - 1) / Tile::cols + 1);
}

/// One block per tile of C.
template <class Tile>
void launch(const Kernels<Tile>& kernels, const Product<typename Tile::Element>& g) {
  if (g.m == 0 || g.n == 0) return;
  const auto kernel = kernels.of(copy_bytes(g));
  // More than 48 KiB of shared memory per block must be requested.
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::bytes));
  const bool pairs = g.n % 2 == 0 && reinterpret_cast<std::uintptr_t>(g.C) % 8 == 0;
  kernel<<<blocks_of<Tile>(g.m, g.n), Tile::threads, Tile::bytes>>>(g, pairs);
  CUDA_CHECK_LAUNCH();
}

template <class Tile>
void launch_one_stage(const Product<typename Tile::Element>& g) {
  launch<Tile>({gemm_one_stage<Tile, 16>, gemm_one_stage<Tile, 4>, gemm_one_stage < Tile,
                Tile::floats ? 4 : 2 > },
               g);
}

template <class Tile>
void launch_stages(const Product<typename Tile::Element>& g) {
  launch<Tile>(
      {gemm_stages<Tile, 16>, gemm_stages<Tile, 4>, gemm_stages < Tile, Tile::floats ? 4 : 2 > },
      g);
}

template <class Tile>
void launch_read_ahead(const Product<typename Tile::Element>& g) {
  launch<Tile>({gemm_read_ahead<Tile, 16>, gemm_read_ahead<Tile, 4>, gemm_read_ahead < Tile,
                Tile::floats ? 4 : 2 > },
               g);
}

template <class Tile>
void launch_whole_tiles(const Product<typename Tile::Element>& g) {
  launch<Tile>({gemm_whole_tiles<Tile, 16>, gemm_whole_tiles<Tile, 4>, gemm_whole_tiles < Tile,
                Tile::floats ? 4 : 2 > },
               g);
}

}  // namespace tensor
