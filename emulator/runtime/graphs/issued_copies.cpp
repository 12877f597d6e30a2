#include "graphs/issued_copies.hpp"

#include <set>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "events/host_accesses.hpp"
#include "events/memory_events.hpp"
#include "graphs/capture.hpp"
#include "streams/copy_sides.hpp"
#include "streams/copy_tasks.hpp"
#include "streams/order.hpp"
#include "streams/planned_failures.hpp"
#include "streams/waiting_work.hpp"
#include "streams/work_queue.hpp"
#include "textures/array_copies.hpp"

namespace emulator::graphs {

namespace {

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

Box rows_at(const void* pointer, std::size_t pitch) {
  return {static_cast<unsigned char*>(const_cast<void*>(pointer)), 0, pitch, 0};
}

bool is_of_array(const cudaMemcpy3DParms& p) {
  return p.srcArray != nullptr || p.dstArray != nullptr;
}

// In a default stream a copy from one device to another waits for all that both have been given to
// do, and what they are given later waits for the copy.
Ticket enqueue_copy(CopyTask copy, const StreamInQueue& stream) {
  std::set<int> devices;
  if (device_count() > 1 && stream.blocks == Blocks::is_legacy) {
    for (const void* const side : {copy.to.origin, copy.from.origin}) {
      const auto memory = lookup(side);
      if (memory && memory->kind == MemoryKind::device) devices.insert(memory->device);
    }
  }
  if (devices.size() < 2) return enqueue(stream, std::move(copy), {});
  std::vector<Ticket> before;
  for (const int device : devices) {
    const std::vector<Ticket> last = all_tails(device);
    before.insert(before.end(), last.begin(), last.end());
  }
  const Ticket ticket = enqueue(stream, std::move(copy), before);
  for (const int device : devices) {
    if (device == stream.device) continue;
    enqueue({numbered_for(device, 0), Blocks::is_legacy}, WaitTask{}, {ticket});
  }
  return ticket;
}

}  // namespace

cudaError_t copy_in_stream(CopyTask task, cudaStream_t stream, Form form) {
  if (const cudaError_t error = fails_as_planned(Failing::copy); error != cudaSuccess) return error;
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  if (form == Form::plain) {
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
  }
  if (const cudaError_t error = check_copy(task, is_straight_through()); error != cudaSuccess)
    return error;
  if (is_straight_through()) return issue(std::move(task), stream, {});
  task.is_asynchronous = form == Form::asynchronous;
  const Side to = side_of(task.to.origin);
  const Side from = side_of(task.from.origin);
  if (order_checks_on && form == Form::asynchronous &&
      (to == Side::pageable || from == Side::pageable)) {
    pageable_copy_issued(in_queue(stream));
  }
  return issue(std::move(task), stream, waits_of_copy(to, from, form));
}

cudaError_t make_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                      CopyTask& copy) {
  Sides sides{};
  if (!sides_of(kind, sides)) return cudaErrorInvalidMemcpyDirection;
  copy = {"cudaMemcpy", rows_at(to, 0), rows_at(from, 0), {bytes, 1, 1}, sides};
  return cudaSuccess;
}

cudaError_t make_copy(const cudaMemcpy3DParms& p, CopyTask& copy) {
  Sides sides{};
  if (!sides_of(p.kind, sides)) return cudaErrorInvalidMemcpyDirection;
  if (is_of_array(p)) return make_array_copy(p, sides, copy);
  Box to{};
  Box from{};
  if (is_empty(p.extent) || !place_box(p.dstPtr, p.dstPos, p.extent, to) ||
      !place_box(p.srcPtr, p.srcPos, p.extent, from)) {
    return cudaErrorInvalidValue;
  }
  copy = {"cudaMemcpy3D", to, from, p.extent, sides};
  return cudaSuccess;
}

cudaError_t issue(CopyTask copy, cudaStream_t stream, const CopyWaits& waits) {
  if (is_straight_through()) {
    copy_now(copy);
    return cudaSuccess;
  }
  if (is_captured(stream)) return capture(stream, cudaGraphNodeTypeMemcpy, std::move(copy));
  if (waits.for_the_stream_first) wait_for_stream(stream);
  if (waits.stages_source && may_wait_in_queue()) copy.stage();
  const Ticket ticket = enqueue_copy(std::move(copy), in_queue(stream));
  if (waits.until_done) wait_for(ticket);
  return sticky_error();
}

cudaError_t issue(const SetTask& set, cudaStream_t stream, Form form) {
  if (is_straight_through()) {
    set_now(set);
    return cudaSuccess;
  }
  if (is_captured(stream)) return capture(stream, cudaGraphNodeTypeMemset, set);
  const Ticket ticket = enqueue(stream, set);
  if (set_waits(side_of(set.box.origin), form)) wait_for(ticket);
  return sticky_error();
}

cudaError_t set_in_stream(const SetTask& task, cudaStream_t stream, Form form) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  if (form == Form::plain) {
    if (const cudaError_t error = refuse_unsafe_while_capturing(); error != cudaSuccess) {
      return error;
    }
  }
  if (!is_usable(task)) return cudaErrorInvalidValue;
  SetTask named = task;
  named.is_asynchronous = form == Form::asynchronous;
  return issue(named, stream, form);
}

}  // namespace emulator::graphs
