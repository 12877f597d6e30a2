#include "graphs/capture.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "emulator/host/unmodelled.h"
#include "graphs/captures.hpp"
#include "graphs/node_work.hpp"

namespace emulator::graphs {
namespace {

cudaError_t invalidate(Capture& capture, cudaError_t error) {
  capture.is_valid = false;
  return error;
}

// The legacy default stream may not be used while a stream is captured that waits for it.
cudaError_t refuse_legacy(Captures& captures) {
  for (Capture& capture : captures.under_way) {
    const auto holds_it_up = [](const auto& entry) {
      return entry.second.blocks == Blocks::blocking;
    };
    if (std::ranges::any_of(capture.streams, holds_it_up)) capture.is_valid = false;
  }
  return cudaErrorStreamCaptureImplicit;
}

// Calls `use` with the valid capture that the stream is in, everything locked.
template <class Use>
cudaError_t with_capture(cudaStream_t stream, Use use) {
  const std::lock_guard lock(Graphs::get().mutex);
  Captures& captures = Captures::get();
  const StreamInQueue in = in_queue(stream);
  if (in.blocks == Blocks::is_legacy) return refuse_legacy(captures);
  Capture* const capture = captures.of(in);
  if (capture == nullptr) return cudaErrorIllegalState;  // it has just been ended
  if (!capture->is_valid) return cudaErrorStreamCaptureInvalidated;
  const cudaError_t error = use(*capture, capture->streams.at(in.number));
  return error == cudaSuccess ? error : invalidate(*capture, error);
}

// For what a capture cannot see, and is forbidden as its mode says.
cudaError_t refuse_as_unsafe();

void add_captured(Capture& capture, CapturedStream& stream, Work work) {
  auto* const node = Graphs::get().add(*capture.graph, std::move(work), stream.after);
  stream.after = {node};
}

// Adds what the stream does not wait for yet.
void wait_for_these(CapturedStream& stream, const std::vector<cudaGraphNode_t>& nodes) {
  for (auto* const node : nodes) {
    if (std::ranges::find(stream.after, node) == stream.after.end()) stream.after.push_back(node);
  }
}

}  // namespace

bool Capture::has_unjoined_work() const {
  const std::vector<cudaGraphNode_t>& joined = streams.at(origin).after;
  return std::ranges::any_of(streams, [&](const auto& entry) {
    return std::ranges::any_of(entry.second.after, [&](cudaGraphNode_t node) {
      return graph->nodes.contains(node) && !graph->reaches(joined, node);
    });
  });
}

Captures& Captures::get() {
  static auto& captures = *new Captures;  // never destroyed, for static objects' destructors
  return captures;
}

Capture* Captures::of(const StreamInQueue& stream) {
  const auto found = std::ranges::find_if(
      under_way, [&](const Capture& capture) { return capture.streams.contains(stream.number); });
  return found == under_way.end() ? nullptr : &*found;
}

Capture* Captures::of(unsigned long long id) {
  const auto found = std::ranges::find(under_way, id, &Capture::id);
  return found == under_way.end() ? nullptr : &*found;
}

bool Captures::holds_up_legacy() const {
  return std::ranges::any_of(under_way, [](const Capture& capture) {
    return std::ranges::any_of(
        capture.streams, [](const auto& entry) { return entry.second.blocks == Blocks::blocking; });
  });
}

Capture& Captures::begin(const StreamInQueue& stream, cudaStreamCaptureMode mode,
                         std::shared_ptr<Graph> graph, bool owns_graph) {
  graph->is_captured_into = true;
  under_way.push_back(
      {++last_id_, stream.number, mode, std::this_thread::get_id(), std::move(graph), owns_graph});
  under_way.back().streams[stream.number] = {stream.blocks};
  refuse_unsafe = refuse_as_unsafe;
  count_captures(1);
  return under_way.back();
}

void Captures::end(Capture& capture) {
  capture.graph->is_captured_into = false;
  under_way.remove_if([&](const Capture& one) { return &one == &capture; });
  count_captures(-1);
}

cudaStreamCaptureMode& capture_mode_of_this_thread() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

bool is_captured(cudaStream_t stream) {
  const std::lock_guard lock(Graphs::get().mutex);
  Captures& captures = Captures::get();
  const StreamInQueue in = in_queue(stream);
  return in.blocks == Blocks::is_legacy ? captures.holds_up_legacy() : captures.of(in) != nullptr;
}

cudaError_t capture(cudaStream_t stream, Work work) {
  return with_capture(stream, [&](Capture& capture, CapturedStream& in) {
    add_captured(capture, in, std::move(work));
    return cudaSuccess;
  });
}

cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type, Task task, cudaEvent_t event) {
  return capture(stream, Work{type, std::move(task), event});
}

cudaError_t capture_launch(KernelTask task) {
  auto* const stream = task.configuration.stream;
  return report(with_capture(stream, [&](Capture& capture, CapturedStream& in) {
    if (!task.keep_arguments()) {
      return not_modelled("capturing a launch whose arguments cannot be copied");
    }
    Work work{cudaGraphNodeTypeKernel, {}};
    if (task.cooperative != nullptr) {
      work.attributes[cudaLaunchAttributeCooperative].cooperative = 1;
    }
    work.task = std::move(task);
    add_captured(capture, in, std::move(work));
    return cudaSuccess;
  }));
}

