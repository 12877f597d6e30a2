#pragma once
/// \file
/// The checks of what happens beside each other: host threads and streams that use the same memory,
/// one of them writing, where nothing says who comes first.
///
/// Whether two accesses are ordered does not follow from when they happened to be done, but from
/// what the program asked for: who waits for whom. So the findings are the same in every legal
/// order of the streams' work.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/host_state.hpp"
#include "observers/traffic/counters.hpp"

namespace emulator::detail {

/// Called when the checks begin and end.
void begin_order_checks();
void end_order_checks();

// What the work of a stream does, told by the thread that does it. Nothing happens while the checks
// are off.
void note_work_reads(const void* memory, std::size_t bytes);
void note_work_writes(const void* memory, std::size_t bytes);

/// Somebody who accesses memory: a piece of work, or a host thread.
struct Doer;

/// The piece of work that this thread does, or null.
Doer* piece_of_this_thread();
/// A request to global or constant memory, of a kernel that is that piece of work.
void note_request(Doer& kernel, const Request& request);

// What host code does ----------------------------------------------------------------------------

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

/// Whether the checks want to know of an access of the host's to that address.
inline bool is_watched_of_host(std::uintptr_t address) {
  return order_checks_on.load(std::memory_order_relaxed) &&
         (address - arena_base < arena_size || registered_range.holds(address) ||
          variable_range.holds(address));
}
enum class HostAccess { read, write };
/// \param is_strong atomic, or volatile
void note_host_access(std::uintptr_t address, std::size_t bytes, HostAccess access, bool is_strong,
                      const void* pc);

/// cudaHostRegister(), and its end.
void note_registered(const void* memory, std::size_t bytes);
void note_unregistered(const void* memory);

// Freed and allocated memory ---------------------------------------------------------------------

/// The host is about to free memory, or to take it from the device, by a function of which CUDA
/// does not say that it waits: finds what the host has not waited for. For that all work is done.
void find_unfinished_work(const void* memory, const char* function);

/// The running piece of work frees memory.
void note_freed_in_stream(const void* memory);
/// The memory is gone, or no longer registered.
void note_gone(const void* memory);
/// The piece of work with that ticket allocates memory.
void note_allocated_in_stream(const void* memory, std::uint64_t ticket);

// Small mistakes with streams --------------------------------------------------------------------

/// An event is waited for that nobody has recorded.
void find_unrecorded_event(const char* function);
/// An asynchronous copy has a side in pageable memory.
void find_pageable_copy(cudaStream_t stream);

}  // namespace emulator::detail
