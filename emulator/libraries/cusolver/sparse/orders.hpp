#pragma once
/// \file
/// Orders of the rows and columns of sparse matrices that keep their factors sparse.

#include <set>
#include <vector>

#include "libraries/cusolver/sparse/sparse.hpp"

namespace emulator::cusolver {

/// The neighbours of each vertex: the pattern of A + A^T without its diagonal.
using Graph = std::vector<std::vector<int>>;
template <class T>
Graph graph_of(const Sparse<T>& a) {
  Graph graph(a.rows.size());
  for (int i = 0; i < a.count(); ++i) {
    for (const Entry<T>& entry : a.rows[at(i)]) {
      if (entry.index == i) continue;
      graph[at(i)].push_back(entry.index);
      graph[at(entry.index)].push_back(i);
    }
  }
  for (std::vector<int>& neighbours : graph) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return graph;
}

/// Cuthill and McKee's order, reversed: a narrow band.
std::vector<int> narrow_order(const Graph& graph);
/// The vertex of the least degree comes first, at each step of the elimination.
std::vector<int> least_degree_order(Graph graph);
/// A permutation p of rows such that as many A(p(j), j) as possible are not 0, by augmenting paths.
/// \param columns  of each row: where it is not 0
/// \return p, and how many there are
std::pair<std::vector<int>, int> full_diagonal(const Graph& columns);

/// As the argument `reorder` of many functions means it: 0 is as it is.
template <class T>
std::vector<int> order_of(const Sparse<T>& a, int reorder) {
  if (reorder == 1) return narrow_order(graph_of(a));
  if (reorder > 1) return least_degree_order(graph_of(a));
  std::vector<int> order;
  for (int i = 0; i < a.count(); ++i) order.push_back(i);
  return order;
}

/// How far apart the columns of rows are, all in all.
template <class T>
std::int64_t width_of(const Sparse<T>& a) {
  std::int64_t width = 0;
  for (const Row<T>& row : a.rows) {
    if (!row.empty()) width += row.back().index - row.front().index + 1;
  }
  return width;
}
/// The order in which Q and R are made: rotations row by row want a narrow band. One that is less
/// than twice as wide as the narrowest is left as it is.
template <class T>
std::vector<int> order_for_rotations(const Sparse<T>& a) {
  const std::vector<int> narrow = order_of(a, 1);
  return 2 * width_of(permuted(a, narrow, narrow)) < width_of(a) ? narrow : order_of(a, 0);
}

}  // namespace emulator::cusolver
