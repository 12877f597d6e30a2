/// @file
/// Our best y = A x: a few kernels for each layout, and a model that chooses among them.
///
/// The kernels are in best_columns.hpp and best_rows.hpp. Most are chapter 06's last rungs, with
/// three more ideas:
///
/// - **Rolling loads.** A thread has 8 loads of 16 bytes in flight. As soon as one has arrived and
///   is used, the next load takes its register. (Issuing 8, then using 8, leaves nothing in flight
///   in between; with many warps others fill that gap, and the gain is small.)
/// - **As many warps as necessary, and no more.** How many warps share a row, or a column, follows
///   from the shape: best_model.hpp estimates the time of each choice.
/// - **The last block adds up.** Blocks that share rows write their partial sums to memory; the
///   block that finishes last, whichever it is, adds them up, always in the same order. That saves
///   the second kernel of "two passes", and the result has the same bits every time.
#pragma once

#include <algorithm>
#include <limits>

#include "best_columns.hpp"
#include "best_model.hpp"
#include "best_rows.hpp"
#include "rolling.hpp"
#include "scratch.hpp"

namespace ours {

/// Columns, chunks of a row or steps, split into pieces of equal width.
struct Partition {
  int width;
  int count;
  Partition(long n, int wanted) {
    const long last = std::max(n, 1L) - 1;  // an empty sum is also a piece
    width = static_cast<int>(last / std::clamp(long{wanted}, 1L, last + 1) + 1);
    count = static_cast<int>(last / width + 1);
  }
};

/// A buffer for partial sums, and the two functions. Like a cuBLAS handle it is made once; two
/// streams need two of them.
class Sgemv {
 public:
  /// @param processors multiprocessors to keep busy: the model counts them
  explicit Sgemv(int processors = course::device_attribute(cudaDevAttrMultiProcessorCount))
      : processors_(processors),
        partial_(std::size_t{most_blocks} * processors_ * most_rows),
        arrived_(std::size_t{most_blocks} * processors_) {
    arrived_.clear();
  }

  /// One way to compute a product: its work, and the function that launches it.
  struct Candidate {
    LaunchWork work;
    void (Sgemv::*launch)(const float* A, const float* x, float* y, int m, int n, int pieces);
    int pieces;  ///< of each row, or block of rows
  };

  /// y = A x with A of m x n, column-major.
  void column_major(const float* A, const float* x, float* y, int m, int n) {
    if (m == 0) return;
    launch(best([&](auto take) { column_candidates(A, x, m, n, take); }), A, x, y, m, n);
  }

  /// y = A x with A of m x n, row-major.
  void row_major(const float* A, const float* x, float* y, int m, int n) {
    if (m == 0) return;
    launch(best([&](auto take) { row_candidates(A, x, m, n, take); }), A, x, y, m, n);
  }

  /// Calls take(candidate) for each way to compute the product of a column-major A.
  template <class Take>
  void column_candidates(const float* A, const float* x, int m, int n, Take take) const {
    if (m == 1) return row_candidates(A, x, m, n, take);  // one row is contiguous in either layout
    if (m <= 64) few_rows_candidates(m, n, take);
    if (m <= 16) return;
    if (m % 4 == 0 && floats_behind_16_bytes(A) == 0) {
      strip_candidates<Columns::aligned, 8, 512>(m, n, take);
      strip_candidates<Columns::aligned, 16, 512>(m, n, take);
      strip_candidates<Columns::aligned, 32, 512>(m, n, take);
      strip_candidates<Columns::aligned, 128, 128>(m, n, take);
    } else {
      strip_candidates<Columns::anywhere, 8, 512>(m, n, take);
      strip_candidates<Columns::anywhere, 16, 512>(m, n, take);
      strip_candidates<Columns::anywhere, 32, 512>(m, n, take);
      strip_candidates<Columns::anywhere, 128, 512>(m, n, take);
      if (n <= 16) strip_candidates<Columns::single, 128, 128>(m, n, take);
    }
  }

  /// Calls take(candidate) for each way to compute the product of a row-major A.
  template <class Take>
  void row_candidates(const float* A, const float* x, int m, int n, Take take) const {
    if (n <= 256) short_row_candidate(m, n, take);
    if (n % 4 == 0 && floats_behind_16_bytes(A) == 0 && floats_behind_16_bytes(x) == 0) {
      chunk_candidates<float4>(m, n, take);
    } else {
      chunk_candidates<float>(m, n, take);
    }
  }

  /// The candidate that the model expects to be the fastest.
  template <class Candidates>
  Candidate best(Candidates candidates) const {
    Candidate best{};
    double least = std::numeric_limits<double>::infinity();
    candidates([&](const Candidate& candidate) {
      const double time = model_.time(candidate.work, processors_);
      if (time < least) {
        least = time;
        best = candidate;
      }
    });
    return best;
  }

