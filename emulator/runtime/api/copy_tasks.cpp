#include "api/copy_tasks.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "api/copy_sides.hpp"
#include "base/host_state.hpp"
#include "api/untrusted_host.hpp"
#include "observers/checks/findings.hpp"
#include "observers/checks/shadow.hpp"
#include "observers/checks/unwritten_bytes.hpp"
#include "graphs/capture.hpp"
#include "observers/ordering/order_checks.hpp"
#include "streams/order.hpp"
#include "streams/work_queue.hpp"

namespace emulator::detail {
namespace {

// The bytes from the caller's pointer to the end of the box. False if they are more than addresses
// reach.
bool bytes_of(const Box& box, const cudaExtent& extent, std::size_t& bytes) {
  std::size_t rows = 0;
  std::size_t slices = 0;
  return !__builtin_mul_overflow(extent.height - 1, box.pitch, &rows) &&
         !__builtin_mul_overflow(extent.depth - 1, box.slice, &slices) &&
         !__builtin_add_overflow(rows, slices, &bytes) &&
         !__builtin_add_overflow(bytes, box.offset, &bytes) &&
         !__builtin_add_overflow(bytes, extent.width, &bytes);
}

// Whether all that is usable.
bool is_usable(const char* side, const Box& box, const cudaExtent& extent, Where where) {
  std::size_t bytes = 0;
  if (!bytes_of(box, extent, bytes)) bytes = static_cast<std::size_t>(-1);
  return is_usable(side, box.origin, bytes, where);
}

// Whether a copy brings to the host what is the device's.
bool is_way_to_host(const void* to, const void* from) {
  return is_the_devices(from) && !is_the_devices(to);
}

// Whether all of the copy may be made: where the host is not trusted, it may not read everything.
bool is_permitted(const Box& to, const Box& from, const cudaExtent& extent) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      if (is_way_to_host(to.row(y, z), from.row(y, z)) &&
          !may_copy_to_host(to.row(y, z), extent.width)) {
        return false;
      }
    }
  }
  return true;
}

// For the checks: what was copied counts as written as far as it was at the source; and if the host
// gets something that nobody has written, that is a finding.
void note_copy(const Box& to, const Box& from, const cudaExtent& extent) {
  UnwrittenBytes unwritten;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      if (lookup(to.row(y, z)).has_value()) {
        note_copied(to.row(y, z), from.row(y, z), extent.width);
      } else {
        unwritten.add(from.row(y, z), extent.width);
      }
    }
  }
  unwritten.report();
}

void copy_rows(const Box& to, const Box& from, const cudaExtent& extent) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      std::memmove(to.row(y, z), from.row(y, z), extent.width);
    }
  }
}

void copy_now(const CopyTask& copy) {
  const auto& [call, to, from, extent, sides, staged] = copy;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      if (call != nullptr && is_the_devices(to.row(y, z)) && is_the_devices(from.row(y, z))) {
        note_device_call(call, to.row(y, z), from.row(y, z), extent.width);
      }
      note_work_reads(from.row(y, z), extent.width);
      note_work_writes(to.row(y, z), extent.width);
      std::memmove(to.row(y, z), from.row(y, z), extent.width);
    }
  }
  if (checks_on()) note_copy(to, from, extent);
}

void set_row(unsigned char* row, int value, std::size_t bytes, unsigned element_bytes) {
  if (element_bytes == 1) {
    std::memset(row, value, bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += element_bytes) {
    std::memcpy(row + at, &value, element_bytes);  // the lower bytes come first
  }
}

void set_now(const SetTask& set) {
  const auto& [call, box, value, extent, element_bytes] = set;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      set_row(box.row(y, z), value, extent.width, element_bytes);
      note_device_call(call, box.row(y, z), nullptr, extent.width);
      note_work_writes(box.row(y, z), extent.width);
      note_written(box.row(y, z), extent.width);
    }
  }
}

}  // namespace

bool are_usable(const CopyTask& copy) {
  return is_usable("destination", copy.to, copy.extent, copy.sides.destination) &&
         is_usable("source", copy.from, copy.extent, copy.sides.source);
}

bool is_usable(const SetTask& set) {
  return is_usable("memory to set", set.box, set.extent, Where::device);
}

cudaError_t check_copy(const CopyTask& copy) {
  if (!are_usable(copy)) return cudaErrorInvalidValue;
  return is_permitted(copy.to, copy.from, copy.extent) ? cudaSuccess : cudaErrorNotPermitted;
}

// When its turn has come the memory may be gone, freed in some stream; and what the host may read
// may be another thing than when it asked.
void CopyTask::perform() const {
  const cudaError_t error = check_copy(*this);
  if (error == cudaSuccess) {
    copy_now(*this);
  } else {
    set_sticky_error(error == cudaErrorInvalidValue ? cudaErrorIllegalAddress : error);
  }
}

void CopyTask::stage() {
  const std::size_t slice = extent.width * extent.height;
  staged = std::make_shared<std::vector<unsigned char>>(slice * extent.depth);
  const Box packed{staged->data(), 0, extent.width, slice};
  copy_rows(packed, from, extent);
  from = packed;
}

void SetTask::perform() const {
  if (is_usable(*this)) {
    set_now(*this);
  } else {
    set_sticky_error(cudaErrorIllegalAddress);
  }
}

cudaError_t issue(CopyTask copy, cudaStream_t stream, const CopyWaits& waits) {
  if (is_straight_through()) {
    copy_now(copy);
    return cudaSuccess;
  }
  if (is_captured(stream)) return capture(stream, cudaGraphNodeTypeMemcpy, std::move(copy));
  if (waits.for_the_stream_first) wait_for_stream(stream);
  if (waits.stages_source && chosen_order != Order::as_issued) copy.stage();
  const Ticket ticket = enqueue(stream, std::move(copy));
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
  return is_usable(task) ? issue(task, stream, form) : cudaErrorInvalidValue;
}

}  // namespace emulator::detail
