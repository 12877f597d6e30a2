// Chapter 26: launch functions.
#pragma once

#include <stdexcept>

#include "columns.hpp"
#include "convert.hpp"
#include "even.hpp"
#include "formats.hpp"
#include "levels.hpp"
#include "merge.hpp"

// y = A x. The workspace has workspace_bytes() bytes, aligned to 256; they are 0 before its first
// use, and every launch leaves it ready for the next, of any matrix that is not larger.
struct Product {
  Csr A;
  const float* x;
  float* y;
  void* workspace = nullptr;
};

// Shapes of tiles, for few elements and for many: the fastest of those that we measured on an H200.
using SmallTiles = Shape<256, 2, 6>;
using LargeTiles = Shape<256, 4, 4>;
constexpr int large_from = 3 << 20;
// Rows and elements together have to be less: a tile's end is still an int.
constexpr long long most_steps = (1LL << 31) - (1 << 16);

inline unsigned blocks_of(long long n, int each) {
  return static_cast<unsigned>((n + each - 1) / each);
}
inline size_t rounded(size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

// How a workspace is divided.
struct Workspace {
  Workspace(void* memory, int rows, int elements) {
    const size_t tiles = blocks_of(elements, SmallTiles::tile);
    const size_t pieces = blocks_of(static_cast<long long>(rows) + elements, merge_tile);
    auto* at = static_cast<unsigned char*>(memory);
    const auto next = [&](size_t count) {
      auto* const begin = at;
      at += rounded(4 * count);
      return begin;
    };
    long_rows.arrived = reinterpret_cast<unsigned*>(next(tiles));
    long_rows.ended = reinterpret_cast<float*>(next(tiles));
    long_rows.begun = reinterpret_cast<float*>(next(tiles));
    carry_rows = reinterpret_cast<int*>(next(pieces));
    carry_sums = reinterpret_cast<float*>(next(pieces));
    bytes = static_cast<size_t>(at - static_cast<unsigned char*>(memory));
  }
  LongRows long_rows;
  int* carry_rows;
  float* carry_sums;
  size_t bytes;
};

inline size_t workspace_bytes(int rows, int elements) {
  return Workspace(nullptr, rows, elements).bytes;
}

inline void require_size(const Csr& A) {
  if (static_cast<long long>(A.rows) + A.elements >= most_steps) {
    throw std::invalid_argument("rows and elements together must be less than 2^31 - 2^16");
  }
}

// --- by rows ---------------------------------------------------------------------------------

inline void launch_rows(const Product& p) {
  if (p.A.rows == 0) return;
  product_rows<<<blocks_of(p.A.rows, block), block>>>(p.A, p.x, p.y);
  CUDA_CHECK_LAUNCH();
}

template <int lanes>
void launch_lanes(const Product& p) {
  if (p.A.rows == 0) return;
  product_lanes<lanes><<<blocks_of(p.A.rows, block / lanes), block>>>(p.A, p.x, p.y);
  CUDA_CHECK_LAUNCH();
}

// As many lanes as a row of mean length has elements for, from 2 to 32.
inline void launch_adaptive(const Product& p) {
  if (p.A.rows == 0) return;
  const int mean = p.A.elements / p.A.rows;
  if (mean < 3) return launch_lanes<2>(p);
  if (mean < 6) return launch_lanes<4>(p);
  if (mean < 12) return launch_lanes<8>(p);
  if (mean < 24) return launch_lanes<16>(p);
  launch_lanes<32>(p);
}

// --- equal shares ----------------------------------------------------------------------------

inline void launch_merged(const Product& p) {
  require_size(p.A);
  if (p.A.rows == 0) return;
  const Workspace workspace(p.workspace, p.A.rows, p.A.elements);
  const unsigned pieces = blocks_of(static_cast<long long>(p.A.rows) + p.A.elements, merge_tile);
  product_merged<<<pieces, block>>>(p.A, p.x, p.y, workspace.carry_rows, workspace.carry_sums);
  CUDA_CHECK_LAUNCH();
  add_carries<<<blocks_of(pieces, block / 32), block>>>(workspace.carry_rows, workspace.carry_sums,
                                                        static_cast<int>(pieces), p.A.rows, p.y);
  CUDA_CHECK_LAUNCH();
}

template <class S>
void launch_tiles(const Product& p) {
  require_size(p.A);
  if (p.A.rows == 0) return;
  const int tiles = std::max(1, static_cast<int>(blocks_of(p.A.elements, S::tile)));
  const double rows_per_element =
      static_cast<double>(p.A.rows) / static_cast<double>(std::max(1, p.A.elements));
  product_tiles<S><<<tiles + p.A.rows / empty_rows, S::threads>>>(
      p.A, p.x, p.y, Workspace(p.workspace, p.A.rows, p.A.elements).long_rows, tiles,
      static_cast<float>(rows_per_element));
  CUDA_CHECK_LAUNCH();
}

inline void launch_ours(const Product& p) {
  if (p.A.elements < large_from) return launch_tiles<SmallTiles>(p);
  launch_tiles<LargeTiles>(p);
}

// --- other forms -----------------------------------------------------------------------------

inline void launch_coo(const Coo& A, const float* x, float* y) {
  if (A.rows == 0) return;
  CUDA_CHECK(cudaMemsetAsync(y, 0, A.rows * sizeof(float)));
  if (A.elements == 0) return;
  product_coo<<<blocks_of(A.elements, block), block>>>(A, x, y);
  CUDA_CHECK_LAUNCH();
}

inline void launch_ell(const Ell& A, const float* x, float* y) {
  if (A.rows == 0) return;
  product_ell<<<blocks_of(A.rows, block), block>>>(A, x, y);
  CUDA_CHECK_LAUNCH();
}

inline void launch_sliced_ell(const SlicedEll& A, const float* x, float* y) {
  if (A.rows == 0) return;
  product_sliced_ell<<<blocks_of(A.rows, block), block>>>(A, x, y);
  CUDA_CHECK_LAUNCH();
}

// Y = A X, row-major.
template <int columns>
void launch_columns(const Csr& A, const float* X, float* Y) {
  static_assert(columns > 0 && 32 % columns == 0);
  if (A.rows == 0) return;
  product_columns<columns><<<blocks_of(A.rows, block / 32), block>>>(A, X, Y);
  CUDA_CHECK_LAUNCH();
}

// --- from one form to another ----------------------------------------------------------------

inline void launch_rows_of_elements(const Csr& A, int* row_of) {
  if (A.rows == 0) return;
  rows_of_elements<<<blocks_of(A.rows, block / 32), block>>>(A, row_of);
  CUDA_CHECK_LAUNCH();
}

// rows + 1 offsets.
inline void launch_offsets_of_rows(const Coo& A, int* offsets) {
  offsets_of_rows<<<blocks_of(A.elements + 1LL, block), block>>>(A, offsets);
  CUDA_CHECK_LAUNCH();
}

// Where slices begin, one more than there are, and the longest row of all: what one has to know
// before there is memory for either form. widths has one for each slice.
inline void launch_widths(const Csr& A, int* widths, int* longest, int* begins) {
  CUDA_CHECK(cudaMemsetAsync(longest, 0, sizeof *longest));
  const unsigned slices = blocks_of(A.rows, slice_rows);
  if (slices > 0) {
    widths_of_slices<<<blocks_of(A.rows, block), block>>>(A, widths, longest);
    CUDA_CHECK_LAUNCH();
  }
  begins_of_slices<<<1, block>>>(widths, static_cast<int>(slices), begins);
  CUDA_CHECK_LAUNCH();
}

inline void launch_to_ell(const Csr& A, int width, int* columns, float* values) {
  if (A.rows == 0) return;
  to_ell<<<blocks_of(A.rows, block), block>>>(A, width, columns, values);
  CUDA_CHECK_LAUNCH();
}

// Rows that the last slice lacks are left as they are: no product reads them.
inline void launch_to_sliced_ell(const Csr& A, const int* begins, int* columns, float* values) {
  if (A.rows == 0) return;
  to_sliced_ell<<<blocks_of(A.rows, block), block>>>(A, begins, columns, values);
  CUDA_CHECK_LAUNCH();
}

// --- levels of a graph -----------------------------------------------------------------------

enum class Direction { top_down, bottom_up, by_turns };

// Edges by where they begin, and by where they end; of a graph whose edges go both ways these are
// the same.
struct Graph {
  Csr out, in;
};

// levels[v]: how many edges are on the shortest path from the source to v; unreached: none is.
// queues has twice as many elements as there are vertices, and two. Returns the number of levels.
inline int launch_levels(const Graph& graph, int source, Direction direction, int* levels,
                         int* queues) {
  const int vertices = graph.out.rows;
  if (vertices == 0) return 0;
  int *before = queues, *after = queues + vertices, *const count_after = queues + 2 * vertices;
  CUDA_CHECK(cudaMemsetAsync(levels, 0xFF, vertices * sizeof(int)));
  CUDA_CHECK(cudaMemsetAsync(levels + source, 0, sizeof(int)));
  CUDA_CHECK(cudaMemcpyAsync(before, &source, sizeof source, cudaMemcpyHostToDevice));
  int count = 1, level = 0;
  for (; count > 0; ++level) {
    CUDA_CHECK(cudaMemsetAsync(count_after, 0, sizeof(int)));
    // Of a large level most edges lead to vertices that are reached already.
    const bool upwards = direction == Direction::bottom_up ||
                         (direction == Direction::by_turns && count > vertices / 20);
    if (upwards) {
      level_from_below<<<blocks_of(vertices, block), block>>>(graph.in, level + 1, levels, after,
                                                              count_after);
    } else {
      level_from_above<<<blocks_of(count, block / 32), block>>>(graph.out, before, count, level + 1,
                                                                levels, after, count_after);
    }
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&count, count_after, sizeof count, cudaMemcpyDeviceToHost));
    std::swap(before, after);
  }
  return level;
}
