/// @file
/// Chapter 27: rows that stay in registers. A warp, a block or a cluster of blocks has a row; each
/// element is read once and written once.
#pragma once

#include <cooperative_groups.h>

#include "parts.hpp"
#include "statistics.hpp"

namespace rows {

/// Who has a row: `warps` warps in each of `blocks` blocks. With one warp, the others of the block
/// have rows of their own.
struct Team {
  int warps, blocks;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define ROWS_HAS_CLUSTERS  // older GPUs never launch more than one block per row
#endif

/// Tells all blocks of the team what this warp has found out about a row. A barrier later, of the
/// block or of the cluster, every warp can put together what there is to know of the row.
template <class Statistics, int rows>
__device__ void tell(const Statistics& warp, Exchange<Statistics, rows>& exchange, int row,
                     const Team& team, int rank) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int place = rank * team.warps + static_cast<int>(threadIdx.x / 32);
  if (team.blocks == 1) {
    if (lane == 0) exchange.of_warps[row][place] = warp;
    return;
  }
#ifdef ROWS_HAS_CLUSTERS
  if (lane < team.blocks) {
    cooperative_groups::this_cluster().map_shared_rank(&exchange, lane)->of_warps[row][place] =
        warp;
  }
#endif
}

/// A barrier for all threads of the team.
inline __device__ void sync_team(const Team& team) {
#ifdef ROWS_HAS_CLUSTERS
  if (team.blocks > 1) {
    cooperative_groups::this_cluster().sync();
    return;
  }
#endif
  __syncthreads();
}

constexpr int held_warps = 16;  // of a block, at most: so a thread may have 128 registers

/// A team's row in its registers: `chunks` chunks per thread, which are all loaded before the first
/// is waited for.
template <class Task, int chunks, bool ragged>
__global__ void __launch_bounds__(32 * held_warps, Task::inputs == 1 ? 2 : 1)
    rows_in_registers(const Task task, int rows, Team team) {
  using T = typename Task::T;
  using Statistics = typename Task::Statistics;
  __shared__ Exchange<Statistics, 1> exchange;
  const int threads = 32 * team.warps;
  const int thread = static_cast<int>(threadIdx.x) % threads;
  const int teams = static_cast<int>(blockDim.x) / threads;  // in the block
  const int rank = static_cast<int>(blockIdx.x) % team.blocks;
  const int row =
      static_cast<int>(blockIdx.x) / team.blocks * teams + static_cast<int>(threadIdx.x) / threads;
  if (row >= rows) return;  // a warp that would have had a row alone

  const Part<T, ragged> part(row, rows, task.cols, rank, team.blocks, thread, threads);
  Registers<T, Task::inputs, chunks> x;
  load_row(task, row, part, x);
  // Before a block writes to another's shared memory, that block must have begun.
  if (team.blocks > 1) sync_team(team);
  const Statistics own = task.look(x, part, row);
  Statistics all = Statistics::of_warp(own);
  if (team.warps > 1) {
    tell(all, exchange, 0, team, rank);
    sync_team(team);
    all = of_warps_together(exchange.of_warps[0], team.blocks * team.warps);
  }
  task.write(x, part, row, own, all, ColumnsInMemory{});
}

}  // namespace rows
