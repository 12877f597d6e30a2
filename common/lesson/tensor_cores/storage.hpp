/// @file
/// A block's shared memory: the ring's stages and barriers, and places for pieces of C.
#pragma once

#include <algorithm>

#include "tiles.hpp"

namespace hopper {

/// Places for pieces of C: 16 rows of 64 columns as BF16, 2 KiB each. Each warp has its own; if
/// products are swapped, each warpgroup has. There are as many as the stages leave room for, up to
/// a whole tile's. A piece in FP32 takes two.
template <class Tile>
struct alignas(1024) EpilogueBuffer {
  static constexpr int owners = Tile::swapped ? Tile::groups : Tile::warps;
  static constexpr int of_product =  ///< pieces
      Tile::swapped ? Tile::rows / 16 : (Tile::cols + 63) / 64;
  static constexpr int left = 232'448 - 1024 - Tile::stages * (Tile::bytes_A + Tile::bytes_B);
  static constexpr int count =
      std::clamp(left / (owners * 2048), 2, std::max(2, Tile::products* of_product));
  unsigned char piece[count][16 * 128];
};

/// A block's shared memory.
template <class Tile, bool by_map>
struct Storage {
  Stage<Tile> stage[Tile::stages];
  EpilogueBuffer<Tile> epilogue[by_map ? EpilogueBuffer<Tile>::owners : 1];
  Barrier full[Tile::stages];   ///< the stage has arrived
  Barrier empty[Tile::stages];  ///< all warps have multiplied it
  bool answer[2];               ///< of thread 0 to all consumer threads
};

/// How C is written: by its map, in rows through shared memory; or each lane its own, two elements
/// at a time or one.
enum class Output { map, rows, pairs, single };

}  // namespace hopper
