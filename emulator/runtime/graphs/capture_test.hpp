#pragma once
/// \file
/// What the tests of captures share. NVIDIA's compiler takes them as well.

#include <functional>

#include "tests/support/graph_test.hpp"

namespace graph_test {

inline void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  REQUIRE(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
}

inline cudaGraph_t end(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(graph != nullptr);
  return graph;
}

inline cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  return status;
}

// Ends a capture that something has invalidated.
inline void end_invalidated(cudaStream_t stream) {
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
  CHECK(status_of(stream) == cudaStreamCaptureStatusInvalidated);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  CHECK(status_of(stream) == cudaStreamCaptureStatusNone);
  cudaGetLastError();
}

// What `call` returns while a stream is captured, which it invalidates.
inline cudaError_t forbidden(const std::function<cudaError_t(cudaStream_t)>& call,
                             unsigned flags = cudaStreamNonBlocking,
                             cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  cudaStream_t const stream = stream_with(flags);
  begin(stream, mode);
  const cudaError_t error = call(stream);
  end_invalidated(stream);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  return error;
}

}  // namespace graph_test
