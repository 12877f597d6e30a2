/// @file
/// Chapter 23: launch functions, and the memory that they need.
#pragma once

#include <algorithm>

#include "ahead.hpp"
#include "compact.hpp"
#include "passes.hpp"

namespace scan {

/// The tiles of our choice. A large one keeps much in flight; small ones are more, so that every
/// multiprocessor gets some of a short array.
struct LargeTile {
  static constexpr int threads = 256, rows = 8;
};
struct SmallTile {
  static constexpr int threads = 256, rows = 2;
};
template <class Tile>
constexpr std::size_t size_of = tile_size<Tile::threads, Tile::rows>;
constexpr std::size_t short_array = std::size_t{1} << 17;

constexpr std::size_t in_tree = 2048;  // elements per block

inline unsigned tiles_of(std::size_t n, std::size_t size) {
  return static_cast<unsigned>((n - 1) / size + 1);
}

/// The state of the tiles of up to n elements.
/// \param least how many elements a tile has at least
class TileStateMemory {
 public:
  explicit TileStateMemory(std::size_t n, std::size_t least = in_tree)
      : tiles_(n / least + 2),
        words_(std::vector<Word>(first_ + (tiles_ + groups()) * apart_ + tiles_ + tiles_ / 1024 +
                                 2)) {}
  TileState arguments() {
    Word* const words = words_ + first_;
    Word* const groups_of_tiles = words + tiles_ * apart_;
    Word* const regions = groups_of_tiles + groups() * apart_;
    auto* const flags = reinterpret_cast<unsigned*>(regions + tiles_ / 1024 + 2);
    return {words_, words, groups_of_tiles, regions, flags, flags + tiles_};
  }

 private:
  static constexpr std::size_t apart_ = words_of_line;
  static constexpr std::size_t first_ = 2 * apart_;  // nothing else is in the ticket's lines
  std::size_t groups() const { return tiles_ / 32 + 1; }

  std::size_t tiles_;
  course::DeviceArray<Word> words_;
};

/// A scan of n elements in one launch: y may be x.
/// \param x where they come from: Array or SegmentedArray
/// \param state of at least n elements, used by one launch at a time
template <class Op, class Wait, bool inclusive, class Tile, class Source, class T>
void launch_tiles(Source x, std::size_t n, T* y, const TileState& state) {
  if (n == 0) return;
  const unsigned tiles = tiles_of(n, size_of<Tile>);
  scan_tiles<Op, Wait, inclusive, Tile::threads, Tile::rows>
      <<<tiles, Tile::threads>>>(x, n, y, state);
  CUDA_CHECK_LAUNCH();
}
template <class Op, class Wait, bool inclusive, class Source, class T>
void launch_one(Source x, std::size_t n, T* y, const TileState& state) {
  if (n <= short_array) {
    launch_tiles<Op, Wait, inclusive, SmallTile>(x, n, y, state);
  } else {
    launch_tiles<Op, Wait, inclusive, LargeTile>(x, n, y, state);
  }
}

template <class Op>
void launch_scan_words(unsigned tiles, const TileState& state) {
  scan_words<Op, 1024><<<1, 1024>>>(state, tiles);
  CUDA_CHECK_LAUNCH();
}

/// Scan, then add: each tile for itself, then the tiles' sums, then these are added.
template <class Op, bool by_tree, class T>
void launch_scan_then_add(const T* x, std::size_t n, T* y, const TileState& state) {
  if (n == 0) return;
  const std::size_t size = by_tree ? in_tree : size_of<LargeTile>;
  const unsigned tiles = tiles_of(n, size);
  if (by_tree) {
    tree_tiles<Op, in_tree / 2><<<tiles, in_tree / 2>>>(x, n, y, state);
    CUDA_CHECK_LAUNCH();
  } else {
    launch_tiles<Op, Alone, true, LargeTile>(Array<T>{x}, n, y, state);
  }
  launch_scan_words<Op>(tiles, state);
  add_before<Op, 256><<<tiles, 256>>>(y, n, size, state);
  CUDA_CHECK_LAUNCH();
}

/// Reduce, then scan: the tiles' sums, a scan of these, and then each tile, which begins with them.
template <class Op, bool inclusive, class Source, class T>
void launch_reduce_then_scan(Source x, std::size_t n, T* y, const TileState& state) {
  if (n == 0) return;
  using Tile = LargeTile;
  const unsigned tiles = tiles_of(n, size_of<Tile>);
  reduce_tiles<Op, Tile::threads, Tile::rows><<<tiles, Tile::threads>>>(x, n, state);
  CUDA_CHECK_LAUNCH();
  launch_scan_words<Op>(tiles, state);
  launch_tiles<Op, Given, inclusive, Tile>(x, n, y, state);
}

/// The tiles of persistent blocks, of which `resident` share a multiprocessor.
template <int threads_, int rows_, int stages_, int resident_>
struct Ahead {
  static constexpr int threads = threads_, rows = rows_, stages = stages_, resident = resident_;
};
/// A tile of 72 KB, and three stages of it: large tiles look back less often. Lists count four rows
/// at a time.
using AheadTile = Ahead<512, 9, 3, 1>;
constexpr std::size_t long_array = std::size_t{5} << 20;  // elements: from here on it is worth it
using AheadList = Ahead<896, 4, 3, 1>;
using ShortAheadList = Ahead<512, 4, 3, 1>;
constexpr std::size_t long_list = std::size_t{8} << 20, short_list = std::size_t{1} << 20;

/// A launch of persistent blocks. For compute capability 9.0 and later.
template <class Wait, class Tile, class Work, class T>
void launch_ahead(const T* x, std::size_t n, const Work& work, const TileState& state) {
  if (n == 0) return;
  const auto kernel = tiles_ahead<Work, Wait, Tile, T>;
  constexpr std::size_t bytes = Tile::stages * size_of<Tile> * sizeof(T);
  // More than 48 KiB of shared memory per block must be requested.
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)));
  const unsigned tiles = tiles_of(n, size_of<Tile>);
  const auto most = static_cast<unsigned>(course::device().multiprocessors * Tile::resident);
  kernel<<<std::min(tiles, most), Tile::threads + 32, bytes>>>(x, n, work, state, tiles);
  CUDA_CHECK_LAUNCH();
}

