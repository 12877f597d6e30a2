#pragma once
/// \file
/// How one access is recorded. All of it is inlined into the functions that the compiler's calls
/// come to, but for what is rare.

#include <cstdint>

#include "base/host_state.hpp"
#include "engine/accesses/host_accesses.hpp"
#include "engine/engine.hpp"
#include "events/program_events.hpp"
#include "events/witnessed.hpp"

// The program's initialised and zeroed data: home of `__device__` variables. (Host variables are
// there too, but no kernel may touch those.)
extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));
extern char __start_emulator_constant[] __attribute__((weak));
extern char __stop_emulator_constant[] __attribute__((weak));

namespace emulator::engine {

inline bool within(std::uintptr_t address, const char* begin, const char* end) {
  return address - reinterpret_cast<std::uintptr_t>(begin) <
         static_cast<std::uintptr_t>(end - begin);
}

/// A place in memory, as a GPU would see it.
enum class Space { global, shared, other };

inline Space space_of(std::uintptr_t address, const Worker& worker) {
  if (address - arena_base < arena_size) return Space::global;
  if (worker.is_shared_of_cluster(address)) return Space::shared;
  // Constant memory has a cache of its own and makes no global requests.
  if (within(address, __data_start, _end) &&
      !within(address, __start_emulator_constant, __stop_emulator_constant)) {
    return Space::global;
  }
  return Space::other;  // registers and local memory, as far as a GPU is concerned
}

/// What is done there.
enum Operation : unsigned { load, store, atomic };

constexpr HostAccess host_access(Operation operation) {
  return operation == load ? HostAccess::read : HostAccess::write;
}

/// Lets the warp go on, so that the lane's full trace is emptied.
void make_room(Lane& lane, std::uintptr_t pc);

/// Adds an access to the lane's trace.
inline void append(Lane& lane, const Access& access) {
  if (__builtin_expect(lane.progress != nullptr, 0)) {
    // A store's value is known only once it is done: then the lane comes by here again. So here a
    // full trace is emptied before something is added, and not after.
    lane.progress->settle(*lane.trace);
    if (lane.trace->almost_full()) make_room(lane, access.pc());
    lane.trace->push(access);
  } else if (!lane.trace->push(access)) {
    make_room(lane, access.pc());
  }
}

/// For the checks: accesses to what is neither global nor shared memory.
bool kind_of_other(std::uintptr_t address, Operation operation, AccessKind& kind);

/// For the checks: what else there is to note of an access.
void note_checked(Lane& lane, Access access, const void* pointer);

/// Records an access by the instruction before `pc`.
/// \param scope access_flags::is_system_wide, or 0
inline void record(const void* pointer, unsigned bytes, Operation operation, void* pc,
                   unsigned flags = 0, unsigned scope = 0) {
  Lane* const lane = recording_lane;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (__builtin_expect(lane == nullptr, 1)) {
    const bool is_strong =
        operation == atomic || (flags & (access_flags::is_volatile | access_flags::is_atomic)) != 0;
    note_of_host(pointer, bytes, host_access(operation), is_strong, pc);
    if (is_strong) note_of_host_threads(pointer, operation != store, operation != load);
    return;
  }
  const Space space = space_of(address, *lane->worker);
  auto kind = static_cast<AccessKind>(operation + (space == Space::shared ? 3U : 0U));
  if (space == Space::other) {
    if (lane->progress == nullptr || !kind_of_other(address, operation, kind)) return;
  }
  if (space == Space::shared && lane->worker->shared().is_guard(address)) return;
  const auto place = reinterpret_cast<std::uintptr_t>(pc);
  const Access access = Access::make(lane->depth, place, address, kind, bytes | scope, flags);
  append(*lane, access);
  if (lane->progress != nullptr) note_checked(*lane, access, pointer);
  tell_access(static_cast<Announcement>(operation), address, bytes);
}

/// A thread that polls must let the others run, or what it waits for never happens. That comes
/// before the access is recorded: what is recorded is then done at once, and others see both in one
/// order.
inline void poll(const void* pc) {
  Lane* const lane = current_lane;
  if (lane == nullptr || (++lane->polls & 63U) != 0) return;
  left_at = reinterpret_cast<std::uintptr_t>(pc);
  lane->worker->suspend(*lane);
}

}  // namespace emulator::engine
