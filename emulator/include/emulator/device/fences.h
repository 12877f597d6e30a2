#pragma once
#pragma GCC system_header
/// \file
/// Memory fences, clocks, and the functions that pause or stop a thread.
///
/// `clock()` is the host's own, which has CUDA's signature. Neither it nor `clock64()` says
/// anything about GPU time: `clock64()` counts nanoseconds of the host's steady clock, which is
/// good for a timeout or for telling what happened first, and for nothing else.

#include <time.h>

#include "emulator/inline.h"

namespace emulator::detail {

/// Lets the other threads of the block (and other blocks) run on. Defined by the runtime.
void yield_thread();

/// The running thread reads what another one may be about to write: now and then it lets others
/// run. Defined by the runtime.
void note_poll();

/// Tells the checks that the running thread executes a fence. Defined by the runtime; its return
/// address is in the line of the kernel.
void record_fence(bool only_for_the_block);
/// The same of one for the whole system.
void record_system_fence();

/// Stops the kernel with an error, as an illegal instruction does on a GPU. Defined by the runtime.
[[noreturn]] void trap();

/// A full fence of the host, at every scope.
EMULATOR_LEAF void fence() noexcept {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// Nanoseconds of the host's steady clock.
EMULATOR_LEAF long long steady_nanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long long>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

}  // namespace emulator::detail

EMULATOR_DEVICE_ONLY_BEGIN

/// Writes before the fence are seen before writes after it: by the block, the device, or the whole
/// system. A fence orders memory; it waits for no other thread.
EMULATOR_INLINE void __threadfence_block() {
  ::emulator::detail::record_fence(true);
  ::emulator::detail::fence();
}
EMULATOR_INLINE void __threadfence() {
  ::emulator::detail::record_fence(false);
  ::emulator::detail::fence();
}
EMULATOR_INLINE void __threadfence_system() {
  ::emulator::detail::record_system_fence();
  ::emulator::detail::fence();
}

/// \restricted A counter that only grows; not GPU cycles (see above).
EMULATOR_INLINE long long clock64() {
  return ::emulator::detail::steady_nanoseconds();
}

/// A pause: lets others run. The number of nanoseconds is only a hint, here as on a GPU.
EMULATOR_INLINE void __nanosleep([[maybe_unused]] unsigned nanoseconds) {
  ::emulator::detail::yield_thread();
}

/// Lets the next kernel begin, if its launch allows that. Here it begins only when this one has
/// ended.
EMULATOR_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}

/// Waits for the previous kernel, if this one's launch lets it begin early. Here that one has
/// already ended, so a missing wait is not found.
EMULATOR_INLINE void cudaGridDependencySynchronize() {}

/// Stops the kernel with an error.
[[noreturn]] EMULATOR_INLINE void __trap() {
  ::emulator::detail::trap();
}

/// A breakpoint: a debugger stops on this line; without one, the program ends here.
EMULATOR_INLINE void __brkpt() {
#if defined(__x86_64__)
  __asm__ volatile("int3");
#elif defined(__aarch64__)
  __asm__ volatile("brk #0");
#else
  __builtin_trap();
#endif
}

EMULATOR_DEVICE_ONLY_END
