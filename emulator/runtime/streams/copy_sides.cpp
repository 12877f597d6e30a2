#include "streams/copy_sides.hpp"

#include <cstdint>

#include "base/arena.hpp"
#include "base/device_variables.hpp"
#include "base/host_state.hpp"
#include "events/findings.hpp"
#include "events/memory_events.hpp"

namespace emulator::streams {
namespace {

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

}  // namespace

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

bool is_usable(const char* side, const void* pointer, std::size_t bytes, Where where) {
  if (is_usable(pointer, bytes, where)) return true;
  if (details_wanted()) copy_refused(side, pointer, bytes, where == Where::device);
  return false;
}

bool is_the_devices(const void* pointer, std::size_t bytes) {
  const auto memory = lookup(pointer);
  if (memory) return memory->kind == MemoryKind::device || memory->kind == MemoryKind::symbol;
  // Where the host has a copy of its own, a copy of the variable itself is one of device memory.
  return touches_parted(reinterpret_cast<std::uintptr_t>(pointer), bytes);
}

}  // namespace emulator::streams
