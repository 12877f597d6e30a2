#include "engine/fiber.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "events/witnessed.hpp"

#if defined(__x86_64__)
// void emulator_switch_stacks(Suspended to, Suspended* here): `to` comes in rdi, `here` in rsi. The
// caller expects to find rbp, rbx and r12 to r15 as they were, so they go onto the stack that is
// left, and so do the control words of floating-point arithmetic; where that stack then ends is the
// place to come back to. The other stack was left in the same way. Once rsp points into it, a
// signal may suspend what goes on.
__asm__(R"(
  .macro emulator_switch
  pushq %rbp
  pushq %rbx
  pushq %r15
  pushq %r14
  pushq %r13
  pushq %r12
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rsi)

  # Writing the control words is slow, and they hardly ever differ.
  movl (%rsp), %ecx
  cmpl (%rdi), %ecx
  je 1f
  ldmxcsr (%rdi)
1:
  movzwl 4(%rsp), %ecx
  cmpw 4(%rdi), %cx
  je 2f
  fldcw 4(%rdi)
2:
  leaq 8(%rdi), %rsp
  popq %r12
  popq %r13
  popq %r14
  popq %r15
  popq %rbx
  popq %rbp
  .endm

  .pushsection .text
  .globl emulator_switch_stacks
  .hidden emulator_switch_stacks
  .type emulator_switch_stacks, @function
  .p2align 4
emulator_switch_stacks:
  emulator_switch
  ret
  .size emulator_switch_stacks, . - emulator_switch_stacks

  .globl emulator_hand_over_stack
  .hidden emulator_hand_over_stack
  .type emulator_hand_over_stack, @function
  .p2align 4
