/// \file
/// The functions that g++ -fsanitize=thread calls at every load, store and function entry. The
/// sanitizer's own runtime is not linked; these take its place.

#include <cstddef>
#include <cstdint>

#include "engine/accesses/lanes_in_step.hpp"
#include "engine/accesses/recording.hpp"
#include "engine/accesses/struct_copies.hpp"
#include "engine/engine.hpp"
#include "engine/lane_findings.hpp"

namespace emulator::engine {
namespace {

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
// more. They count as one piece, since float4 and the like are so much more common than structures
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

// What g++ passes to the handler for a misaligned pointer, as far as we read it.
struct MisalignedUse {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const char* type;  // two numbers of 16 bits, then the name in quotes
  unsigned char alignment_power;
};

// A type may ask for more, but no instruction does: CUB has structures of 32 at multiples of 16.
constexpr std::uintptr_t widest_access = 16;

void report_misaligned(const MisalignedUse& use, std::uintptr_t pointer, void* pc) {
  if (pointer % widest_access == 0) return;
  Lane* const lane = recording_lane;
  if (lane == nullptr || lane->progress == nullptr) return;
  if (space_of(pointer, *lane->worker) == Space::other) return;
  const OutsideKernel outside;
  report_misaligned_pointer(*lane, pointer, 1U << use.alignment_power, use.type + 4,
                            reinterpret_cast<std::uintptr_t>(pc));
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

}  // namespace
}  // namespace emulator::engine

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
  // No word keeps g++ 11 from announcing the blocks also of the function that calls the kernel.
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

// A constructor stores where the virtual functions of its object are.
void __tsan_vptr_update(void** p, void*) {
  record_aligned(p, sizeof(void*), store, EMULATOR_PC);
}
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

}  // extern "C"
