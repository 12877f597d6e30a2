// Chapter 26: graphs on the host, as matrices without values.
#pragma once

#include "levels.hpp"

// The transposed matrix: of each edge the other way.
inline HostCsr transposed(const HostCsr& A) {
  HostCsr T;
  T.rows = A.cols;
  T.cols = A.rows;
  T.offsets.assign(T.rows + size_t{1}, 0);
  for (const int column : A.columns) ++T.offsets[column + size_t{1}];
  for (int r = 0; r < T.rows; ++r) T.offsets[r + size_t{1}] += T.offsets[r];
  T.columns.resize(A.columns.size());
  T.values.resize(A.columns.size());
  std::vector<int> next(T.offsets.begin(), T.offsets.end() - 1);
  for (int r = 0; r < A.rows; ++r) {
    for (int k = A.offsets[r]; k < A.offsets[r + 1]; ++k) {
      const int at = next[A.columns[k]]++;
      T.columns[at] = r;
      T.values[at] = A.values[k];
    }
  }
  return T;
}

// A square matrix and its transposed one in one: all edges in both directions. An edge may occur
// twice.
inline HostCsr both_ways(const HostCsr& A) {
  const HostCsr T = transposed(A);
  HostCsr S;
  S.rows = A.rows;
  S.cols = A.cols;
  S.offsets.resize(A.rows + size_t{1});
  for (int r = 0; r < A.rows; ++r) {
    for (const HostCsr* const part : {&A, &T}) {
      S.columns.insert(S.columns.end(), part->columns.begin() + part->offsets[r],
                       part->columns.begin() + part->offsets[r + 1]);
      S.values.insert(S.values.end(), part->values.begin() + part->offsets[r],
                      part->values.begin() + part->offsets[r + 1]);
    }
    S.offsets[r + size_t{1}] = static_cast<int>(S.columns.size());
  }
  return S;
}

// The levels, by a queue.
inline std::vector<int> reference_levels(const HostCsr& out, int source) {
  std::vector<int> levels(out.rows, unreached), queue = {source};
  levels[source] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    const int vertex = queue[i];
    for (int k = out.offsets[vertex]; k < out.offsets[vertex + 1]; ++k) {
      const int other = out.columns[k];
      if (levels[other] != unreached) continue;
      levels[other] = levels[vertex] + 1;
      queue.push_back(other);
    }
  }
  return levels;
}
