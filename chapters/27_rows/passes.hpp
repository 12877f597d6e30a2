/// @file
/// Chapter 27: a block per row, which reads the row from memory two or three times.
#pragma once

#include "softmax.hpp"

namespace rows {

constexpr int pass_threads = 256;

/// The statistics of the whole block, for each of its threads: one barrier.
template <class Statistics>
__device__ Statistics of_block(const Statistics& own, Statistics* of_warps) {
  const Statistics warp = Statistics::of_warp(own);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = warp;
  __syncthreads();
  return of_warps_together(of_warps, static_cast<int>(blockDim.x / 32));
}

/// Softmax in three passes, one element at a time: the maximum, the sum of the powers, and the
/// powers divided by it.
template <class Exp, class T>
__global__ void __launch_bounds__(pass_threads)
    softmax_in_three_passes(const Softmax<T, Exp> task) {
  __shared__ MaxAndSum<Exp> maxima[pass_threads / 32], sums[pass_threads / 32];
  const T* const x = task.in[0] + static_cast<std::size_t>(blockIdx.x) * task.cols;
  T* const y = task.y + static_cast<std::size_t>(blockIdx.x) * task.cols;
  const int t = static_cast<int>(threadIdx.x);
  MaxAndSum<Exp> own;
  for (int j = t; j < task.cols; j += pass_threads) own.max = fmaxf(own.max, as_float(x[j]));
  const float max = of_block(own, maxima).max;
  own.max = max;
  for (int j = t; j < task.cols; j += pass_threads) own.sum += Exp::exp(as_float(x[j]), max);
  const float sum = of_block(own, sums).sum;
  for (int j = t; j < task.cols; j += pass_threads) {
    y[j] = rounded<T>(Exp::exp(as_float(x[j]), max) / sum);
  }
}

/// In two passes: a thread's sum is online. Each new maximum turns what was added up so far into
/// powers relative to it.
template <class Exp, class T>
__global__ void __launch_bounds__(pass_threads) softmax_online(const Softmax<T, Exp> task) {
  __shared__ MaxAndSum<Exp> of_warps[pass_threads / 32];
  const T* const x = task.in[0] + static_cast<std::size_t>(blockIdx.x) * task.cols;
  T* const y = task.y + static_cast<std::size_t>(blockIdx.x) * task.cols;
  const int t = static_cast<int>(threadIdx.x);
  MaxAndSum<Exp> own;
  for (int j = t; j < task.cols; j += pass_threads) {
    const float value = as_float(x[j]);
    if (value > own.max) {
      own.sum *= Exp::ratio(own.max, value);
      own.max = value;
    }
    own.sum += Exp::exp(value, own.max);
  }
  const MaxAndSum<Exp> all = of_block(own, of_warps);
  for (int j = t; j < task.cols; j += pass_threads) {
    y[j] = rounded<T>(Exp::exp(as_float(x[j]), all.max) / all.sum);
  }
}

/// Any task in two passes, for rows of any length: 16 bytes at a time, and the statistics of each
/// few chunks are merged with those of the chunks before.
template <class Task, bool ragged>
__global__ void __launch_bounds__(pass_threads) rows_in_two_passes(const Task task, int rows) {
  using T = typename Task::T;
  using Statistics = typename Task::Statistics;
  constexpr int chunks = 2;
  __shared__ Statistics of_warps[pass_threads / 32];
  const std::size_t row = blockIdx.x;
  const auto chunks_at = [&](int first, Registers<T, Task::inputs, chunks>& x) {
    const Part<T, ragged> part(row, rows, task.cols, 0, 1, first + static_cast<int>(threadIdx.x),
                               pass_threads);
    load_row(task, row, part, x);
    return part;
  };
  Statistics own;
  for (int first = 0; first <= task.cols / per_chunk<T> + 1; first += chunks * pass_threads) {
    Registers<T, Task::inputs, chunks> x;
    const auto part = chunks_at(first, x);
    own = Statistics::merged(own, task.look(x, part, row));
  }
  const Statistics all = of_block(own, of_warps);
  for (int first = 0; first <= task.cols / per_chunk<T> + 1; first += chunks * pass_threads) {
    Registers<T, Task::inputs, chunks> x;
    const auto part = chunks_at(first, x);
    const Statistics of_these = task.look(x, part, row);
    task.write(x, part, row, of_these, all, ColumnsInMemory{});
  }
}

}  // namespace rows
