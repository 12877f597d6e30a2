/// \file
/// The functions that g++ -fsanitize=thread calls at every load, store, atomic operation and
/// function entry. The sanitizer's own runtime is not linked; these take its place.

#include <sched.h>

#include <cstddef>
#include <cstdint>

#include "base/host_state.hpp"
#include "engine/accesses/host_accesses.hpp"
#include "engine/accesses/lanes_in_step.hpp"
#include "engine/accesses/record.hpp"
#include "engine/accesses/struct_copies.hpp"
#include "engine/copies/async_copies.hpp"
#include "engine/engine.hpp"
#include "events/atomic_forms.hpp"
#include "events/program_events.hpp"
#include "events/witnessed.hpp"

// The program's initialised and zeroed data: home of `__device__` variables. (Host variables are
// there too, but no kernel may touch those.)
extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));
extern char __start_emulator_constant[] __attribute__((weak));
extern char __stop_emulator_constant[] __attribute__((weak));

namespace emulator::engine {
namespace {

bool within(std::uintptr_t address, const char* begin, const char* end) {
  return address - reinterpret_cast<std::uintptr_t>(begin) <
         static_cast<std::uintptr_t>(end - begin);
}

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

enum Operation : unsigned { load, store, atomic };

constexpr HostAccess host_access(Operation operation) {
  return operation == load ? HostAccess::read : HostAccess::write;
}

[[gnu::noinline]] void make_room(Lane& lane, std::uintptr_t pc) {
  left_at = pc;
  lane.worker->suspend(lane);
}

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

// Whether an address lies in the caller's own stack: further up than this function's frame, and no
// further than a stack is long.
inline bool is_local(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < largest_stack;
}

// For the checks: accesses to what is neither global nor shared memory.
[[gnu::noinline]] bool kind_of_other(std::uintptr_t address, Operation operation,
                                     AccessKind& kind) {
  if (is_local(address)) return false;
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

inline void record(const void* pointer, unsigned bytes, Operation operation, void* pc,
                   unsigned flags = 0) {
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
  const auto place = reinterpret_cast<std::uintptr_t>(pc);
  const Access access = Access::make(lane->depth, place, address, kind, bytes, flags);
  append(*lane, access);
  if (lane->progress != nullptr) note_checked(*lane, access, pointer);
  tell_access(static_cast<Told>(operation), address, bytes);
}

// No GPU moves at once what is not aligned to its size: then it is several accesses.
inline void record_aligned(const void* pointer, unsigned bytes, Operation operation, void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (__builtin_expect((address & (bytes - 1)) == 0, 1)) {
    record(pointer, bytes, operation, pc);
    return;
  }
  if (recording_lane == nullptr) {
    note_of_host(pointer, bytes, host_access(operation), false, pc);
    return;
  }
  const auto piece = static_cast<unsigned>(address & (~address + 1));
  for (unsigned offset = 0; offset < bytes; offset += piece) {
    record(static_cast<const char*>(pointer) + offset, piece, operation, pc,
           access_flags::is_piece);
  }
}

// An object that is not one machine word, copied whole: one access for each piece that one
// instruction of a GPU can move. (Of 16 bytes g++ says no more than that they are aligned to 8 or
// more. They count as one piece, since float4 and its kin are so much more common than structures
// like two doubles, which a GPU moves in two.)
inline void record_range(const void* pointer, std::size_t bytes, Operation operation, void* pc) {
  if (bytes == 0) return;
  if (recording_lane == nullptr) {
    note_of_host(pointer, bytes, host_access(operation), false, pc);
    return;
  }
  const std::size_t piece = piece_sizes()(bytes, reinterpret_cast<std::uintptr_t>(pointer));
  for (std::size_t offset = 0; offset < bytes; offset += piece) {
    record(static_cast<const char*>(pointer) + offset, static_cast<unsigned>(piece), operation, pc,
           access_flags::is_piece);
  }
}

// By a byte of the program's data threads see that a static object of a function's is ready. Who
// made it has told nobody else.
inline void note_of_static_object(const volatile void* byte) {
  if (__builtin_expect(!is_handing_on(), 1) || current_lane != nullptr) return;
  if (within(reinterpret_cast<std::uintptr_t>(byte), __data_start, _end)) {
    thread_takes_over_from_all();
  }
}

// What g++ passes to the handler for a misaligned pointer, as far as we read it.
struct MisalignedUse {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const char* type;  // two numbers of 16 bits, then the name in quotes
  unsigned char alignment_power;
};

void report_misaligned(const MisalignedUse& use, std::uintptr_t pointer, void* pc) {
  Lane* const lane = recording_lane;
  if (lane == nullptr || lane->progress == nullptr) return;
  if (space_of(pointer, *lane->worker) == Space::other) return;
  // What follows is no work of the kernel's, even where it calls functions that were compiled with
  // it: the linker may have chosen the program's copy of std::string's.
  current_lane = recording_lane = nullptr;
  lane->worker->report_misaligned(*lane, pointer, 1U << use.alignment_power, use.type + 4,
                                  reinterpret_cast<std::uintptr_t>(pc));
  current_lane = recording_lane = lane;
}

// What remains of the hook at a block's start, so that the common case calls no function.
[[gnu::noinline]] void enter_block_slowly(Lane& lane, std::uintptr_t pc) {
  if (lane.trace != nullptr) {
    append(lane, Access::make(lane.depth, pc, 0, AccessKind::code_block, 0));
    if (lane.progress != nullptr) lane.progress->note_block(lane.depth, pc);
  } else if ((++lane.polls & 63U) == 0) {
    left_at = pc;
    lane.worker->suspend(lane);  // a long loop may wait for another thread
  }
}

// A thread that polls must let the others run, or what it waits for never happens. That comes
// before the access is recorded: what is recorded is then done at once, and others see both in one
// order.
inline void poll(const void* pc) {
  Lane* const lane = current_lane;
  if (lane == nullptr || (++lane->polls & 63U) != 0) return;
  left_at = reinterpret_cast<std::uintptr_t>(pc);
  lane->worker->suspend(*lane);
}

}  // namespace

void record_barrier(const void* pc) {
  Lane* const lane = recording_lane;
  if (lane == nullptr) return;
  const auto site = reinterpret_cast<std::uintptr_t>(pc);
  append(*lane, Access::make(lane->depth, site, 0, AccessKind::barrier, 0));
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
  if (lane == nullptr || lane->progress == nullptr) return;
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
      tell_access(is_in ? Told::load : Told::store, piece.global + at, bytes);
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

void record_atomic(const void* address, unsigned bytes, AtomicOperation operation) noexcept {
  // There are no others. Who calls this by himself must not write into what else is noted.
  // (std::has_single_bit() would be a call where processors may lack the instruction.)
  if ((bytes & (bytes - 1)) != 0 || bytes - 1 > 15) return;
  poll(__builtin_return_address(0));
  unsigned flags = 0;
  if (Lane* const lane = recording_lane; lane != nullptr) {
    unsigned hints = 0;
    if (lane->hinted == address) {
      hints = lane->hint_bits;
      lane->hinted = nullptr;
    }
    flags = form_flags(form_of(operation, bytes, hints));
  }
  record(address, bytes, atomic, __builtin_return_address(0), flags);
}

void record_fence(bool only_for_the_block) {
  if (lanes_in_step) take_step(__builtin_return_address(0));
  Lane* const lane = recording_lane;
  if (lane == nullptr || lane->progress == nullptr) return;
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  append(*lane, Access::make(lane->depth, pc, 0, AccessKind::fence, only_for_the_block ? 1 : 0));
  lane->warp->trace->order->note_fence();
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

using namespace emulator::engine;  // NOLINT: the hooks below live in the global namespace

#define EMULATOR_PC __builtin_return_address(0)

extern "C" {

// Called as each instrumented object is made ready, before all constructors of the program's.
void __tsan_init() {
  instrumented_code_found();
}
void __tsan_func_entry(void* caller) {
  Lane* const lane = recording_lane;
  if (lane == nullptr) return;
  ++lane->depth;
  if (lane->progress != nullptr) lane->progress->enter(lane->depth, caller);
}
void __tsan_func_exit() {
  Lane* const lane = recording_lane;
  if (lane == nullptr) return;
  if (lane->progress != nullptr) lane->progress->leave(lane->depth);
  --lane->depth;
}
// Called at the start of each block of code (-fsanitize-coverage=trace-pc).
void __sanitizer_cov_trace_pc() {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
#if __GNUC__ < 12
  // No word keeps g++ 11 from announcing the blocks of the function that calls the kernel, too.
  if (lane->trace != nullptr && lane->depth == 0) return;
#endif
  const auto pc = reinterpret_cast<std::uintptr_t>(EMULATOR_PC);
  if (lane->trace == nullptr || lane->trace->almost_full()) {
    enter_block_slowly(*lane, pc);
    return;
  }
  if (lane->progress != nullptr) {
    lane->progress->settle(*lane->trace);
    lane->progress->note_block(lane->depth, pc);
  }
  lane->trace->push(Access::make(lane->depth, pc, 0, AccessKind::code_block, 0));
}

// Called where a pointer is used that is not aligned as its type is (-fsanitize=alignment). The
// description of the place is of no use: in an inlined function it is not the kernel's line.
void __ubsan_handle_type_mismatch_v1(const MisalignedUse* use, std::uintptr_t pointer) {
  report_misaligned(*use, pointer, EMULATOR_PC);
}
void __ubsan_handle_type_mismatch_v1_abort(const MisalignedUse* use, std::uintptr_t pointer) {
  report_misaligned(*use, pointer, EMULATOR_PC);
}

void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define EMULATOR_ACCESS(bytes)                                       \
  void __tsan_read##bytes(void* p) {                                 \
    record_aligned(p, bytes, load, EMULATOR_PC);                     \
  }                                                                  \
  void __tsan_write##bytes(void* p) {                                \
    record_aligned(p, bytes, store, EMULATOR_PC);                    \
  }                                                                  \
  void __tsan_unaligned_read##bytes(void* p) {                       \
    record_aligned(p, bytes, load, EMULATOR_PC);                     \
  }                                                                  \
  void __tsan_unaligned_write##bytes(void* p) {                      \
    record_aligned(p, bytes, store, EMULATOR_PC);                    \
  }                                                                  \
  void __tsan_volatile_read##bytes(void* p) {                        \
    if (lanes_in_step) take_step(EMULATOR_PC);                       \
    poll(EMULATOR_PC);                                               \
    record(p, bytes, load, EMULATOR_PC, access_flags::is_volatile);  \
  }                                                                  \
  void __tsan_volatile_write##bytes(void* p) {                       \
    if (lanes_in_step) take_step(EMULATOR_PC);                       \
    record(p, bytes, store, EMULATOR_PC, access_flags::is_volatile); \
  }                                                                  \
  void __tsan_unaligned_volatile_read##bytes(void* p) {              \
    record(p, bytes, load, EMULATOR_PC, access_flags::is_volatile);  \
  }                                                                  \
  void __tsan_unaligned_volatile_write##bytes(void* p) {             \
    record(p, bytes, store, EMULATOR_PC, access_flags::is_volatile); \
  }
