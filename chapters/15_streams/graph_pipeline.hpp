// Chapter 15, fourth lesson: the same work as a graph, made once and launched any number of times.
#pragma once

#include "events.hpp"

// A stream in capture runs nothing: each call becomes a node, and each wait an edge. The capture
// begins in one stream. Others join it by waiting for an event of it, and at the end the first one
// has to wait for all of them.
cudaGraph_t captured(const Sum& sum, const Streams& streams) {
  cudaStream_t first = streams.of(0);
  const Events arrived(sum.chunks), added(sum.chunks), joined(1);
  CUDA_CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  issue_by_kind(sum, first, streams.of(1), streams.of(2), arrived, added);
  CUDA_CHECK(cudaEventRecord(joined[0], streams.of(2)));
  CUDA_CHECK(cudaStreamWaitEvent(first, joined[0], 0));
  cudaGraph_t graph = nullptr;
  CUDA_CHECK(cudaStreamEndCapture(first, &graph));
  return graph;
}

class GraphPipeline {
 public:
  explicit GraphPipeline(const Sum& sum) : graph_(captured(sum, streams_)) {
    CUDA_CHECK(cudaGraphInstantiate(&ready_, graph_, 0));
  }
  GraphPipeline(const GraphPipeline&) = delete;
  GraphPipeline& operator=(const GraphPipeline&) = delete;
  ~GraphPipeline() {
    CUDA_WARN(cudaGraphExecDestroy(ready_));
    CUDA_WARN(cudaGraphDestroy(graph_));
  }

  void run() const {  // one call for all copies and kernels
    CUDA_CHECK(cudaGraphLaunch(ready_, streams_.of(0)));
    CUDA_CHECK(cudaStreamSynchronize(streams_.of(0)));
  }
  size_t nodes() const {
    size_t count = 0;
    CUDA_CHECK(cudaGraphGetNodes(graph_, nullptr, &count));
    return count;
  }

 private:
  Streams streams_{3};
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};
