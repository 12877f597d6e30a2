#include "fiber.hpp"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace emulator::detail {
namespace {

// Room for a kernel's local arrays and for printf. Only pages that are touched take memory.
constexpr std::size_t stack_bytes = 256 * 1024;
constexpr std::size_t guard_bytes = 4096 * 4;

}  // namespace

Fiber::Fiber(Entry entry, std::size_t color) : entry_(entry) {
  void* const memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, guard_bytes, PROT_NONE) != 0) {
    std::fputs("emulator: error: no memory for the stack of a CUDA thread\n", stderr);
    std::exit(1);
  }
  memory_ = static_cast<std::byte*>(memory);
  // 33 lines of 64 bytes apart: neighbours land in different sets, and 16-byte alignment stays.
  top_ = memory_ + guard_bytes + stack_bytes - (color % 32) * 33 * 64;
  reset();
}

Fiber::~Fiber() {
  munmap(memory_, guard_bytes + stack_bytes);
}

void Fiber::reset() {
  switching_ = true;
  const auto size = static_cast<std::size_t>(top_ - (memory_ + guard_bytes));
  suspended_ = boost::context::detail::make_fcontext(top_, size, &Fiber::start);
}

void Fiber::start(boost::context::detail::transfer_t from) {
  Fiber& fiber = *static_cast<Fiber*>(from.data);
  fiber.resumer_ = from.fctx;
  fiber.switching_ = false;
  fiber.entry_(fiber);
}

bool Fiber::overflowed(const void* address) const {
  const auto* const byte = static_cast<const std::byte*>(address);
  return byte >= memory_ && byte < memory_ + guard_bytes;
}

}  // namespace emulator::detail
