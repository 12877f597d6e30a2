/// \file
/// The functions that begin and end captures, and ask about them.

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "base/host_state.hpp"
#include "emulator/host/graphs.h"
#include "events/stream_work.hpp"
#include "graphs/captures.hpp"

using namespace emulator::graphs;

namespace {

bool is_mode(cudaStreamCaptureMode mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

// Whether a capture can begin in the stream.
cudaError_t can_begin(const StreamInQueue& stream) {
  if (stream.blocks == Blocks::is_legacy) return cudaErrorStreamCaptureUnsupported;
  return Captures::get().of(stream) == nullptr ? cudaSuccess : cudaErrorIllegalState;
}

// The status of a stream. The legacy default stream has none while it is held up.
cudaError_t find_status(const StreamInQueue& stream, cudaStreamCaptureStatus& status,
                        Capture*& capture) {
  Captures& captures = Captures::get();
  if (stream.blocks == Blocks::is_legacy && captures.holds_up_legacy()) {
    return cudaErrorStreamCaptureImplicit;
  }
  capture = captures.of(stream);
  status = cudaStreamCaptureStatusNone;
  if (capture != nullptr) {
    status = capture->is_valid ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
  }
  return cudaSuccess;
}

// Calls `use` with the stream as the queue knows it, everything locked.
template <class Use>
cudaError_t with_locked(cudaStream_t stream, Use use) {
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    const StreamInQueue in = in_queue(stream);
    const std::lock_guard lock(Graphs::get().mutex);
    return use(in);
  });
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (!is_mode(mode)) return report(cudaErrorInvalidValue);
  return with_locked(stream, [&](const StreamInQueue& in) {
    if (const cudaError_t error = can_begin(in); error != cudaSuccess) return error;
    Captures::get().begin(in, mode, Graphs::get().create(), /*owns_graph=*/true);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* dependency_data,
                                          std::size_t count, cudaStreamCaptureMode mode) {
  if (!is_mode(mode) || !is_plain(dependency_data, count)) return report(cudaErrorInvalidValue);
  return with_locked(stream, [&](const StreamInQueue& in) {
    if (const cudaError_t error = can_begin(in); error != cudaSuccess) return error;
    const auto found = Graphs::get().live.find(graph);
    if (found == Graphs::get().live.end() || found->second->is_captured_into ||
        !are_nodes_of(*found->second, dependencies, count)) {
      return cudaErrorInvalidValue;
    }
    Capture& capture = Captures::get().begin(in, mode, found->second, /*owns_graph=*/false);
    capture.streams.at(in.number).after.assign(dependencies, dependencies + count);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return with_locked(stream, [&](const StreamInQueue& in) {
    Captures& captures = Captures::get();
    Capture* const capture = captures.of(in);
    // A caller that has the graph already need not ask for it.
    if (graph == nullptr && (capture == nullptr || capture->owns_graph)) {
      return cudaErrorInvalidValue;
    }
    if (capture == nullptr) return cudaErrorIllegalState;
    if (graph != nullptr) *graph = nullptr;
    if (capture->origin != in.number) {
      capture->is_valid = false;
      return cudaErrorStreamCaptureUnmatched;
    }
    cudaError_t error = cudaSuccess;
    if (capture->mode != cudaStreamCaptureModeRelaxed &&
        capture->thread != std::this_thread::get_id()) {
      error = cudaErrorStreamCaptureWrongThread;  // and the capture is over all the same
    } else if (!capture->is_valid) {
      error = cudaErrorStreamCaptureInvalidated;
    } else if (capture->has_unjoined_work()) {
      error = cudaErrorStreamCaptureUnjoined;
    }
    const std::shared_ptr<Graph> captured = capture->graph;
    const bool drops_graph = error != cudaSuccess && capture->owns_graph;
    captures.end(*capture);
    if (drops_graph) Graphs::get().destroy(captured);
    if (error != cudaSuccess) return error;
    if (graph != nullptr) *graph = captured->handle;
    note_graph_calls({.captures = 1});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edge_data, std::size_t* count) {
  if (status == nullptr || (edge_data != nullptr && dependencies == nullptr)) {
    return report(cudaErrorInvalidValue);
  }
  return with_locked(stream, [&](const StreamInQueue& in) {
    Capture* capture = nullptr;
    const cudaError_t error = find_status(in, *status, capture);
    if (error != cudaSuccess || *status != cudaStreamCaptureStatusActive) return error;
    CapturedStream& captured = capture->streams.at(in.number);
    captured.edges.resize(captured.after.size());
    if (id != nullptr) *id = capture->id;
    if (graph != nullptr) *graph = capture->graph->handle;
    if (dependencies != nullptr) *dependencies = captured.after.data();
    if (edge_data != nullptr) *edge_data = captured.edges.data();
    if (count != nullptr) *count = captured.after.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* dependency_data,
                                                std::size_t count, unsigned int flags) {
  if (flags > cudaStreamSetCaptureDependencies || !is_plain(dependency_data, count)) {
    return report(cudaErrorInvalidValue);
  }
  return with_locked(stream, [&](const StreamInQueue& in) {
    Capture* const capture = Captures::get().of(in);
    if (capture == nullptr) return cudaErrorIllegalState;
    if (!capture->is_valid) return cudaErrorStreamCaptureInvalidated;
    if (!are_nodes_of(*capture->graph, dependencies, count)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t>& after = capture->streams.at(in.number).after;
    if (flags == cudaStreamSetCaptureDependencies) after.clear();
    for (const cudaGraphNode_t* node = dependencies; node != dependencies + count; ++node) {
      if (std::find(after.begin(), after.end(), *node) == after.end()) after.push_back(*node);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (mode == nullptr || !is_mode(*mode)) return report(cudaErrorInvalidValue);
  return device_call([&] {
    std::swap(*mode, capture_mode_of_this_thread());
    return cudaSuccess;
  });
}
