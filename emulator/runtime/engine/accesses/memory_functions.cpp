/// \file
/// What memcpy() and its siblings are in kernels.

#include "emulator/device/memory_functions.h"

#include <cstdint>
#include <cstring>

#include "engine/accesses/host_accesses.hpp"
#include "engine/accesses/record.hpp"
#include "engine/engine.hpp"

// What programs call.
namespace emulator::detail {

using namespace engine;

// In a kernel byte by byte, each recorded before it is done. Nobody else's byte is overwritten
// before it is read, even where the two overlap.
void* copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (recording_lane == nullptr) {
    note_of_host(from, bytes, HostAccess::read, false, __builtin_return_address(0));
    note_of_host(to, bytes, HostAccess::write, false, __builtin_return_address(0));
    return std::memmove(to, from, bytes);
  }
  void* const pc = __builtin_return_address(0);
  const auto* const source = static_cast<const char*>(from);
  auto* const target = static_cast<char*>(to);
  const auto distance =
      reinterpret_cast<std::uintptr_t>(target) - reinterpret_cast<std::uintptr_t>(source);
  for (std::size_t n = 0; n < bytes; ++n) {
    const std::size_t i = distance < bytes ? bytes - 1 - n : n;
    record_byte(source + i, false, pc);
    record_byte(target + i, true, pc);
    target[i] = source[i];
  }
  return to;
}

void* set_bytes(void* to, int value, std::size_t bytes) {
  if (recording_lane == nullptr) {
    note_of_host(to, bytes, HostAccess::write, false, __builtin_return_address(0));
    return std::memset(to, value, bytes);
  }
  auto* const target = static_cast<unsigned char*>(to);
  for (std::size_t i = 0; i < bytes; ++i) {
    record_byte(target + i, true, __builtin_return_address(0));
    target[i] = static_cast<unsigned char>(value);
  }
  return to;
}

int compare_bytes(const void* a, const void* b, std::size_t bytes) {
  if (recording_lane == nullptr) {
    note_of_host(a, bytes, HostAccess::read, false, __builtin_return_address(0));
    note_of_host(b, bytes, HostAccess::read, false, __builtin_return_address(0));
    return std::memcmp(a, b, bytes);
  }
  const auto* const left = static_cast<const unsigned char*>(a);
  const auto* const right = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < bytes; ++i) {
    record_byte(left + i, false, __builtin_return_address(0));
    record_byte(right + i, false, __builtin_return_address(0));
    if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
  }
  return 0;
}

}  // namespace emulator::detail