EMULATOR_ACCESS(1)
EMULATOR_ACCESS(2)
EMULATOR_ACCESS(4)
EMULATOR_ACCESS(8)
EMULATOR_ACCESS(16)
#undef EMULATOR_ACCESS

void __tsan_read_range(void* p, std::size_t bytes) {
  record_range(p, bytes, load, EMULATOR_PC);
}
void __tsan_write_range(void* p, std::size_t bytes) {
  record_range(p, bytes, store, EMULATOR_PC);
}

// Under -fsanitize=thread std::atomic and the __atomic builtins end here, in host code too. They
// must do the operation; sequential consistency serves every order that may be asked for.
inline unsigned flags_of_order(int order) {
  return order >= __ATOMIC_RELEASE ? access_flags::is_ordered : 0U;
}
inline unsigned flags_of(AtomicOperation operation, unsigned bytes, int order) {
  return form_flags(form_of(operation, bytes, 0)) | flags_of_order(order);
}

#define EMULATOR_FETCH(bits, type, name, builtin, operation)                   \
  type __tsan_atomic##bits##_##name(volatile type* p, type value, int order) { \
    poll(EMULATOR_PC);                                                         \
    record(const_cast<type*>(p), bits / 8, atomic, EMULATOR_PC,                \
           flags_of(AtomicOperation::operation, bits / 8, order));             \
    return builtin(p, value, __ATOMIC_SEQ_CST);                                \
  }
