/// \file
/// Copying and setting memory, and symbols. The checks are those that a GPU's driver makes; where a
/// size overflows, which it does not always notice, they are stricter.

#include <link.h>

#include <cstdint>
#include <cstring>

#include "api/arena.hpp"
#include "api/host_state.hpp"
#include "api/untrusted_host.hpp"
#include "checking/findings.hpp"
#include "checking/host_findings.hpp"
#include "checking/shadow.hpp"
#include "checking/unwritten_bytes.hpp"
#include "emulator/host_api.h"
#include "emulator/unmodelled.h"

using namespace emulator::detail;

namespace {

// Where a side of a copy has to be. A device pointer on the side that the kind calls the host's
// works on a GPU with unified addressing (as every current one) whenever the other side is the
// device's, and so it does here.
enum class Where { host, device, anywhere };

struct Sides {
  Where destination;
  Where source;
};

// Whether the kind is one, and what it asks of the two sides.
bool sides_of(cudaMemcpyKind kind, Sides& sides) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      sides = {Where::host, Where::host};
      return true;
    case cudaMemcpyHostToDevice:
      sides = {Where::device, Where::anywhere};
      return true;
    case cudaMemcpyDeviceToHost:
      sides = {Where::anywhere, Where::device};
      return true;
    case cudaMemcpyDeviceToDevice:
      sides = {Where::device, Where::device};
      return true;
    case cudaMemcpyDefault:
      sides = {Where::anywhere, Where::anywhere};
      return true;
  }
  return false;
}

// Whether the bytes are all in one allocation that is where it has to be, or all in memory that the
// API does not know and therefore takes for the host's.
bool is_usable(const void* pointer, std::size_t bytes, Where where) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  if (pointer == nullptr || begin + bytes < begin) return false;
  if (const auto memory = lookup(pointer)) {
    const bool device_only =
        memory->kind == MemoryKind::device || memory->kind == MemoryKind::symbol;
    if (where == Where::host && device_only) return false;
    return bytes <= memory->size - (begin - memory->base);
  }
  return where != Where::device && !in_arena(pointer) && !touches_allocation(begin, bytes);
}

// The same; and if it is not usable, the checks say what is wrong with the side of that name.
bool is_usable(const char* side, const void* pointer, std::size_t bytes, Where where) {
  if (is_usable(pointer, bytes, where)) return true;
  if (checks_on()) find_bad_copy(side, pointer, bytes, where == Where::device);
  return false;
}

// A box of rows and slices, somewhere behind a pointer; sizes and distances in bytes.
struct Box {
  unsigned char* origin;  // what the caller passed
  std::size_t offset;     // of the box from there
  std::size_t pitch;      // from row to row
  std::size_t slice;      // from slice to slice

  unsigned char* row(std::size_t y, std::size_t z) const {
    return origin + offset + z * slice + y * pitch;
  }
};

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

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
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

bool is_the_devices(const void* pointer) {
  const auto memory = lookup(pointer);
  return memory && (memory->kind == MemoryKind::device || memory->kind == MemoryKind::symbol);
}

// Whether a copy brings to the host what is the device's.
bool is_way_to_host(const void* to, const void* from) {
  return is_the_devices(from) && !is_the_devices(to);
}

// `call` is the function's name, without Async.
cudaError_t copy(const char* call, const Box& to, const Box& from, const cudaExtent& extent,
                 Sides sides, cudaStream_t stream) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  if (!is_usable("destination", to, extent, sides.destination) ||
      !is_usable("source", from, extent, sides.source)) {
    return cudaErrorInvalidValue;
  }
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      if (is_way_to_host(to.row(y, z), from.row(y, z)) &&
          !may_copy_to_host(to.row(y, z), extent.width)) {
        return cudaErrorNotPermitted;
      }
      if (is_the_devices(to.row(y, z)) && is_the_devices(from.row(y, z))) {
        note_device_call(call, to.row(y, z), from.row(y, z), extent.width);
      }
      std::memmove(to.row(y, z), from.row(y, z), extent.width);
    }
  }
  if (checks_on()) note_copy(to, from, extent);
  return cudaSuccess;
}

cudaError_t set(const char* call, const Box& box, int value, const cudaExtent& extent,
                cudaStream_t stream) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  if (!is_usable("memory to set", box, extent, Where::device)) return cudaErrorInvalidValue;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      std::memset(box.row(y, z), value, extent.width);
      note_device_call(call, box.row(y, z), nullptr, extent.width);
      note_written(box.row(y, z), extent.width);
    }
  }
  return cudaSuccess;
}

Box rows_at(const void* pointer, std::size_t pitch) {
  return {static_cast<unsigned char*>(const_cast<void*>(pointer)), 0, pitch, 0};
}

// The box of that extent at a position in a pitched allocation. False if it does not fit there:
// rows end with their pitch, and slices with the rows of one, unless there is only one.
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

}  // namespace

cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  Sides sides{};
  if (!sides_of(kind, sides)) return report(cudaErrorInvalidMemcpyDirection);
  return device_call([&] {
    return copy("cudaMemcpy", rows_at(destination, 0), rows_at(source, 0), {bytes, 1, 1}, sides,
                stream);
  });
}

cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t bytes,
                       cudaMemcpyKind kind) {
  return cudaMemcpyAsync(destination, source, bytes, kind, nullptr);
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (destination_device != 0 || source_device != 0) return report(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, std::size_t bytes) {
  return cudaMemcpyPeerAsync(destination, destination_device, source, source_device, bytes,
                             nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  if (width == 0 || height == 0) return cudaSuccess;
  Sides sides{};
  if (!sides_of(kind, sides)) return report(cudaErrorInvalidMemcpyDirection);
  if (width > destination_pitch || width > source_pitch) return report(cudaErrorInvalidPitchValue);
  return device_call([&] {
    return copy("cudaMemcpy2D", rows_at(destination, destination_pitch),
                rows_at(source, source_pitch), {width, height, 1}, sides, stream);
  });
}

cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(destination, destination_pitch, source, source_pitch, width, height,
                           kind, nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (parameters == nullptr) return report(cudaErrorInvalidValue);
  const cudaMemcpy3DParms& p = *parameters;
  if (p.srcArray != nullptr || p.dstArray != nullptr) {
    return not_modelled("cudaMemcpy3D to or from an array");
  }
  if (is_empty(p.extent)) return cudaSuccess;
  Sides sides{};
  if (!sides_of(p.kind, sides)) return report(cudaErrorInvalidMemcpyDirection);
  Box to{};
  Box from{};
  if (!place_box(p.dstPtr, p.dstPos, p.extent, to) ||
      !place_box(p.srcPtr, p.srcPos, p.extent, from)) {
    return report(cudaErrorInvalidValue);
  }
  return device_call([&] { return copy("cudaMemcpy3D", to, from, p.extent, sides, stream); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return cudaMemcpy3DAsync(parameters, nullptr);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  return device_call([&] {
    return set("cudaMemset", rows_at(pointer, 0), value, {bytes, 1, 1}, stream);
  });
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return cudaMemsetAsync(pointer, value, bytes, nullptr);
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  if (width == 0 || height == 0) return cudaSuccess;
  // A single row has no pitch, which is looked at only from two rows on.
  if (width > pitch && height > 1) return report(cudaErrorInvalidValue);
  return device_call([&] {
    return set("cudaMemset2D", rows_at(pointer, pitch), value, {width, height, 1}, stream);
  });
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  if (is_empty(extent)) return cudaSuccess;
  Box box{};
  if (!place_box(pointer, {0, 0, 0}, extent, box)) return report(cudaErrorInvalidValue);
  return device_call([&] { return set("cudaMemset3D", box, value, extent, stream); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pointer, value, extent, nullptr);
}

namespace emulator::detail {
namespace {

// Whether the object is a variable of the program or of a library, as symbols are; writable, if it
// is to be written. Objects on a stack or on the heap are not.
bool is_variable(const void* object, bool writable) {
  struct Query {
    std::uintptr_t address;
    ElfW(Word) flags;
    bool found;
  };
  Query query{reinterpret_cast<std::uintptr_t>(object),
              static_cast<ElfW(Word)>(writable ? PF_W : PF_R), false};
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* data) {
        Query& wanted = *static_cast<Query*>(data);
        for (int i = 0; i < library->dlpi_phnum; ++i) {
          const auto& segment = library->dlpi_phdr[i];
          const std::uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && wanted.address - begin < segment.p_memsz) {
            wanted.found = (segment.p_flags & wanted.flags) != 0;
            return 1;
          }
        }
        return 0;
      },
      &query);
  return query.found;
}

bool within(std::size_t offset, std::size_t bytes, std::size_t size) {
  return offset <= size && bytes <= size - offset;
}

}  // namespace

cudaError_t copy_to_symbol(void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  Sides sides{};
  if (!sides_of(kind, sides) || kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) {
    return report(cudaErrorInvalidMemcpyDirection);
  }
  if (!is_variable(symbol, true)) return report(cudaErrorInvalidSymbol);
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (!within(offset, bytes, symbol_bytes) || !is_usable("source", source, bytes, sides.source)) {
      return cudaErrorInvalidValue;
    }
    // No traffic, as far as it brings constants.
    if (is_the_devices(source)) note_device_call("cudaMemcpyToSymbol", nullptr, nullptr, bytes);
    std::memmove(static_cast<char*>(symbol) + offset, source, bytes);
    return cudaSuccess;
  });
}

cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  Sides sides{};
  if (!sides_of(kind, sides) || kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) {
    return report(cudaErrorInvalidMemcpyDirection);
  }
  if (!is_variable(symbol, false)) return report(cudaErrorInvalidSymbol);
  return device_call([&] {
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (!within(offset, bytes, symbol_bytes) ||
        !is_usable("destination", destination, bytes, sides.destination)) {
      return cudaErrorInvalidValue;
    }
    const auto memory = lookup(destination);
    if ((!memory || memory->kind != MemoryKind::device) && !may_copy_to_host(destination, bytes)) {
      return cudaErrorNotPermitted;
    }
    if (is_the_devices(destination)) {
      note_device_call("cudaMemcpyFromSymbol", destination, nullptr, bytes);
    }
    std::memmove(destination, static_cast<const char*>(symbol) + offset, bytes);
    return cudaSuccess;
  });
}

cudaError_t symbol_address(void** address, void* symbol, std::size_t symbol_bytes) {
  if (address == nullptr) return report(cudaErrorInvalidValue);
  if (!is_variable(symbol, false)) return report(cudaErrorInvalidSymbol);
  return device_call([&] {
    add_outside(symbol, symbol_bytes, MemoryKind::symbol, 0);  // once; later calls change nothing
    *address = symbol;
    return cudaSuccess;
  });
}

cudaError_t symbol_size(std::size_t* size, const void* symbol, std::size_t symbol_bytes) {
  if (size == nullptr) return report(cudaErrorInvalidValue);
  if (!is_variable(symbol, false)) return report(cudaErrorInvalidSymbol);
  return device_call([&] {
    *size = symbol_bytes;
    return cudaSuccess;
  });
}

}  // namespace emulator::detail