  void launch(const Candidate& candidate, const float* A, const float* x, float* y, int m, int n) {
    (this->*candidate.launch)(A, x, y, m, n, candidate.pieces);
    CUDA_CHECK_LAUNCH();
  }

 private:
  static constexpr int most_blocks = 24;  ///< that share rows, per multiprocessor
  static constexpr int most_rows = 512;   ///< that a block adds up

  /// Calls take(wanted) for 1 piece, and for counts that give each multiprocessor 1, 2, ... blocks.
  template <class Take>
  void for_piece_counts(int rows_of_blocks, Take take) const {
    take(1);
    for (const int each : {1, 2, 3, 4, 6, 8, 12, 16, most_blocks}) {
      const int wanted = each * processors_ / rows_of_blocks;
      if (wanted > 1) take(wanted);
    }
  }

  // ------------------------------------------------------------- column-major

  template <Columns columns, int lanes>
  static int strips_of(int m) {
    return (m - 1) / strip_rows<columns, lanes> + 1;
  }

  template <Columns columns, int lanes, int threads, class Take>
  void strip_candidates(int m, int n, Take take) const {
    const int strips = strips_of<columns, lanes>(m);
    const int rows = std::min(strip_rows<columns, lanes>, m);
    if (8 * lanes > 4 * m && lanes > 16) return;  // more than half of its lanes would have no row
    constexpr double in_a_round = 1.0 * columns_ahead * threads / lanes;
    for_piece_counts(strips, [&](int wanted) {
      const Partition partition(n, wanted);
      take(Candidate{
          {.blocks = 1.0 * strips * partition.count,
           .resident = 1024 / threads,  // up to 64 registers per thread
           .bytes = 4.0 * m * n,
           .vector = 4.0 * n * strips,
           .contiguous = 4.0 * rows,
           .aligned = columns == Columns::aligned,
           .rounds = rounded_up(partition.width, in_a_round),
           .sums = 1,
           .uneven = 1.0 * rows * strips / m,
           .adding_up = partition.count > 1 ? rounded_up(partition.count, in_a_round) : 0},
          &Sgemv::launch_strips<columns, lanes, threads>,
          partition.count});
    });
  }

  template <Columns columns, int lanes, int threads>
  void launch_strips(const float* A, const float* x, float* y, int m, int n, int wanted) {
    const Partition partition(n, wanted);
    const dim3 grid(strips_of<columns, lanes>(m), partition.count);
    sgemv_column_major<columns, lanes, threads>
        <<<grid, threads>>>(A, x, y, m, n, partition.width, partial_, arrived_);
  }

  /// Steps in which threads read the whole matrix, wherever it begins.
  static long steps(int m, int n) { return (long{m} * n + 2) / (4 * threads_that_read(m)) + 1; }

  template <class Take>
  void few_rows_candidates(int m, int n, Take take) const {
    for_piece_counts(1, [&](int wanted) {
      const Partition partition(steps(m, n), wanted);
      const double in_a_round = 4.0 * steps_ahead * threads_that_read(m);
      take(Candidate{
          {.blocks = 1.0 * partition.count,
           .resident = 3,  // about 80 registers per thread
           .bytes = 4.0 * m * n + 4.0 * n,
           .vector = 0,
           .contiguous = 4.0 * few_rows_threads,
           .aligned = true,
           .rounds = rounded_up(partition.width, steps_ahead),
           .sums = 4,
           .uneven = 1.0 * few_rows_threads / threads_that_read(m),
           .adding_up =
               partition.count > 1 ? 1 + rounded_up(1.0 * partition.count * m, in_a_round) : 0},
          &Sgemv::launch_few_rows,
          partition.count});
    });
  }

  void launch_few_rows(const float* A, const float* x, float* y, int m, int n, int wanted) {
    const Partition partition(steps(m, n), wanted);
    sgemv_few_rows<<<dim3(1, partition.count), few_rows_threads>>>(
        A, x, y, m, n, threads_that_read(m), partition.width, partial_, arrived_);
  }

  // ------------------------------------------------------------- row-major

  template <class Chunk, class Take>
  void chunk_candidates(int m, int n, Take take) const {
    row_candidate<Chunk, 4>(m, n, take);
    row_candidate<Chunk, 8>(m, n, take);
    row_candidate<Chunk, 16>(m, n, take);
    row_candidate<Chunk, 32>(m, n, take);
    row_candidate<Chunk, 64>(m, n, take);
    row_candidate<Chunk, 128>(m, n, take);
    row_candidate<Chunk, 256>(m, n, take);
    // One load of x serves 4 rows, if there are 4 that have the same offset from 16 bytes.
    constexpr bool aligned = sizeof(Chunk) == sizeof(float4);
    if (m <= rows_apart<aligned>) return long_row_candidates<aligned, 1>(m, n, take);
    if (m <= 2 * rows_apart<aligned>) return long_row_candidates<aligned, 2>(m, n, take);
    long_row_candidates<aligned, 4>(m, n, take);
  }

