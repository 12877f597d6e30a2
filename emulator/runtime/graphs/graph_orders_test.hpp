#pragma once
/// \file
/// What the tests of graphs beside models share.

#include <bitset>
#include <cstddef>
#include <vector>

#include "emulator/host/graphs.h"
#include "tests/support/queue_test.hpp"

namespace graph_orders_test {

constexpr std::size_t most_nodes = 24;
using Set = std::bitset<most_nodes>;

inline cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  return executable;
}

// A host function that leaves a number.
struct Mark {
  std::vector<std::size_t>* order;
  std::size_t number;

  static void leave(void* data) {
    const Mark& mark = *static_cast<const Mark*>(data);
    mark.order->push_back(mark.number);
  }
};

}  // namespace graph_orders_test
