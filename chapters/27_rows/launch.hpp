/// @file
/// Chapter 27: launch functions. All arrays are on the device and begin at a multiple of 16 bytes;
/// matrices are row-major, without a gap between rows. There may be no rows, or rows of no columns.
#pragma once

#include <algorithm>

#include "ahead.hpp"
#include "backward.hpp"
#include "course.hpp"
#include "held.hpp"
#include "norms.hpp"
#include "passes.hpp"
#include "softmax.hpp"

namespace rows {

constexpr int teams_of_a_warp = 4;  // in a block

/// Calls launch(ragged): whether some rows begin at no multiple of 16 bytes.
template <class T, class Launch>
void with_alignment(int cols, Launch launch) {
  if (cols % per_chunk<T> == 0) {
    launch(std::false_type{});
  } else {
    launch(std::true_type{});
  }
}

/// Chunks of 16 bytes that a row may touch.
template <class T>
int chunks_of_row(int cols) {
  return (cols + per_chunk<T> - 1) / per_chunk<T> + (cols % per_chunk<T> == 0 ? 0 : 1);
}

/// The smallest team whose registers hold a row of so many chunks; none if its warps are 0.
inline Team team_for(int chunks, int per_thread) {
  const int most_blocks = course::device().compute_capability >= 90 ? 8 : 1;
  for (int blocks = 1; blocks <= most_blocks; blocks *= 2) {
    const int warps = (chunks - 1) / (32 * per_thread * blocks) + 1;
    if (warps <= held_warps) return {warps, blocks};
  }
  return {0, 0};
}

inline cudaLaunchAttribute cluster_of(int blocks) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = static_cast<unsigned>(blocks);
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  return attribute;
}

/// A launch with `blocks` blocks per cluster.
template <class Kernel, class... Arguments>
void launch_clusters(Kernel kernel, unsigned grid, int threads, std::size_t shared, int blocks,
                     Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared;
  cudaLaunchAttribute attribute = cluster_of(blocks);
  config.attrs = &attribute;
  config.numAttrs = blocks > 1 ? 1 : 0;
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

/// How many clusters of such blocks the device runs at once.
template <class Kernel>
int clusters_at_once(Kernel kernel, int threads, std::size_t shared, int blocks) {
  int count = 0;
  if (blocks == 1) {
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, threads, shared));
    return std::max(1, count * course::device().multiprocessors);
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared;
  cudaLaunchAttribute attribute = cluster_of(blocks);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA_CHECK(cudaOccupancyMaxActiveClusters(&count, kernel, &config));
  return std::max(1, count);
}

/// Chunks that a thread holds of each input.
template <class Task>
constexpr int held_chunks = Task::inputs == 1 ? 4 : 2;

/// In registers, by this team.
template <class Task>
void launch_in_registers(const Task& task, int rows, const Team& team) {
  if (rows == 0 || task.cols == 0) return;
  with_alignment<typename Task::T>(task.cols, [&](auto ragged) {
    const int teams = team.warps == 1 ? teams_of_a_warp : 1;
    const auto blocks = static_cast<unsigned>((rows - 1) / teams + 1);
    launch_clusters(rows_in_registers<Task, held_chunks<Task>, decltype(ragged)::value>,
                    blocks * static_cast<unsigned>(team.blocks), 32 * team.warps * teams, 0,
                    team.blocks, task, rows, team);
  });
}

template <class Task>
void launch_in_two_passes(const Task& task, int rows) {
  if (rows == 0 || task.cols == 0) return;
  with_alignment<typename Task::T>(task.cols, [&](auto ragged) {
    rows_in_two_passes<Task, decltype(ragged)::value><<<rows, pass_threads>>>(task, rows);
  });
  CUDA_CHECK_LAUNCH();
}

/// Blocks per row of rows_ahead(): the fewest that have room for a row; 0 if there are none, or if
/// a bulk copy cannot bring such rows.
template <class T>
int blocks_ahead(int cols) {
  if (cols % per_chunk<T> != 0 || course::device().compute_capability < 90) return 0;
  for (int blocks = 1; blocks <= 8; blocks *= 2) {
    if (cols / per_chunk<T> <= blocks * ahead_share) return blocks;
  }
  return 0;
}

/// The task that only looks, for kernels that load a row's registers twice.
template <class Task>
const Task& again(const Task& task) {
  return task;
}
template <class T, class Exp>
Softmax<T, Exp, false> again(const Softmax<T, Exp, true>& task) {
  return {task.cols, {task.in[0]}, task.y};
}

/// By persistent clusters of so many blocks, as many as the device runs at once but no more than
/// most_teams.
template <class Task>
void launch_ahead(const Task& task, int rows, int blocks, int most_teams = 1 << 20) {
  if (rows == 0 || task.cols == 0) return;
  const auto kernel = rows_ahead<Task>;
  const int chunks = task.cols / per_chunk<typename Task::T>;
  const std::size_t shared =
      std::size_t{ahead_stages} * ((chunks - 1) / blocks + 1) * sizeof(Chunk);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared)));
  const int most = std::min(rows, most_teams);
  const int teams = std::min(most, clusters_at_once(kernel, ahead_threads, shared, blocks));
  launch_clusters(kernel, static_cast<unsigned>(teams * blocks), ahead_threads, shared, blocks,
                  task, rows, blocks);
}

/// The best of these. Rows of up to half a block's registers are held there. Beyond, a block cannot
/// wait for one row and load another, so copies run ahead; where they cannot, clusters hold rows,
/// and what no cluster holds takes two passes.
template <class Task>
void launch_rows(const Task& task, int rows) {
  if (rows == 0 || task.cols == 0) return;
  const Team team = team_for(chunks_of_row<typename Task::T>(task.cols), held_chunks<Task>);
  if (team.blocks != 1) {
    if constexpr (requires { typename Task::Again; }) {
      if constexpr (Task::Again::only_looking) {
        const int blocks = blocks_ahead<typename Task::T>(task.cols);
        if (blocks > 0) return launch_ahead(again(task), rows, blocks);
      }
    }
  }
  if (team.warps == 0) return launch_in_two_passes(task, rows);
  launch_in_registers(task, rows, team);
}

/// The gradients of gamma and beta; dbeta may be null.
/// @param moments mean and 1 / deviation of each row
/// @param found room for column_parts * cols pairs of sums
template <class T>
void launch_column_gradients(const T* x, const T* dy, const float2* moments, int rows, int cols,
                             float2* found, T* dgamma, T* dbeta) {
  if (cols == 0) return;
  const auto blocks = static_cast<unsigned>((cols - 1) / column_threads + 1);
  column_sums<<<dim3(blocks, column_parts), column_threads>>>(x, dy, moments, rows, cols, found);
  CUDA_CHECK_LAUNCH();
  add_column_sums<<<blocks, column_threads>>>(found, cols, dgamma, dbeta);
  CUDA_CHECK_LAUNCH();
}

template <class Exp, class T>
void launch_three_passes(const Softmax<T, Exp>& task, int rows) {
  if (rows == 0 || task.cols == 0) return;
  softmax_in_three_passes<Exp><<<rows, pass_threads>>>(task);
  CUDA_CHECK_LAUNCH();
}
template <class Exp, class T>
void launch_online(const Softmax<T, Exp>& task, int rows) {
  if (rows == 0 || task.cols == 0) return;
  softmax_online<Exp><<<rows, pass_threads>>>(task);
  CUDA_CHECK_LAUNCH();
}

}  // namespace rows
