#pragma once
/// \file
/// What the compiler's calls say of host code: it goes to the checks of order, if they want to
/// know.

#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"
#include "engine/engine.hpp"
#include "events/host_accesses.hpp"

namespace emulator::engine {

/// Atomics, and volatile accesses in older programs, may be how host threads tell each other of
/// something.
inline void note_of_host_threads(const volatile void* object, bool reads, bool writes) {
  if (__builtin_expect(!is_handing_on(), 1) || current_lane != nullptr) return;
  if (writes) thread_hands_on(object);
  if (reads) thread_takes_over(object);
}

/// Host code accesses memory, which kernels may also be able to reach.
inline void note_of_host(const void* pointer, std::size_t bytes, HostAccess access, bool is_strong,
                         const void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (__builtin_expect(!is_watched_of_host(address), 1)) return;
  if (bytes == 0 || current_lane != nullptr) return;  // a kernel that is not recorded
  host_accesses(address, bytes, access, is_strong, pc);
}

}  // namespace emulator::engine
