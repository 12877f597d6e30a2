#include "libraries/cusolver/sparse/orders.hpp"

namespace emulator::cusolver {
namespace {

// Vertices by their distance from one, nearer ones and those of fewer neighbours first.
// \return how far the last ones are
int walk(const Graph& graph, int start, std::vector<int>& distance, std::vector<int>& found) {
  found.assign(1, start);
  distance[at(start)] = 0;
  for (std::size_t next = 0; next < found.size(); ++next) {
    std::vector<int> fresh;
    for (const int neighbour : graph[at(found[next])]) {
      if (distance[at(neighbour)] >= 0) continue;
      distance[at(neighbour)] = distance[at(found[next])] + 1;
      fresh.push_back(neighbour);
    }
    std::stable_sort(fresh.begin(), fresh.end(),
                     [&](int a, int b) { return graph[at(a)].size() < graph[at(b)].size(); });
    found.insert(found.end(), fresh.begin(), fresh.end());
  }
  return distance[at(found.back())];
}

}  // namespace

std::vector<int> narrow_order(const Graph& graph) {
  std::vector<int> order;
  std::vector<int> distance(graph.size(), -1);
  std::vector<int> found;
  for (std::size_t vertex = 0; vertex < graph.size(); ++vertex) {
    if (distance[vertex] >= 0) continue;
    // From one end of what hangs together: the far end of a walk, until none is farther.
    int start = static_cast<int>(vertex);
    int far = -1;
    for (;;) {
      const int reach = walk(graph, start, distance, found);
      if (reach <= far) break;
      far = reach;
      start = found.back();
      for (const int i : found) distance[at(i)] = -1;
    }
    order.insert(order.end(), found.begin(), found.end());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> least_degree_order(Graph graph) {
  std::set<std::pair<std::size_t, int>> left;
  for (std::size_t i = 0; i < graph.size(); ++i)
    left.insert({graph[i].size(), static_cast<int>(i)});
  std::vector<int> order;
  std::vector<int> merged;
  while (!left.empty()) {
    const std::size_t degree = left.begin()->first;
    const int vertex = left.begin()->second;
    if (degree + 1 == left.size()) break;  // all are neighbours: any order is as good
    left.erase(left.begin());
    order.push_back(vertex);
    const std::vector<int> neighbours = std::move(graph[at(vertex)]);
    for (const int i : neighbours) {
      left.erase({graph[at(i)].size(), i});
      merged.clear();
      std::set_union(graph[at(i)].begin(), graph[at(i)].end(), neighbours.begin(), neighbours.end(),
                     std::back_inserter(merged));
      std::erase_if(merged, [&](int j) { return j == i || j == vertex; });
      graph[at(i)].swap(merged);
      left.insert({graph[at(i)].size(), i});
    }
  }
  for (const auto& [degree, vertex] : left) order.push_back(vertex);
  return order;
}

std::pair<std::vector<int>, int> full_diagonal(const Graph& columns) {
  const std::size_t n = columns.size();
  std::vector<int> row_of(n, -1);  // of each column
  int count = 0;
  for (std::size_t first = 0; first < n; ++first) {
    // Breadth first: which row could give its column to which, until one is free.
    std::vector<int> asked_by(n, -1);
    std::vector<int> waiting{static_cast<int>(first)};
    int free = -1;
    for (std::size_t next = 0; next < waiting.size() && free < 0; ++next) {
      for (const int column : columns[at(waiting[next])]) {
        if (asked_by[at(column)] >= 0) continue;
        asked_by[at(column)] = waiting[next];
        if (row_of[at(column)] < 0) {
          free = column;
          break;
        }
        waiting.push_back(row_of[at(column)]);
      }
    }
    if (free < 0) continue;
    ++count;
    std::vector<int> column_of(n, -1);
    for (std::size_t j = 0; j < n; ++j) {
      if (row_of[j] >= 0) column_of[at(row_of[j])] = static_cast<int>(j);
    }
    for (int column = free; column >= 0;) {
      const int row = asked_by[at(column)];
      const int before = column_of[at(row)];
      row_of[at(column)] = row;
      column = before;
    }
  }
  // What is left takes the other rows.
  std::vector<bool> used(n);
  for (const int row : row_of) {
    if (row >= 0) used[at(row)] = true;
  }
  std::size_t next = 0;
  for (int& row : row_of) {
    if (row >= 0) continue;
    while (used[next]) ++next;
    row = static_cast<int>(next++);
  }
  return {row_of, count};
}

}  // namespace emulator::cusolver
