/// \file
/// What is recorded by the runtime's own functions and by the headers', and what is rare in a
/// record.

#include "engine/accesses/recording.hpp"
#include "engine/time_slices.hpp"

#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/accesses/lanes_in_step.hpp"
#include "engine/accesses/record.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/copies/async_copies.hpp"
#include "events/atomic_forms.hpp"

extern "C" char __init_array_start[] __attribute__((weak));

namespace emulator::engine {

[[gnu::noinline]] void make_room(Lane& lane, std::uintptr_t pc) {
  left_at = pc;
  lane.worker->suspend(lane);
}

namespace {

// Whether an address is in the caller's own stack: further up than this function's frame, and no
// further than a stack is long.
inline bool is_local(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < largest_stack;
}

}  // namespace

// For the checks: accesses to what is neither global nor shared memory.
[[gnu::noinline]] bool kind_of_other(std::uintptr_t address, Operation operation,
                                     AccessKind& kind) {
  if (is_local(address)) return false;
  // The tables of virtual functions come before all that is written.
  if (operation == load && within(address, __init_array_start, __data_start)) return false;
  if (within(address, __start_emulator_constant, __stop_emulator_constant)) {
    kind = AccessKind::constant_load;
  } else {
    kind = operation == load ? AccessKind::foreign_load : AccessKind::foreign_store;
  }
  return true;
}

// For the checks: what else there is to note of an access. Not inlined, as the functions below are
// to stay small.
[[gnu::noinline]] void note_checked(Lane& lane, Access access, const void* pointer) {
  const std::uint64_t what = access.what();
  lane.progress->note_access(lane.depth, access.pc(), pointer, Access::bytes_of(what),
                             Access::kind_of(what));
  if (!is_strong(what)) return;
  lane.warp->trace->order->note(lane.warp->number_of(lane), access.address(), what);
}

namespace {

void record_meeting_point(const void* pc, unsigned is_block_wait) {
  Lane* const lane = recording_lane;
  if (lane == nullptr) return;
  const auto site = reinterpret_cast<std::uintptr_t>(pc);
  append(*lane, Access::make(lane->depth, site, 0, AccessKind::barrier, is_block_wait));
}

}  // namespace

void record_barrier(const void* pc) {
  record_meeting_point(pc, 0);
}

void record_block_wait(const void* pc) {
  record_meeting_point(pc, 1);
}

void record_load(const void* global, unsigned bytes, const void* pc) {
  record(global, bytes, load, const_cast<void*>(pc));
}

void record_store(const void* address, unsigned bytes, const void* pc) {
  record(address, bytes, store, const_cast<void*>(pc));
}

void record_uncounted_store(const void* address, unsigned bytes, const void* pc) {
  Lane* const lane = recording_lane;
  if (lane == nullptr || lane->progress == nullptr) return;
  const auto place = reinterpret_cast<std::uintptr_t>(pc);
  append(*lane, Access::make(lane->depth, place, reinterpret_cast<std::uintptr_t>(address),
                             AccessKind::foreign_store, bytes));
  lane->progress->note_access(lane->depth, place, address, bytes, AccessKind::global_store);
}

void record_matrix_row(const void* row, const void* pc) {
  record(row, 16, load, const_cast<void*>(pc), access_flags::is_matrix_row);
}

void record_byte(const void* address, bool is_store, const void* pc) {
  record(address, 1, is_store ? store : load, const_cast<void*>(pc), access_flags::is_piece);
}

void record_copy(const void* shared, unsigned bytes, bool begins, const void* pc) {
  Lane* const lane = recording_lane;
  if (lane == nullptr || (!begins && lane->progress == nullptr)) return;
  const AccessKind kind = begins ? AccessKind::copy_begins : AccessKind::copy_ends;
  append(*lane, Access::make(lane->depth, reinterpret_cast<std::uintptr_t>(pc),
                             reinterpret_cast<std::uintptr_t>(shared), kind, bytes));
}

void record_event(AsyncEvent event, std::uint64_t address, const void* pc) {
  Lane* const lane = recording_lane;
  if (lane == nullptr || lane->progress == nullptr) return;
  append(*lane, Access::make(lane->depth, reinterpret_cast<std::uintptr_t>(pc), address,
                             AccessKind::async_event, static_cast<unsigned>(event)));
}

void record_bulk_copy(std::size_t number, bool is_in, const void* pc) {
  Lane* const lane = recording_lane;
  if (lane == nullptr) return;
  append(*lane, Access::make(lane->depth, reinterpret_cast<std::uintptr_t>(pc), number,
                             AccessKind::bulk_copy, is_in ? 1 : 2));
  const BulkCopy& copy = block_barriers().copies[number];
  copy.for_each_piece([&](const TilePiece& piece) {
    if (piece.global == 0) return;
    for (std::size_t at = 0; at < piece.bytes; at += 16) {
      const auto bytes = static_cast<unsigned>(std::min<std::size_t>(16, piece.bytes - at));
      tell_access(is_in ? Announcement::load : Announcement::store, piece.global + at, bytes);
    }
  });
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void note_atomic(const void* address, unsigned bits) noexcept {
  Lane* const lane = recording_lane;
  if (lane == nullptr) return;
  lane->hinted = address;
  lane->hint_bits = bits & 0xFFFF;
}

namespace {

inline void record_atomic_of(unsigned scope, const void* address, unsigned bytes,
                             AtomicOperation operation, void* pc) noexcept {
  // There are no others. A program that calls this itself must not write into what else is noted.
  // (std::has_single_bit() would be a call where processors may lack the instruction.)
  if ((bytes & (bytes - 1)) != 0 || bytes - 1 > 15) return;
  poll(pc);
  unsigned flags = 0;
  if (Lane* const lane = recording_lane; lane != nullptr) {
    unsigned hints = 0;
    if (lane->hinted == address) {
      hints = lane->hint_bits;
      lane->hinted = nullptr;
    }
    flags = form_flags(form_of(operation, bytes, hints));
  }
  record(address, bytes, atomic, pc, flags, scope);
}

}  // namespace

void record_atomic(const void* address, unsigned bytes, AtomicOperation operation) noexcept {
  record_atomic_of(0, address, bytes, operation, __builtin_return_address(0));
}

void record_system_atomic(const void* address, unsigned bytes, AtomicOperation operation) noexcept {
  record_atomic_of(access_flags::is_system_wide, address, bytes, operation,
                   __builtin_return_address(0));
}

void note_poll() {
  Lane* const lane = current_lane;
  if (recording_lane != nullptr || lane == nullptr || (++lane->polls & 63U) != 0) return;
  left_at = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  end_slice();  // other warps, and other host threads, may have what it waits for
  lane->worker->suspend(*lane);
}

namespace {

// \param reach 0: the device; 1: the block; 2: the system
inline void record_fence_of(unsigned reach, void* place) {
  if (lanes_in_step) take_step(place);
  Lane* const lane = recording_lane;
  if (lane == nullptr || lane->progress == nullptr) return;
  const auto pc = reinterpret_cast<std::uintptr_t>(place);
  append(*lane, Access::make(lane->depth, pc, 0, AccessKind::fence, reach));
  lane->warp->trace->order->note_fence();
}

}  // namespace

void record_fence(bool only_for_the_block) {
  record_fence_of(only_for_the_block ? 1 : 0, __builtin_return_address(0));
}

void record_system_fence() {
  record_fence_of(2, __builtin_return_address(0));
}

void note_read_only(const void* address) {
  record_event(AsyncEvent::reads_constant, reinterpret_cast<std::uintptr_t>(address),
               __builtin_return_address(0));
}

void yield_thread() {
  Lane* const lane = current_lane;
  if (lane != nullptr) {
    left_at = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    lane->worker->suspend(*lane);
  } else {
    sched_yield();
  }
}

}  // namespace emulator::detail
