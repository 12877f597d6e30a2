/// @file
/// A product with few tiles: the blocks of a cluster share one tile, each has a part of its terms.
/// They add up their sums through each other's shared memory, without a detour through global
/// memory.
#pragma once

#include <array>

#include "launch.hpp"

namespace hopper {

/// With more blocks, adding up costs more than they save.
constexpr int largest_split = 8;

/// The memory of the stages, once all have been multiplied: the sums of all threads, as
/// Partials::store_partial() writes them.
template <class Tile>
struct SplitSums {
  float4 sums[Tile::products][Tile::sums / 4][Tile::threads];
};

#ifndef COURSE_WITHOUT_WGMMA

/// One tile per cluster, and this block's steps of it.
template <class Tile>
struct SplitScheduler {
  int tile, rank, blocks, first, last;
  static constexpr int row = 0, col = 0;
  static constexpr Cluster cluster = {};  ///< nothing is copied for other blocks
  int down, across, band_height;
  bool begun = false;

  __device__ SplitScheduler(const Product& g, int band_height)
      : rank(rank_in_cluster()),
        blocks(blocks_in_cluster()),
        down(cluster_tiles_down<Tile>(g.m)),
        across(cluster_tiles_across<Tile>(g.n)),
        band_height(band_height) {
    const int steps = (g.k - 1) / Tile::depth + 1;
    tile = static_cast<int>(blockIdx.x) / blocks;
    first = steps * rank / blocks;
    last = steps * (rank + 1) / blocks;
  }
  __device__ bool next() {
    const bool is_first = !begun;
    begun = true;
    return is_first;
  }
  __device__ int2 place() const {
    const int2 at = tile_place(tile, down, across, band_height);
    return make_int2(at.x * Tile::rows, at.y * Tile::cols);
  }
};

/// The work of a consumer warpgroup: its block's part of the products; then, of the pieces of C
/// that fall to this block, the sums of all blocks.
template <class Tile, class Storage>
__device__ void run_split_consumer(Storage& storage, const Maps& maps, const Product& g,
                                   SplitScheduler<Tile> scheduler, Output output) {
  static_assert(sizeof(SplitSums<Tile>) <= sizeof(storage.stage));
  auto& own = reinterpret_cast<SplitSums<Tile>&>(storage.stage);
  TileWriter<Tile, 1> write{{}, storage.epilogue[Pieces<Tile>::buffer()], maps.C, g, output};
  PipelineState<Tile> state;
  float d[Tile::products][Tile::sums];
  multiply_steps<Tile>(storage, state, d, scheduler);

  course::sync_consumers<Tile>();  // the other warpgroup has also multiplied the last stage
  Partials<Tile>{d}.store_partial(&own.sums[0][0][0].x, 1.0F);
  sync_cluster();
#pragma unroll
  for (int piece = 0; piece < write.all; ++piece) {
    if (piece % scheduler.blocks != scheduler.rank) continue;
    const int p = piece / write.of_product;
    const int first = piece % write.of_product * write.sums;
#pragma unroll 1
    for (int i = 1; i < scheduler.blocks; ++i) {
      const int other = (scheduler.rank + i) % scheduler.blocks;
#pragma unroll
      for (int c = first; c < first + write.sums; c += 4) {
        const float4 four = load_from(&own.sums[p][c / 4][threadIdx.x], other);
        d[p][c] += four.x, d[p][c + 1] += four.y, d[p][c + 2] += four.z, d[p][c + 3] += four.w;
      }
    }
  }
  write(d, scheduler.place(), scheduler.rank, scheduler.blocks);
  wait_until_read<0>();  // shared memory must exist until then
}

#endif

/// One tile per cluster of any number of blocks, up to largest_split.
template <class Tile>
__global__ void __launch_bounds__(128 * (Tile::groups + 1), 1)
    gemm_split(const __grid_constant__ Maps maps, const Product g, const int band_height,
               const Output output) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& storage = *reinterpret_cast<Storage<Tile, true>*>(shared);
  init_ring<Tile>(storage, maps, 1);
  __syncthreads();
  const SplitScheduler<Tile> scheduler(g, band_height);
  if (threadIdx.x >= 128 * Tile::groups) {
    if constexpr (Tile::groups > 1) setmaxnreg_dec<producer_registers<Tile>>();
    if (threadIdx.x == 128 * Tile::groups) run_producer<Tile>(storage, maps, scheduler);
    __syncwarp();
    sync_cluster();
  } else {
    if constexpr (Tile::groups > 1) setmaxnreg_inc<consumer_registers<Tile>>();
    run_split_consumer<Tile>(storage, maps, g, scheduler, output);
  }
  meet_cluster();  // other blocks may still read this block's sums
#endif
}

/// A launch of gemm_split whose grid is still to be set.
template <class Tile>
struct SplitLaunch : ClusterLaunch {
  explicit SplitLaunch(int blocks)
      : ClusterLaunch(gemm_split<Tile>, blocks, 128 * (Tile::groups + 1),
                      sizeof(Storage<Tile, true>)) {}
};

/// How many clusters of this many blocks the device can hold at once.
template <class Tile>
int most_splits(int blocks) {
  static const std::array<int, largest_split + 1> most = [] {
    std::array<int, largest_split + 1> all{};
    for (int i = 1; i <= largest_split; ++i) {
      all[i] = SplitLaunch<Tile>(i).most_clusters(gemm_split<Tile>);
    }
    return all;
  }();
  return most[blocks];
}

/// @param blocks that share a tile, at most its steps and largest_split
template <class Tile>
void launch_split(const Product& g, int blocks, int band_height = 16) {
  SplitLaunch<Tile> launch(blocks);
  launch.config.gridDim = static_cast<unsigned>(blocks * cluster_tile_count<Tile>(g.m, g.n));
  const Maps maps(g, Tile::rows, Tile::depth);
  CUDA_CHECK(
      cudaLaunchKernelEx(&launch.config, gemm_split<Tile>, maps, g, band_height, shared_output(g)));
}

}  // namespace hopper
