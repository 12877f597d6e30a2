#include "streams/copy_tasks.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "base/arena.hpp"
#include "base/details.hpp"
#include "base/devices/device_turns.hpp"
#include "base/host_state.hpp"
#include "events/memory_events.hpp"
#include "events/opaque_numbers.hpp"
#include "streams/copy_sides.hpp"
#include "streams/untrusted_host.hpp"

namespace emulator::streams {
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
  return streams::is_usable(side, box.origin, bytes, where);
}

// Whether the bytes touch memory of the host's that only the API's functions may.
bool touches_guarded(const void* begin, std::size_t bytes) {
  constexpr std::size_t page = 4096;
  const auto* const first = static_cast<const char*>(begin);
  for (std::size_t at = 0; at < bytes; at += page) {
    if (is_guarded(first + at)) return true;
  }
  return bytes > 0 && is_guarded(first + bytes - 1);
}

// Whether a copy brings to the host what is the device's, or what the host's code must not touch.
bool is_way_to_host(const void* to, const void* from, std::size_t bytes) {
  const bool is_from_there = is_the_devices(from, bytes) || touches_guarded(from, bytes);
  return is_from_there && !is_the_devices(to, bytes);
}

// Whether all of the copy may be made: where the host is not trusted, it may not read everything.
bool is_permitted(const Box& to, const Box& from, const cudaExtent& extent, bool now) {
  if (!is_host_distrusted()) return true;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      if (is_way_to_host(to.row(y, z), from.row(y, z), extent.width) &&
          !may_copy_to_host(to.row(y, z), extent.width, now)) {
        return false;
      }
    }
  }
  return true;
}

void copy_rows(const Box& to, const Box& from, const cudaExtent& extent) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      std::memmove(to.row(y, z), from.row(y, z), extent.width);
    }
  }
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

}  // namespace

void copy_now(const CopyTask& copy) {
  const auto& [call, to, from, extent, sides, staged, variables_of, symbol_call, is_asynchronous] =
      copy;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      if (call != nullptr && is_the_devices(to.row(y, z), extent.width) &&
          is_the_devices(from.row(y, z), extent.width)) {
        note_device_call(call, to.row(y, z), from.row(y, z), extent.width);
      }
      if (variables_of == 0 || in_arena(from.row(y, z))) work_reads(from.row(y, z), extent.width);
      if (variables_of == 0 || in_arena(to.row(y, z))) work_writes(to.row(y, z), extent.width);
      std::memmove(to.row(y, z), from.row(y, z), extent.width);
      if (is_the_devices(to.row(y, z), extent.width)) reveal_numbers(to.row(y, z), extent.width);
    }
  }
  if (details_wanted()) box_copied(to, from, extent);
}

void set_now(const SetTask& set) {
  const auto& [call, box, value, extent, element_bytes, is_asynchronous] = set;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      set_row(box.row(y, z), value, extent.width, element_bytes);
      note_device_call(call, box.row(y, z), nullptr, extent.width);
      work_writes(box.row(y, z), extent.width);
      memory_written(box.row(y, z), extent.width);
    }
  }
}

bool place_box(const cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& extent,
               Box& box) {
  const auto reaches_past = [](std::size_t begin, std::size_t length, std::size_t end) {
    std::size_t sum = 0;
    return __builtin_add_overflow(begin, length, &sum) || sum > end;
  };
  if (reaches_past(position.x, extent.width, memory.pitch)) return false;
  if (extent.depth > 1 && reaches_past(position.y, extent.height, memory.ysize)) return false;
  box.origin = static_cast<unsigned char*>(memory.ptr);
  box.pitch = memory.pitch;
  std::size_t rows = 0;
  std::size_t slices = 0;
  return !__builtin_mul_overflow(memory.pitch, memory.ysize, &box.slice) &&
         !__builtin_mul_overflow(position.y, memory.pitch, &rows) &&
         !__builtin_mul_overflow(position.z, box.slice, &slices) &&
         !__builtin_add_overflow(rows, slices, &box.offset) &&
         !__builtin_add_overflow(box.offset, position.x, &box.offset);
}

bool are_usable(const CopyTask& copy) {
  return is_usable("destination", copy.to, copy.extent, copy.sides.destination) &&
         is_usable("source", copy.from, copy.extent, copy.sides.source);
}

bool is_usable(const SetTask& set) {
  return is_usable("memory to set", set.box, set.extent, Where::device);
}

cudaError_t check_copy(const CopyTask& copy, bool now) {
  if (!are_usable(copy)) return cudaErrorInvalidValue;
  return is_permitted(copy.to, copy.from, copy.extent, now) ? cudaSuccess : cudaErrorNotPermitted;
}

}  // namespace emulator::streams

namespace emulator::events {

using namespace streams;

// When its turn has come the memory may be gone, freed in some stream; and what the host may read
// may be another thing than when it asked.
void CopyTask::perform() const {
  const DeviceTurn turn;
  const VariablesOf variables(variables_of);
  const cudaError_t error = check_copy(*this, /*now=*/true);
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
  const DeviceTurn turn;
  if (is_usable(*this)) {
    set_now(*this);
  } else {
    set_sticky_error(cudaErrorIllegalAddress);
  }
}

}  // namespace emulator::events
