// Chapter 26, seventh lesson: a graph is a sparse matrix. Row v has the vertices to which v has an
// edge. Breadth-first search finds level after level: first the source, then its neighbours, ...
#pragma once

#include "rows.hpp"

constexpr int unreached = -1;

// Top down: a warp has a vertex of the last level. Each neighbour that nobody has reached is the
// next level's; of several edges to it one wins.
__global__ void __launch_bounds__(block)
    level_from_above(Csr edges, const int* level_before, int count, int next, int* levels,
                     int* level_after, int* count_after) {
  const int i = blockIdx.x * (block / 32) + warp();
  if (i >= count) return;
  const int vertex = level_before[i], end = edges.offsets[vertex + 1];
  for (int k = edges.offsets[vertex] + lane(); k < end; k += 32) {
    const int other = edges.columns[k];
    if (atomicCAS(&levels[other], unreached, next) == unreached) {
      level_after[atomicAdd(count_after, 1)] = other;
    }
  }
}

// Bottom up: a thread has a vertex. If nobody has reached it, it looks for an edge from the last
// level, and stops at the first. `edges` are those that arrive: of the transposed matrix. Others
// may write their vertices' levels meanwhile, to `next`: never what is looked for.
__global__ void __launch_bounds__(block)
    level_from_below(Csr edges, int next, int* levels, int* level_after, int* count_after) {
  const int vertex = blockIdx.x * block + threadIdx.x;
  if (vertex >= edges.rows || levels[vertex] != unreached) return;
  for (int k = edges.offsets[vertex]; k < edges.offsets[vertex + 1]; ++k) {
    if (*static_cast<volatile int*>(&levels[edges.columns[k]]) == next - 1) {
      *static_cast<volatile int*>(&levels[vertex]) = next;
      level_after[atomicAdd(count_after, 1)] = vertex;
      return;
    }
  }
}
