#pragma once
/// \file
/// Fibers: a stack each, switched by hand. A CUDA thread runs on one until it has to wait.

#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

namespace emulator::detail {

/// A stack with a guard page below it, and the point at which its code is suspended.
class Fiber {
 public:
  /// What the fiber runs each time it is resumed after having suspended; it must never return.
  using Entry = void (*)(Fiber&);

  /// `color` shifts the top of the stack a little, so that the hot ends of many stacks do not
  /// fall into the same sets of the cache.
  Fiber(Entry entry, std::size_t color);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs the fiber until it suspends. Called from outside.
  void resume() { suspended_ = boost::context::detail::jump_fcontext(suspended_, this).fctx; }

  /// Goes back to whoever resumed the fiber. Called from inside.
  void suspend() {
    switching_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    resumer_ = boost::context::detail::jump_fcontext(resumer_, nullptr).fctx;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    switching_ = false;
  }

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
  static void start(boost::context::detail::transfer_t from);

  Entry entry_;
  std::byte* memory_;
  std::byte* top_;
  boost::context::detail::fcontext_t suspended_ = nullptr;
  boost::context::detail::fcontext_t resumer_ = nullptr;
  bool switching_ = true;  // until it runs
};

}  // namespace emulator::detail