inline bool has_bulk_copies() {
  return course::device().compute_capability >= 90;
}

/// Our choice for every length: a scan of n elements in one launch. y may be x.
/// \param x aligned to 16 bytes, like y
template <class Op, bool inclusive, class T>
void launch_scan(const T* x, std::size_t n, T* y, const TileState& state) {
  if (n >= long_array && has_bulk_copies()) {
    launch_ahead<WarpLooksApart, AheadTile>(x, n, ScanWork<Op, inclusive>{y}, state);
  } else {
    launch_one<Op, WarpLooksApart, inclusive>(Array<T>{x}, n, y, state);
  }
}

template <class Work, class T>
void launch_lists(const T* x, std::size_t n, const Work& work, const TileState& state) {
  if (n >= long_list && has_bulk_copies()) {
    launch_ahead<WarpLooksApart, AheadList>(x, n, work, state);
  } else if (n > short_list && has_bulk_copies()) {
    launch_ahead<WarpLooksApart, ShortAheadList>(x, n, work, state);
  } else {
    constexpr int threads = 256, rows = 4;
    const unsigned tiles = tiles_of(n, tile_size<threads, rows>);
    compact_tiles<Work, threads, rows><<<tiles, threads>>>(x, n, work, state);
    CUDA_CHECK_LAUNCH();
  }
}

/// Keeps what the predicate is true of, in order.
/// \param rest null, or room for n others, which go there in their order
template <class Predicate, class T>
void launch_compact(const T* x, std::size_t n, Predicate keeps, T* kept, T* rest, unsigned* count,
                    const TileState& state) {
  if (n == 0) {
    CUDA_CHECK(cudaMemsetAsync(count, 0, sizeof *count));
  } else if (rest == nullptr) {
    launch_lists(x, n, ListWork<Predicate, false, T>{keeps, kept, rest, count}, state);
  } else {
    launch_lists(x, n, ListWork<Predicate, true, T>{keeps, kept, rest, count}, state);
  }
}

}  // namespace scan
