/// @file
/// What a producer thread and consumer warpgroups share: barriers of the ring's stages, the tiles
/// that a cluster takes, and registers by role.
#pragma once

#include "ring.hpp"
#include "storage.hpp"
#include "stream_k.hpp"

namespace hopper {

using course::PipelineState;

/// Registers: a thread of three warpgroups has 168 at first, one of four 128, and, once its role is
/// known, those of a producer or of a consumer. Together these do not exceed the total.
template <class Tile>
constexpr int producer_registers = Tile::groups == 2 ? 40 : 32;
template <class Tile>
constexpr int consumer_registers = Tile::groups == 2 ? 232 : 160;

#ifndef COURSE_WITHOUT_WGMMA

/// By all threads, before they wait for each other: each warp initialises some of the barriers.
template <class Tile, class Storage, class Maps>
__device__ void init_ring(Storage& storage, const Maps& maps, int partners) {
  if (threadIdx.x % 32 != 0) return;
  if (threadIdx.x == 0) {
    prefetch_map(maps.A);
    prefetch_map(maps.B);
    prefetch_map(maps.C);
  }
  for (int s = static_cast<int>(threadIdx.x) / 32; s < Tile::stages; s += Tile::warps + 4) {
    init(storage.full[s], 1);
    init(storage.empty[s], Tile::warps * partners);
  }
  fence_init();
}

/// The path of a cluster through its tiles, and this block's place among the cluster's.
template <class Tile>
struct TileScheduler : course::TileScheduler {
  const course::Plan& plan;
  int band_height;
  Cluster cluster;
  int row = 0, col = 0;  ///< in the cluster

  __device__ TileScheduler(const course::Plan& plan, int band_height, Cluster cluster = {})
      : course::TileScheduler(plan), plan(plan), band_height(band_height), cluster(cluster) {
    if (cluster.size() > 1) {
      row = plan.rank() >> (__ffs(cluster.across) - 1);
      col = plan.rank() & (cluster.across - 1);
    }
  }
  __device__ bool next() { return course::TileScheduler::next(plan); }
  /// Where this block's tile begins in C.
  __device__ int2 place() const {
    const int2 of_cluster = tile_place(tile, plan.down, plan.across, band_height);
    return make_int2((of_cluster.x * cluster.down + row) * Tile::rows,
                     (of_cluster.y * cluster.across + col) * Tile::cols);
  }
};

/// A warp has multiplied the stage: it tells all blocks that copy into it.
inline __device__ void release_stage(Barrier& empty, Cluster cluster, int row, int col) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (cluster.size() == 1) {
    if (lane == 0) arrive(empty);
  } else {
    __syncwarp();  // one lane arrives for the whole warp
    // The blocks of the column first, then those of the row that are not in the column.
    const int in_row = lane - cluster.down + (lane - cluster.down >= col ? 1 : 0);
    const int rank =
        lane < cluster.down ? lane * cluster.across + col : row * cluster.across + in_row;
    if (lane < cluster.partners()) arrive_at(empty, rank);
  }
}

#endif

}  // namespace hopper
