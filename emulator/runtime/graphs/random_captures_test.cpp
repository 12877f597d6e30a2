/// \file
/// Random captures beside a model: the edges are what streams and events order.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "graphs/graph_orders_test.hpp"
#include "tests/support/queue_test.hpp"

using namespace graph_orders_test;
using namespace host_test;

namespace {

// Random work in streams that fork and join, captured; beside it, for each node, what it waits for.
void run_capture(std::uint64_t seed) {
  const Fresh fresh;
  std::mt19937_64 random(seed);
  constexpr std::size_t streams = 4;
  std::array<cudaStream_t, streams> handles{};
  std::array<cudaEvent_t, streams> events{};
  for (std::size_t i = 0; i < streams; ++i) {
    handles[i] = stream_with(i % 2 == 0 ? cudaStreamNonBlocking : cudaStreamDefault);
    events[i] = some_event();
  }
  std::array<Set, streams> stream_waits;      // the nodes that the next one comes after
  std::array<Set, streams> event_stands_for;  // likewise
  std::array<bool, streams> is_in{true, false, false, false};
  std::array<bool, streams> is_recorded{};
  std::vector<Set> model;
  std::vector<std::size_t> order;
  std::vector<std::unique_ptr<Mark>> marks;
  REQUIRE(cudaStreamBeginCapture(handles[0], cudaStreamCaptureModeGlobal) == cudaSuccess);
  for (int step = 0; step < 60 && model.size() < most_nodes; ++step) {
    const std::size_t stream = random() % streams;
    const std::size_t event = random() % streams;
    switch (random() % 4) {
      case 0:
        if (!is_in[stream]) break;
        CHECK(cudaEventRecord(events[event], handles[stream]) == cudaSuccess);
        event_stands_for[event] = stream_waits[stream];
        is_recorded[event] = true;
        break;
      case 1:
        if (!is_recorded[event]) break;
        CHECK(cudaStreamWaitEvent(handles[stream], events[event], 0) == cudaSuccess);
        stream_waits[stream] |= event_stands_for[event];
        is_in[stream] = true;
        break;
      default:
        if (!is_in[stream]) break;
        marks.push_back(std::make_unique<Mark>(Mark{&order, model.size()}));
        CHECK(cudaLaunchHostFunc(handles[stream], &Mark::leave, marks.back().get()) == cudaSuccess);
        model.push_back(stream_waits[stream]);
        stream_waits[stream].set(model.size() - 1);
    }
  }
  Set all;
  for (std::size_t i = 0; i < model.size(); ++i) all.set(i);
  const bool joins = random() % 4 != 0;
  for (std::size_t i = 1; i < streams && joins; ++i) {
    if (!is_in[i]) continue;
    CHECK(cudaEventRecord(events[i], handles[i]) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(handles[0], events[i], 0) == cudaSuccess);
    stream_waits[0] |= stream_waits[i];
  }
  cudaGraph_t graph = nullptr;
  const cudaError_t error = cudaStreamEndCapture(handles[0], &graph);
  const bool is_joined = stream_waits[0] == all;
  CHECK(error == (is_joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined));
  if (!is_joined) {
    cudaGetLastError();
    return;
  }
  // The graph's nodes are in the order of capture; what comes before one is worked out of its
  // edges.
  std::vector<cudaGraphNode_t> nodes(most_nodes);
  std::size_t count = nodes.size();
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count) == cudaSuccess);
  REQUIRE(count == model.size());
  std::map<cudaGraphNode_t, std::size_t> numbers;
  std::vector<Set> captured(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[nodes[i]] = i;
    std::vector<cudaGraphNode_t> dependencies(most_nodes);
    std::size_t edges = dependencies.size();
    CHECK(cudaGraphNodeGetDependencies(nodes[i], dependencies.data(), nullptr, &edges) ==
          cudaSuccess);
    for (std::size_t edge = 0; edge < edges; ++edge) {
      const std::size_t other = numbers.at(dependencies[edge]);
      captured[i] |= captured[other];
      captured[i].set(other);
    }
    CHECK(captured[i] == model[i]);
  }
  CHECK(order.empty());
  CHECK(cudaGraphLaunch(instantiated(graph), handles[1]) == cudaSuccess);
  CHECK(cudaStreamSynchronize(handles[1]) == cudaSuccess);
  CHECK(order.size() == model.size());
}

}  // namespace

TEST_CASE("random captures have the edges that streams and events stand for") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    run_capture(seed);
  }
}
