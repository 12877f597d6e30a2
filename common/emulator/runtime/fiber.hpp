#pragma once
/// \file
/// Fibers: a stack each, switched by hand. A CUDA thread runs on one until it has to wait.

#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

namespace emulator::detail {

/// Where a fiber stands, and what a switch brings along: whence it came, and a pointer.
using Suspended = boost::context::detail::fcontext_t;
using Transfer = boost::context::detail::transfer_t;

#if defined(__x86_64__)
/// Does what Boost's jump_fcontext does, at less cost. It goes on by a return instead of a jump:
/// the processor predicts returns by the calls it has seen, and fibers that wait at the same
/// barrier stand in the same calls. And it writes the control registers of floating-point
/// arithmetic only where they differ. What it saves lies where Boost saves it, for tools/gdb to
/// find.
extern "C" Transfer emulator_switch_stacks(Suspended to, void* data);
#endif

inline Transfer switch_stacks(Suspended to, void* data) {
#if defined(__x86_64__)
  return emulator_switch_stacks(to, data);
#else
  return boost::context::detail::jump_fcontext(to, data);
#endif
}

/// A stack with a guard page below it, and the point at which its code is suspended. What a switch
/// touches is one cache line.
class alignas(64) Fiber {
 public:
  /// What the fiber runs each time it is resumed after having suspended; it must never return.
  using Entry = void (*)(Fiber&);

  /// `color` shifts the top of the stack a little, so that the hot ends of many stacks do not
  /// fall into the same sets of the cache.
  Fiber(Entry entry, std::size_t color);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs the fiber until it suspends, or another does to which it handed over. Called from
  /// outside.
  void resume() {
    const Transfer from = switch_stacks(suspended_, this);
    static_cast<Fiber*>(from.data)->suspended_ = from.fctx;
  }

  /// Goes back to whoever resumed the fiber. Called from inside.
  void suspend() { leave(resumer_, this); }

  /// Suspends the fiber and goes straight to another one that is suspended, which then goes back
  /// to whoever resumed this one: one switch instead of two. Called from inside.
  void hand_over(Fiber& next) {
    next.resumer_ = resumer_;
    next.predecessor_ = this;
    leave(next.suspended_, &next);
  }

  /// Has the processor fetch what a switch to the fiber will need.
  void prefetch() const { __builtin_prefetch(suspended_); }

  /// Whether a signal that came while `stack` was the stack pointer may suspend the fiber: it came
  /// to the fiber's own code, and not in the middle of a switch.
  bool can_be_interrupted(std::uintptr_t stack) const {
    const auto bottom = reinterpret_cast<std::uintptr_t>(memory_);
    return !switching_ && stack - bottom < reinterpret_cast<std::uintptr_t>(top_) - bottom;
  }

  /// Forgets what the fiber was doing and starts it afresh at the next resume.
  void reset();

  /// Whether `address` lies in the guard page: the stack has overflowed.
  bool overflowed(const void* address) const;

 private:
  static void start(Transfer from);

  void leave(Suspended to, Fiber* data) {
    switching_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    arrive(switch_stacks(to, data));
    std::atomic_signal_fence(std::memory_order_seq_cst);
    switching_ = false;
  }

  // Notes where whoever had the processor before now stands.
  void arrive(Transfer from) {
    Fiber* const predecessor = predecessor_;
    predecessor_ = nullptr;
    (predecessor != nullptr ? predecessor->suspended_ : resumer_) = from.fctx;
  }

  Entry entry_;
  std::byte* memory_;
  std::byte* top_;
  Suspended suspended_ = nullptr;
  Suspended resumer_ = nullptr;
  Fiber* predecessor_ = nullptr;  // who hands over, for the time of the switch
  bool switching_ = true;         // until it runs
};

}  // namespace emulator::detail
