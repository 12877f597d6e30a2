/// @file
/// Chapter 27: which part of a row a thread has, in chunks of 16 bytes.
#pragma once

#include "numbers.hpp"

namespace rows {

/// The chunks of one thread in one row. Neighbouring threads have neighbouring chunks; each thread
/// has one every `threads` chunks. Chunks begin at multiples of 16 bytes. Where rows do not
/// (`ragged`), the first chunk of a row begins in the row above, and the last one ends in the row
/// below.
template <class T, bool ragged>
class Part {
 public:
  /// @param blocks that share the row; this one has the number `rank` among them
  /// @param thread among `threads` that share the block's part of it
  __device__ Part(std::size_t row, int rows, int cols, int rank, int blocks, int thread,
                  int threads)
      : cols_(cols),
        threads_(threads),
        left_(static_cast<int>(
            min(static_cast<std::size_t>(rows - row) * cols, std::size_t{1} << 30))) {
    const int skipped = ragged ? static_cast<int>(row * cols % per_chunk<T>) : 0;
    const int chunks = (skipped + cols + per_chunk<T> - 1) / per_chunk<T>;
    const int share = (chunks + blocks - 1) / blocks;
    chunk_ = rank * share + thread;
    end_ = min(rank * share + share, chunks);
    skipped_ = skipped;
  }

  /// The chunk k of the thread begins at this column: below 0 if it begins in the row above.
  __device__ int column(int k) const { return (chunk_ + k * threads_) * per_chunk<T> - skipped_; }
  /// Whether the thread has a chunk k.
  __device__ bool has(int k) const { return chunk_ + k * threads_ < end_; }
  /// Whether all of chunk k is in the row.
  __device__ bool is_whole(int k) const {
    return has(k) && (!ragged || (column(k) >= 0 && column(k) + per_chunk<T> <= cols_));
  }
  /// Whether its element e is.
  __device__ bool has(int k, int e) const {
    if (!ragged) return has(k);
    return has(k) && static_cast<unsigned>(column(k) + e) < static_cast<unsigned>(cols_);
  }
  /// How many of its elements are.
  __device__ int count(int k) const {
    if (!has(k)) return 0;
    return ragged ? min(column(k) + per_chunk<T>, cols_) - max(column(k), 0) : per_chunk<T>;
  }
  /// Whether it may be loaded as a whole, since what is before or after the row is in the matrix.
  __device__ bool is_in_matrix(int k) const {
    return has(k) && (!ragged || column(k) + per_chunk<T> <= left_);
  }

 private:
  int cols_, threads_, chunk_ = 0, end_ = 0, skipped_ = 0;
  int left_;  // columns of this row and all below, or many
};

/// What a thread holds of a row in registers, or of several rows: of an input and a residual, of a
/// result and its gradient.
template <class T, int inputs, int chunks>
using Registers = float[inputs][chunks][per_chunk<T>];

/// A chunk of numbers that are all the same.
template <class T>
__device__ Chunk filled(float value) {
  float x[per_chunk<T>];
#pragma unroll
  for (float& element : x) element = value;
  return pack(x);
}

/// Loads chunk k of a row, with what it has of the rows before and after. At the end of the matrix
/// elements come one by one. Chunks that the thread does not have are full of `fill`.
template <class T, bool ragged>
__device__ Chunk load(const T* row, const Part<T, ragged>& part, int k, float fill) {
  Chunk chunk = filled<T>(fill);
  if (part.is_in_matrix(k)) {
    chunk = __ldcs(reinterpret_cast<const Chunk*>(row + part.column(k)));
  } else if constexpr (ragged) {
    if (part.has(k)) {
      float x[per_chunk<T>];
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) {
        x[e] = part.has(k, e) ? as_float(row[part.column(k) + e]) : fill;
      }
      chunk = pack(x);
    }
  }
  return chunk;
}

/// Makes floats of a chunk. Elements that are not in the row become `fill`.
template <class T, bool ragged>
__device__ void unpack_part(const Chunk& chunk, const Part<T, ragged>& part, int k, float fill,
                            float (&x)[per_chunk<T>]) {
  unpack(chunk, x);
  if constexpr (ragged) {
    if (!part.is_whole(k)) {
#pragma unroll
      for (int e = 0; e < per_chunk<T>; ++e) x[e] = part.has(k, e) ? x[e] : fill;
    }
  }
}

/// Loads a thread's part of a row of all inputs of a task. All loads are requested before the first
/// is waited for.
template <class Task, class T, bool ragged, int inputs, int chunks, int elements>
__device__ void load_row(const Task& task, std::size_t row, const Part<T, ragged>& part,
                         float (&x)[inputs][chunks][elements]) {
  Chunk loaded[inputs][chunks];
#pragma unroll
  for (int i = 0; i < inputs; ++i) {
#pragma unroll
    for (int k = 0; k < chunks; ++k) {
      loaded[i][k] = load(task.in[i] + row * task.cols, part, k, task.fill);
    }
  }
#pragma unroll
  for (int i = 0; i < inputs; ++i) {
#pragma unroll
    for (int k = 0; k < chunks; ++k) unpack_part(loaded[i][k], part, k, task.fill, x[i][k]);
  }
}

template <class T, bool ragged>
__device__ void store(T* row, const Part<T, ragged>& part, int k, const float (&x)[per_chunk<T>]) {
  if (part.is_whole(k)) {
    __stcs(reinterpret_cast<Chunk*>(row + part.column(k)), pack(x));
    return;
  }
  if constexpr (ragged) {
#pragma unroll
    for (int e = 0; e < per_chunk<T>; ++e) {
      if (part.has(k, e)) row[part.column(k) + e] = rounded<T>(x[e]);
    }
  }
}

/// The same columns' numbers of an array with one number per column, as they are in memory. Where
/// rows are ragged, they begin at any address, and come one by one.
template <class T, bool ragged>
__device__ Chunk load_columns(const T* of_columns, const Part<T, ragged>& part, int k, int cols) {
  Chunk chunk = {};
  if constexpr (ragged) {
    float x[per_chunk<T>];
#pragma unroll
    for (int e = 0; e < per_chunk<T>; ++e) {
      x[e] = as_float(of_columns[min(max(part.column(k) + e, 0), cols - 1)]);
    }
    chunk = pack(x);
  } else {
    if (part.has(k)) chunk = __ldg(reinterpret_cast<const Chunk*>(of_columns + part.column(k)));
  }
  return chunk;
}

/// Arrays with one number per column are read when they are needed, ...
struct ColumnsInMemory {
  template <class T, bool ragged>
  __device__ Chunk get(const T* of_columns, const Part<T, ragged>& part, int, int k,
                       int cols) const {
    return load_columns(of_columns, part, k, cols);
  }
};
/// ... or once, by a thread that has the same columns of many rows.
template <int count, int chunks>
struct ColumnsInRegisters {
  Chunk chunk[count == 0 ? 1 : count][chunks];
};
/// Some of these, from chunk `first` on.
template <int count, int chunks>
struct SomeColumns {
  const ColumnsInRegisters<count, chunks>& all;
  int first;

  template <class T, bool ragged>
  __device__ Chunk get(const T*, const Part<T, ragged>&, int number, int k, int) const {
    return forget_floats(all.chunk[number][first + k]);
  }
};

}  // namespace rows
