#pragma once
/// \file
/// A captured stream, for the tests of all libraries. It works with NVIDIA's libraries as well.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstddef>

namespace libraries {

/// A stream that can be captured, and the graph that comes of it, for the length of a scope.
class Capture {
 public:
  Capture() { REQUIRE(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) == cudaSuccess); }
  ~Capture() {
    if (executable_ != nullptr) CHECK(cudaGraphExecDestroy(executable_) == cudaSuccess);
    if (graph_ != nullptr) CHECK(cudaGraphDestroy(graph_) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream_) == cudaSuccess);
    cudaGetLastError();
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  cudaStream_t stream() const { return stream_; }
  void begin() {
    REQUIRE(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  }
  cudaError_t end() { return cudaStreamEndCapture(stream_, &graph_); }
  std::size_t nodes() const {
    std::size_t count = 0;
    CHECK(cudaGraphGetNodes(graph_, nullptr, &count) == cudaSuccess);
    return count;
  }
  /// Does the graph's work once, and waits for it.
  void launch() {
    if (executable_ == nullptr) {
      REQUIRE(cudaGraphInstantiate(&executable_, graph_, 0) == cudaSuccess);
    }
    CHECK(cudaGraphLaunch(executable_, stream_) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream_) == cudaSuccess);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace libraries