#define EMULATOR_COMPARE_EXCHANGE(bits, type, name, weak)                             \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile type* p, type* expected, \
                                                    type desired, int order, int) {   \
    poll(EMULATOR_PC);                                                                \
    record(const_cast<type*>(p), bits / 8, atomic, EMULATOR_PC,                       \
           flags_of(AtomicOperation::compare, bits / 8, order));                      \
    record(expected, bits / 8, store, EMULATOR_PC);                                   \
    return __atomic_compare_exchange_n(p, expected, desired, weak, __ATOMIC_SEQ_CST,  \
                                       __ATOMIC_SEQ_CST)                              \
               ? 1                                                                    \
               : 0;                                                                   \
  }
#define EMULATOR_ATOMIC(bits, type)                                                                \
  type __tsan_atomic##bits##_load(const volatile type* p, int) {                                   \
    poll(EMULATOR_PC);                                                                             \
    if (bits == 8) note_of_static_object(p);                                                       \
    record(const_cast<const type*>(p), bits / 8, load, EMULATOR_PC, access_flags::is_atomic);      \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile type* p, type value, int order) {                      \
    record(const_cast<type*>(p), bits / 8, store, EMULATOR_PC,                                     \
           access_flags::is_atomic | flags_of_order(order));                                       \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  EMULATOR_FETCH(bits, type, exchange, __atomic_exchange_n, exchange)                              \
  EMULATOR_FETCH(bits, type, fetch_add, __atomic_fetch_add, add)                                   \
  EMULATOR_FETCH(bits, type, fetch_sub, __atomic_fetch_sub, add)                                   \
  EMULATOR_FETCH(bits, type, fetch_and, __atomic_fetch_and, select)                                \
  EMULATOR_FETCH(bits, type, fetch_or, __atomic_fetch_or, select)                                  \
  EMULATOR_FETCH(bits, type, fetch_xor, __atomic_fetch_xor, select)                                \
  EMULATOR_FETCH(bits, type, fetch_nand, __atomic_fetch_nand, real)                                \
  EMULATOR_COMPARE_EXCHANGE(bits, type, strong, false)                                             \
  EMULATOR_COMPARE_EXCHANGE(bits, type, weak, true)                                                \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* p, type expected, type desired,   \
                                                  int order, int) {                                \
    record(const_cast<type*>(p), bits / 8, atomic, EMULATOR_PC,                                    \
           flags_of(AtomicOperation::compare, bits / 8, order));                                   \
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                               \
  }
EMULATOR_ATOMIC(8, std::uint8_t)
EMULATOR_ATOMIC(16, std::uint16_t)
EMULATOR_ATOMIC(32, std::uint32_t)
EMULATOR_ATOMIC(64, std::uint64_t)
#undef EMULATOR_ATOMIC
#undef EMULATOR_COMPARE_EXCHANGE
#undef EMULATOR_FETCH

void __tsan_atomic_thread_fence(int) {
  record_fence(false);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

}  // extern "C"