  template <class Chunk, int lanes, class Take>
  void row_candidate(int m, int n, Take take) const {
    constexpr int rows = block_of(lanes) / lanes;
    take(
        Candidate{{.blocks = rounded_up(m, rows),
                   .resident = 1024 / block_of(lanes),  // about 50 registers per thread
                   .bytes = 4.0 * m * n + 4.0 * m,
                   .vector = 4.0 * n * rounded_up(m, rows),
                   .contiguous = std::clamp(4.0 * n, 4.0, lanes * double{sizeof(Chunk)}),
                   .aligned = sizeof(Chunk) == sizeof(float4),
                   .rounds = rounded_up(n, 1.0 * chunks_ahead<Chunk> * lanes * chunk_floats<Chunk>),
                   .sums = lanes > warp ? 0.5 : 0},
                  &Sgemv::launch_rows<Chunk, lanes>,
                  1});
  }

  template <class Chunk, int lanes>
  void launch_rows(const float* A, const float* x, float* y, int m, int n, int) {
    const dim3 block(lanes, block_of(lanes) / lanes);
    sgemv_row_major<Chunk, lanes><<<(m - 1) / block.y + 1, block>>>(A, x, y, m, n);
  }

  /// Blocks that cover the rows of a matrix.
  static int groups_of_rows(int m, int rows, int apart) {
    return ((m - 1) / (rows * apart) + 1) * apart;
  }

  template <bool aligned, int rows, class Take>
  void long_row_candidates(int m, int n, Take take) const {
    const int groups = groups_of_rows(m, rows, rows_apart<aligned>);
    constexpr double in_a_round = 1.0 * long_rows_ahead<rows> * long_rows_threads;
    for_piece_counts(groups, [&](int wanted) {
      const Partition partition(chunks_of_a_row(n), wanted);
      take(Candidate{{.blocks = 1.0 * groups * partition.count,
                      .resident = 3,  // about 80 registers per thread
                      .bytes = 4.0 * m * n + 4.0 * n,
                      .vector = 4.0 * n * groups,
                      .contiguous = double{long_rows_threads * sizeof(float4)},
                      .aligned = aligned,
                      .rounds = rounded_up(partition.width, in_a_round),
                      .sums = 1,
                      .uneven = std::min(m, rows) * groups / (1.0 * m),
                      .adding_up = partition.count > 1 ? 3.0 : 0.0},
                     &Sgemv::launch_long_rows<aligned, rows>,
                     partition.count});
    });
  }

  /// Chunks of 4 elements, wherever the row begins.
  static int chunks_of_a_row(int n) { return n / 4 + 2; }

  template <bool aligned, int rows>
  void launch_long_rows(const float* A, const float* x, float* y, int m, int n, int wanted) {
    const Partition partition(chunks_of_a_row(n), wanted);
    const dim3 grid(groups_of_rows(m, rows, rows_apart<aligned>), partition.count);
    sgemv_long_rows<aligned, rows>
        <<<grid, long_rows_threads>>>(A, x, y, m, n, partition.width, partial_, arrived_);
  }

  static int rows_of_a_tile(int n) { return tile_floats / std::max(n, 1); }

  template <class Take>
  void short_row_candidate(int m, int n, Take take) const {
    take(Candidate{{.blocks = rounded_up(m, rows_of_a_tile(n)),
                    .resident = 5,  // about 48 registers per thread
                    .bytes = 4.0 * m * n + 4.0 * m,
                    .vector = 0,  // so short that it stays in the level-1 cache
                    .contiguous = 4.0 * tile_floats,
                    .aligned = true,
                    .rounds = 1,
                    .sums = 2},
                   &Sgemv::launch_short_rows,
                   1});
  }

  void launch_short_rows(const float* A, const float* x, float* y, int m, int n, int) {
    const int rows = rows_of_a_tile(n);
    int lanes = 1;
    while (lanes < warp && 2 * lanes * rows <= tile_threads) lanes *= 2;
    const auto kernel = is_skewed(n) ? sgemv_short_rows<true> : sgemv_short_rows<false>;
    kernel<<<(m - 1) / rows + 1, tile_threads>>>(A, x, y, m, n, rows, lanes);
  }

  Model model_;
  int processors_;
  course::Scratch<float> partial_;
  course::Scratch<unsigned> arrived_;
};

}  // namespace ours