emulator_hand_over_stack:
  emulator_switch
  popq %rcx
  jmp *%rcx
  .size emulator_hand_over_stack, . - emulator_hand_over_stack
  .popsection
  .purgem emulator_switch
)");
#elif defined(__aarch64__)
// void emulator_switch_stacks(Suspended to, Suspended* here): `to` comes in x0, `here` in x1. The
// same as above, with the registers that this processor's callers expect to keep: d8 to d15, x19 to
// x30, and fpcr, the control register of floating-point arithmetic.
__asm__(R"(
  .macro emulator_switch
  sub sp, sp, #0xb0
  stp d8, d9, [sp, #0x00]
  stp d10, d11, [sp, #0x10]
  stp d12, d13, [sp, #0x20]
  stp d14, d15, [sp, #0x30]
  stp x19, x20, [sp, #0x40]
  stp x21, x22, [sp, #0x50]
  stp x23, x24, [sp, #0x60]
  stp x25, x26, [sp, #0x70]
  stp x27, x28, [sp, #0x80]
  stp x29, x30, [sp, #0x90]
  mrs x9, fpcr
  stp x30, x9, [sp, #0xa0]
  mov x10, sp
  str x10, [x1]

  # Writing fpcr is slow, and it hardly ever differs.
  ldp x16, x10, [x0, #0xa0]
  cmp x9, x10
  b.eq 1f
  msr fpcr, x10
1:
  ldp d8, d9, [x0, #0x00]
  ldp d10, d11, [x0, #0x10]
  ldp d12, d13, [x0, #0x20]
  ldp d14, d15, [x0, #0x30]
  ldp x19, x20, [x0, #0x40]
  ldp x21, x22, [x0, #0x50]
  ldp x23, x24, [x0, #0x60]
  ldp x25, x26, [x0, #0x70]
  ldp x27, x28, [x0, #0x80]
  ldp x29, x30, [x0, #0x90]
  add sp, x0, #0xb0
  .endm

  .pushsection .text
  .globl emulator_switch_stacks
  .hidden emulator_switch_stacks
  .type emulator_switch_stacks, @function
  .p2align 4
emulator_switch_stacks:
  emulator_switch
  ret x16
  .size emulator_switch_stacks, . - emulator_switch_stacks

  .globl emulator_hand_over_stack
  .hidden emulator_hand_over_stack
  .type emulator_hand_over_stack, @function
  .p2align 4
emulator_hand_over_stack:
  emulator_switch
  br x16
  .size emulator_hand_over_stack, . - emulator_hand_over_stack
  .popsection
  .purgem emulator_switch
)");
#endif

namespace emulator::engine {

constinit thread_local bool is_switching = false;

namespace {

// Only pages that are touched take memory, but limits of a process count all that may be written.
constexpr std::size_t first_bytes = 256UL * 1024;
constexpr std::size_t guard_bytes = 4096UL * 4;
constexpr std::size_t all_bytes = guard_bytes + largest_stack;

// Linux lets a process have 65,530 mappings, of which a stack with a guard takes two. Those of a
// device that is full are more than that, so the last of them go without: neighbours are one.
constexpr std::size_t most_guarded = 30000;
std::atomic<std::size_t> fibers_alive{0};

}  // namespace

Fiber::Fiber(std::size_t color) {
  grown_ = fibers_alive.fetch_add(1, std::memory_order_relaxed) >= most_guarded;
  constexpr int writable = PROT_READ | PROT_WRITE;
  void* const memory = mmap(nullptr, all_bytes, grown_ ? writable : PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED ||
      (!grown_ && mprotect(static_cast<std::byte*>(memory) + all_bytes - first_bytes, first_bytes,
                           writable) != 0)) {
    std::fputs("emulator: error: no memory for the stack of a CUDA thread\n", stderr);
    std::exit(1);
  }
  memory_ = static_cast<std::byte*>(memory);
  // 33 lines of 64 bytes apart: neighbours land in different sets, and 16-byte alignment stays.
  top_ = memory_ + all_bytes - (color % 32) * 33 * 64;
  if (is_witnessed) {
    emulator_tell_witness(Announcement::fiber, reinterpret_cast<std::uintptr_t>(memory_),
                          reinterpret_cast<std::uintptr_t>(memory_ + all_bytes));
  }
  reset();
}

Fiber::~Fiber() {
  munmap(memory_, all_bytes);
  fibers_alive.fetch_sub(1, std::memory_order_relaxed);
}

void Fiber::reset() {
#if defined(__x86_64__)
  // As if fiber_main() had been called from nowhere: that also ends a debugger's list of frames.
  auto* const frame = reinterpret_cast<std::uintptr_t*>(top_) - 9;
  std::fill_n(frame, 9, 0);
  __asm__ volatile("stmxcsr (%0)\n\tfnstcw 4(%0)" : : "r"(frame) : "memory");
  frame[7] = reinterpret_cast<std::uintptr_t>(&fiber_main);
  suspended = frame;
#elif defined(__aarch64__)
  auto* const frame = reinterpret_cast<std::uintptr_t*>(top_) - 22;
  std::fill_n(frame, 22, 0);
  frame[20] = reinterpret_cast<std::uintptr_t>(&fiber_main);
  __asm__ volatile("mrs %0, fpcr" : "=r"(frame[21]));
  suspended = frame;
#else
  const auto size = static_cast<std::size_t>(top_ - (memory_ + guard_bytes));
  suspended = boost::context::detail::make_fcontext(top_, size, [](auto before) {
    *static_cast<Suspended*>(before.data) = before.fctx;
    end_switch();
    fiber_main();
  });
#endif
}

bool Fiber::grow(const void* address) {
  const auto* const byte = static_cast<const std::byte*>(address);
  if (grown_ || byte < memory_ + guard_bytes || byte >= memory_ + all_bytes - first_bytes) {
    return false;
  }
  grown_ = mprotect(memory_ + guard_bytes, largest_stack, PROT_READ | PROT_WRITE) == 0;
  return grown_;
}

bool Fiber::overflowed(const void* address) const {
  const auto* const byte = static_cast<const std::byte*>(address);
  // If the stack could not grow, what it may grow to is also a guard.
  return byte >= memory_ && byte < memory_ + (grown_ ? guard_bytes : all_bytes - first_bytes);
}

}  // namespace emulator::engine
