#pragma once
/// \file
/// Fibers: a stack each, switched by hand. A CUDA thread runs on one until it has to wait.

#include <atomic>
#include <cstddef>
#include <cstdint>

// Whether we switch stacks by ourselves. Elsewhere Boost.Context does.
#if defined(__x86_64__) || defined(__aarch64__)
#define EMULATOR_SWITCHES_STACKS 1
#else
#define EMULATOR_SWITCHES_STACKS 0
#endif

#if !EMULATOR_SWITCHES_STACKS
#include <boost/context/detail/fcontext.hpp>

#include "base/rooms.hpp"
#endif

namespace emulator::engine {

/// Where suspended code is: the end of its stack, on which its registers lie.
using Suspended = void*;

/// What a fiber runs. It must never return.
[[noreturn]] void fiber_main();

/// Set from when the running fiber is about to go until another goes on: for that time no signal
/// may suspend it.
extern constinit thread_local bool is_switching;

inline void begin_switch() {
  is_switching = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

inline void end_switch() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  is_switching = false;
}

#if EMULATOR_SWITCHES_STACKS
/// Does what Boost's jump_fcontext does, at less cost: it goes on by a return, which the processor
/// predicts, and writes the control registers of floating-point arithmetic only where they differ.
/// What it saves is where Boost saves it, for emulator/tools/gdb to find.
extern "C" void emulator_switch_stacks(Suspended to, Suspended* here);

/// The same, but goes on by a jump. The processor predicts that a return goes where the last call
/// came from, and is wrong if the fiber that goes on was left at another call.
extern "C" void emulator_hand_over_stack(Suspended to, Suspended* here);
#endif

/// Notes where the running code is, and goes on with what is suspended at `to`.
inline void switch_stacks(Suspended to, Suspended& here) {
#if EMULATOR_SWITCHES_STACKS
  emulator_switch_stacks(to, &here);
#else
  // The fiber that goes on gets the place of the one before it, and notes it. No signal may come
  // between.
  begin_switch();
  const auto before = boost::context::detail::jump_fcontext(to, &here);
  *static_cast<Suspended*>(before.data) = before.fctx;
  end_switch();
#endif
}

/// The same, for fibers that take turns without the engine in between: where two barriers
/// alternate, twice as fast.
inline void hand_over_stack(Suspended to, Suspended& here) {
#if EMULATOR_SWITCHES_STACKS
  emulator_hand_over_stack(to, &here);
#else
  switch_stacks(to, here);
#endif
}

/// What a thread's stack may grow to: CUDA's 512 KB of local memory, and room for printf and the
/// like.
inline constexpr std::size_t largest_stack = 576UL * 1024;

/// A stack on which fiber_main() runs, with a guard page below it unless there are 30,000 others.
class Fiber {
 public:
  /// `color` shifts the top of the stack a little, so that the hot ends of many stacks do not
  /// fall into the same sets of the cache.
  explicit Fiber(std::size_t color);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Where it is while it has no work; the code that gives it some remembers it from then on.
  Suspended suspended = nullptr;

  /// Forgets what the fiber was doing: fiber_main() begins again.
  void reset();

  /// Whether a stack pointer points into the stack.
  bool holds(std::uintptr_t stack) const {
    const auto bottom = reinterpret_cast<std::uintptr_t>(memory_);
    return stack - bottom < reinterpret_cast<std::uintptr_t>(top_) - bottom;
  }

  /// Makes the stack as large as it may be, if `address` is where it then is. It begins smaller,
  /// since a launch may have thousands of them.
  bool grow(const void* address);

  /// Whether `address` is in the guard page: the stack has overflowed.
  bool overflowed(const void* address) const;

 private:
  std::byte* memory_;
  std::byte* top_;
  bool grown_ = false;
};

}  // namespace emulator::engine
