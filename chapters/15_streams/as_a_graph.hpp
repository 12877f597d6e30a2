// Chapter 15, fourth lesson: the same work as a graph, made once and launched as often as you like.
#pragma once

#include "events.hpp"

// Streams that are being captured run nothing: each call becomes a node, and each wait an edge. The
// capture begins in one stream. Others join it by waiting for an event of it, and at the end the
// first one has to wait for all of them.
class AsAGraph {
 public:
  AsAGraph(const Sum& sum) : has_come_(sum.chunks), is_added_(sum.chunks) {
    const cudaStream_t first = streams_.of(0);
    const Events joined(1);
    CUDA_CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    issue_by_kind(sum, first, streams_.of(1), streams_.of(2), has_come_, is_added_);
    CUDA_CHECK(cudaEventRecord(joined[0], streams_.of(2)));
    CUDA_CHECK(cudaStreamWaitEvent(first, joined[0], 0));
    CUDA_CHECK(cudaStreamEndCapture(first, &graph_));
    CUDA_CHECK(cudaGraphInstantiate(&ready_, graph_, 0));
  }
  AsAGraph(const AsAGraph&) = delete;
  AsAGraph& operator=(const AsAGraph&) = delete;
  ~AsAGraph() {
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
  Events has_come_, is_added_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};
