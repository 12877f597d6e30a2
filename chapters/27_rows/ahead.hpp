/// @file
/// Chapter 27: long rows. Persistent clusters of blocks, each with a ring of its parts of some rows
/// in shared memory: while one is worked on, the next ones arrive.
#pragma once

#include <cuda/ptx>

#include "held.hpp"
#include "ring.hpp"

namespace rows {

namespace ptx = cuda::ptx;

constexpr int ahead_threads = 512, ahead_chunks = 8, ahead_stages = 3;
constexpr int at_once = 2;  // chunks of a thread that are floats at the same time
constexpr int ahead_share =
    ahead_threads * ahead_chunks;  // chunks of a row that a block has room for

/// gamma and beta of a thread's columns, if the task has them.
template <class Task, class Part>
__device__ auto columns_of(const Task& task, const Part& part) {
  ColumnsInRegisters<Task::of_columns, ahead_chunks> columns = {};
#pragma unroll
  for (int k = 0; k < ahead_chunks; ++k) {
    if constexpr (Task::of_columns > 0) {
      columns.chunk[0][k] = load_columns(task.gamma, part, k, task.cols);
    }
    if constexpr (Task::of_columns > 1) {
      columns.chunk[1][k] = load_columns(task.beta, part, k, task.cols);
    }
  }
  return columns;
}

/// Rows of whole chunks, of a task with one input that is only looking. The grid has as many teams
/// as fit on the device; `blocks` blocks are a team. One barrier per row: when all have passed it,
/// the row's statistics are known, and its stage is free.
template <class Task>
__global__ void __launch_bounds__(ahead_threads, 1)
    rows_ahead(const Task task, int rows, int blocks) {
#ifdef ROWS_HAS_CLUSTERS
  using T = typename Task::T;
  using Statistics = typename Task::Statistics;
  static_assert(Task::inputs == 1 && Task::only_looking);
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ Exchange<Statistics, 2> exchange;
  __shared__ std::uint64_t full[ahead_stages];
  const Team team = {ahead_threads / 32, blocks};
  const int thread = static_cast<int>(threadIdx.x);
  const int rank = static_cast<int>(blockIdx.x) % blocks;
  const int teams = static_cast<int>(gridDim.x) / blocks;
  const int first = static_cast<int>(blockIdx.x) / blocks;

  const int all_chunks = task.cols / per_chunk<T>;
  const int share = (all_chunks + blocks - 1) / blocks;
  const int mine = max(0, min(share, all_chunks - rank * share));
  auto* const ring = reinterpret_cast<Chunk*>(memory);
  // By one thread: starts the copy of the block's part of a row.
  const auto refill = [&](int stage, int row) {
    if (row >= rows || mine == 0) return;
    const auto bytes = static_cast<unsigned>(mine * sizeof(Chunk));
    const auto* const from =
        reinterpret_cast<const Chunk*>(task.in[0] + static_cast<std::size_t>(row) * task.cols);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &full[stage], bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring + stage * share,
                       from + rank * share, bytes, &full[stage]);
  };
  if (thread == 0) {
    for (std::uint64_t& barrier : full) ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    for (int stage = 0; stage < ahead_stages; ++stage) refill(stage, first + stage * teams);
  }
  sync_team(team);

  const auto part_from = [&](int row, int k) {
    return Part<T, false>(row, rows, task.cols, rank, blocks, thread + k * ahead_threads,
                          ahead_threads);
  };
  const auto part = part_from(first, 0);
  const auto columns = columns_of(task, part);  // the same in all rows
  // Calls each(p, part, x) for pieces of a row that is in registers as it was in memory.
  const auto for_each_piece = [&](int row, const Chunk(&chunks)[ahead_chunks], auto each) {
#pragma unroll
    for (int p = 0; p < ahead_chunks / at_once; ++p) {
      Registers<T, 1, at_once> x;
#pragma unroll
      for (int k = 0; k < at_once; ++k) unpack(forget_floats(chunks[p * at_once + k]), x[0][k]);
      each(p, part_from(row, p * at_once), x);
    }
  };
  int stage = 0, turn = 0;
  unsigned parity = 0;
  for (int row = first; row < rows; row += teams) {
    if (mine > 0) course::wait(full[stage], parity);
    Chunk chunks[ahead_chunks];
#pragma unroll
    for (int k = 0; k < ahead_chunks; ++k) {
      chunks[k] = filled<T>(task.fill);
      if (part.has(k)) chunks[k] = ring[stage * share + k * ahead_threads + thread];
    }
    ptx::fence_proxy_async(ptx::space_shared);  // these reads, then the copy that overwrites
    Statistics own[ahead_chunks / at_once], together;
    for_each_piece(row, chunks, [&](int p, const auto& part, auto& x) {
      own[p] = task.look(x, part, row);
      together = Statistics::merged(together, own[p]);
    });
    tell(Statistics::of_warp(together), exchange, turn, team, rank);
    sync_team(team);
    if (thread == 0) refill(stage, row + ahead_stages * teams);
    const Statistics all = of_warps_together(exchange.of_warps[turn], blocks * team.warps);
    for_each_piece(row, chunks, [&](int p, const auto& part, auto& x) {
      const SomeColumns<Task::of_columns, ahead_chunks> some = {columns, p * at_once};
      task.write(x, part, row, own[p], all, some);
    });
    turn ^= 1;
    if (++stage == ahead_stages) {
      stage = 0;
      parity ^= 1;
    }
  }
  // No block may leave while another one still tells it something.
  sync_team(team);
#endif
}

}  // namespace rows
