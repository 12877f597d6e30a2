/// \file
/// Atomic operations on 16 bytes, one at a time: not every host has an instruction for them.

#include <cstring>
#include <mutex>

#include "emulator/device/nv_atomics.h"

namespace emulator::engine {
namespace {

constexpr std::size_t bytes = 16;
std::mutex one_at_a_time;

}  // namespace

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void exchange_wide(void* address, const void* value, void* old) noexcept {
  const std::lock_guard lock(one_at_a_time);
  std::memcpy(old, address, bytes);
  std::memcpy(address, value, bytes);
}

bool compare_exchange_wide(void* address, void* expected, const void* desired) noexcept {
  const std::lock_guard lock(one_at_a_time);
  const bool is_equal = std::memcmp(address, expected, bytes) == 0;
  if (is_equal) {
    std::memcpy(address, desired, bytes);
  } else {
    std::memcpy(expected, address, bytes);
  }
  return is_equal;
}

}  // namespace emulator::detail