cudaError_t capture_allocation(cudaStream_t stream, void*& pointer, std::size_t bytes,
                               const char* function) {
  return with_capture(stream, [&](Capture& capture, CapturedStream& in) {
    cudaMemAllocNodeParams wanted{};
    wanted.poolProps.allocType = cudaMemAllocationTypePinned;
    wanted.poolProps.location = {cudaMemLocationTypeDevice, 0};
    wanted.bytesize = bytes;
    Work work;
    const cudaError_t error = set_work(work, wanted, function);
    if (error != cudaSuccess) return error;
    pointer = wanted.dptr;
    add_captured(capture, in, std::move(work));
    return cudaSuccess;
  });
}

cudaError_t capture_free(cudaStream_t stream, void* pointer) {
  return with_capture(stream, [&](Capture& capture, CapturedStream& in) {
    Work work;
    const cudaError_t error = set_work(work, *capture.graph, pointer);
    if (error == cudaSuccess) add_captured(capture, in, std::move(work));
    return error;
  });
}

cudaError_t capture_record(cudaStream_t stream, std::shared_ptr<const CapturedRecord>& record) {
  return with_capture(stream, [&](const Capture& capture, const CapturedStream& in) {
    record = std::make_shared<CapturedRecord>(CapturedRecord{capture.id, in.after});
    return cudaSuccess;
  });
}

cudaError_t capture_wait(cudaStream_t stream, cudaEvent_t event, const CapturedRecord* record,
                         bool external) {
  if (external) return capture(stream, cudaGraphNodeTypeWaitEvent, WaitTask{}, event);
  const std::lock_guard lock(Graphs::get().mutex);
  Captures& captures = Captures::get();
  const StreamInQueue in = in_queue(stream);
  if (in.blocks == Blocks::is_legacy) return refuse_legacy(captures);
  Capture* const own = captures.of(in);
  if (own != nullptr && !own->is_valid) return cudaErrorStreamCaptureInvalidated;
  Capture* const events = record != nullptr ? captures.of(record->capture) : nullptr;
  if (events == nullptr || !events->is_valid) {
    // An event whose capture is over, or of no use, stands for nothing that could be waited for.
    return own != nullptr ? invalidate(*own, cudaErrorStreamCaptureIsolation)
                          : cudaErrorInvalidValue;
  }
  if (own != nullptr && own != events) {
    invalidate(*events, cudaErrorStreamCaptureMerge);
    return invalidate(*own, cudaErrorStreamCaptureMerge);
  }
  CapturedStream& joining = events->streams[in.number];
  joining.blocks = in.blocks;
  wait_for_these(joining, record->after);
  return cudaSuccess;
}

cudaError_t refuse_captured(cudaStream_t stream) {
  if (!is_captured(stream)) return cudaSuccess;
  return with_capture(stream, [](const Capture&, const CapturedStream&) {
    return cudaErrorStreamCaptureUnsupported;
  });
}

cudaError_t refuse_captured_call(cudaStream_t stream, const char* function) {
  if (is_straight_through() || !is_captured(stream)) return cudaSuccess;
  return with_capture(stream, [&](const Capture&, const CapturedStream&) {
    return not_modelled((std::string("capturing ") + function + " into a graph").c_str());
  });
}

cudaError_t refuse_captured_event(const CapturedRecord& record) {
  const std::lock_guard lock(Graphs::get().mutex);
  Capture* const capture = Captures::get().of(record.capture);
  if (capture == nullptr || !capture->is_valid) return cudaErrorInvalidValue;
  return invalidate(*capture, cudaErrorCapturedEvent);
}

// CUDA Runtime API, cudaThreadExchangeStreamCaptureMode().

cudaError_t refuse_while_anything_is_captured() {
  if (is_straight_through()) return cudaSuccess;
  const std::lock_guard lock(Graphs::get().mutex);
  cudaError_t error = cudaSuccess;
  for (Capture& capture : Captures::get().under_way) {
    error = invalidate(capture, cudaErrorStreamCaptureUnsupported);
  }
  return error;
}

void drop_capture_begun_in(cudaStream_t stream) {
  const std::lock_guard lock(Graphs::get().mutex);
  const StreamInQueue in = in_queue(stream);
  Capture* const capture = Captures::get().of(in);
  if (capture == nullptr || capture->origin != in.number) return;
  const std::shared_ptr<Graph> graph = capture->owns_graph ? capture->graph : nullptr;
  Captures::get().end(*capture);
  if (graph) Graphs::get().destroy(graph);
}

void reset_captures() {
  const std::lock_guard lock(Graphs::get().mutex);
  Captures& captures = Captures::get();
  while (!captures.under_way.empty()) captures.end(captures.under_way.front());
}

namespace {

cudaError_t refuse_as_unsafe() {
  const cudaStreamCaptureMode mode = capture_mode_of_this_thread();
  if (mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  const std::lock_guard lock(Graphs::get().mutex);
  cudaError_t error = cudaSuccess;
  for (Capture& capture : Captures::get().under_way) {
    const bool is_own = capture.thread == std::this_thread::get_id();
    const bool forbids =
        is_own ? capture.mode != cudaStreamCaptureModeRelaxed
               : mode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
    if (forbids) error = invalidate(capture, cudaErrorStreamCaptureUnsupported);
  }
  return error;
}

}  // namespace

}  // namespace emulator::graphs
