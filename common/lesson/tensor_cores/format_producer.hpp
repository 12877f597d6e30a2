/// @file
/// The producer of the ring for other formats: operands that are stored either way, and batches.
#pragma once

#include "format_instructions.hpp"
#include "pipeline.hpp"

namespace hopper {

#ifndef COURSE_WITHOUT_WGMMA

/// Where a tile of C begins, and in which matrix of the batch.
template <class Tile>
struct BatchPlace {
  int matrix, row, col;

  template <class Product>
  __device__ BatchPlace(const TileScheduler<Tile>& scheduler, const Product& g) {
    const int down = cluster_tiles_down<Tile>(g.m, scheduler.cluster);
    const int tiles = down * scheduler.plan.across;
    matrix = scheduler.tile / tiles;
    const int2 place = tile_place(scheduler.tile - matrix * tiles, down, scheduler.plan.across,
                                  scheduler.band_height);
    row = (place.x * Tile::down + scheduler.row) * Tile::rows;
    col = place.y * Tile::cols;
  }
};

/// Starts a block's share of the copies of an operand's tile: `lines` rows of A, or columns of B,
/// and `depth` of k. Each of the `sharers` blocks of a cluster brings a part for all of them.
template <Major major, int lines, int depth, int in_line, int sharers>
__device__ void copy_operand(unsigned char* tile, const CUtensorMap& map, int line, int k,
                             int matrix, Barrier& full, int share) {
  const auto copy = [&](unsigned char* to, int column, int row) {
    if constexpr (sharers == 1) {
      copy_in(to, map, column, row, matrix, full);
    } else {
      copy_in_multicast(to, map, column, row, matrix, full, (1 << sharers) - 1);
    }
  };
  if constexpr (major == Major::k) {
    const int from = share * (lines / sharers);
    copy(tile + from * 128, k, line + from);
  } else {
    const int from = share * (depth / sharers);
#pragma unroll
    for (int slab = 0; slab < lines / in_line; ++slab) {
      copy(tile + (slab * depth + from) * 128, line + in_line * slab, k + from);
    }
  }
}

/// The work of the producer thread: as run_producer().
template <class Tile, class Storage, class Maps, class Product>
__device__ void produce(Storage& storage, const Maps& maps, const Product& g,
                        TileScheduler<Tile> scheduler) {
  using F = typename Tile::Format;
  PipelineState<Tile> state;
  while (scheduler.next()) {
    const BatchPlace<Tile> place(scheduler, g);
    const int in_A = g.stride_A == 0 ? 0 : place.matrix;
    const int in_B = g.stride_B == 0 ? 0 : place.matrix;
    for (int step = scheduler.first; step < scheduler.last; ++step) {
      Stage<Tile>& stage = storage.stage[state.stage];
      Barrier& full = storage.full[state.stage];
      wait(storage.empty[state.stage], state.parity ^ 1);
      expect(full, Tile::bytes_A + Tile::bytes_B);
      const int k = step * Tile::depth;
      copy_operand<F::major_A, Tile::rows, Tile::depth, Tile::in_line, 1>(
          stage.A, maps.A, place.row, k, in_A, full, 0);
      copy_operand<F::major_B, Tile::cols, Tile::depth, Tile::in_line, Tile::down>(
          stage.B, maps.B, place.col, k, in_B, full, scheduler.row);
      state.next();
    }
  }
}

#endif

}  // namespace hopper
