#pragma once
/// \file
/// What host code accesses, as far as somebody wants to know: memory that kernels may reach, and
/// objects by which host threads may tell each other of something.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/host_state.hpp"
#include "base/rooms.hpp"

namespace emulator::events {

/// Memory outside the arena that host code and kernels may share.
struct SharedRange {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> bytes{0};

  bool holds(std::uintptr_t address) const {
    return address - begin.load(std::memory_order_relaxed) < bytes.load(std::memory_order_relaxed);
  }
};
extern constinit std::atomic<bool> order_checks_on;
extern constinit SharedRange registered_range;
extern constinit SharedRange variable_range;
/// Of the host's own memory what host functions use, which share it with who issues them.
extern constinit SharedRange own_variables_range;
extern constinit SharedRange own_stack_range;
/// Where the stack is that this thread's host function shares with others.
extern constinit thread_local const void* host_function_frame;

/// Whether the checks want to know of an access of the host's to that address.
inline bool is_watched_of_host(std::uintptr_t address) {
  return order_checks_on.load(std::memory_order_relaxed) &&
         (address - arena_base < arena_size || registered_range.holds(address) ||
          variable_range.holds(address) || own_variables_range.holds(address) ||
          own_stack_range.holds(address));
}
enum class HostAccess { read, write };
/// \param is_strong atomic, or volatile
void host_accesses(std::uintptr_t address, std::size_t bytes, HostAccess access, bool is_strong,
                   const void* pc);

/// Whether a host thread that the calling one begins is the emulator's own: the work that it does
/// is not the program's host code.
inline constinit thread_local bool begins_own_thread = false;

/// Whether there is more than one host thread that the checks tell apart.
extern constinit std::atomic<bool> several_host_threads;

inline bool is_handing_on() {
  return order_checks_on.load(std::memory_order_relaxed) &&
         several_host_threads.load(std::memory_order_relaxed);
}

/// The thread hands on what it has done, through this object.
void thread_hands_on(const volatile void* object);
/// The thread takes what was handed on there, once it does the next thing that matters: an atomic
/// load is announced before it is done.
void thread_takes_over(const volatile void* object);

/// The same of whatever any host thread has done: where the object by which they wait is not seen.
void thread_takes_over_from_all();

}  // namespace emulator::events
