#include "engine/accesses/lanes_in_step.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/engine.hpp"

// In a program that emucc --lockstep has built (launch.h).
extern "C" char emulator_built_for_steps __attribute__((weak));

namespace emulator::engine {

constinit bool lanes_in_step = false;

void read_lockstep() {
  lanes_in_step = &emulator_built_for_steps != nullptr;
  const char* const text = std::getenv("EMULATOR_LOCKSTEP");
  if (text == nullptr || *text == '\0') return;
  if (std::strcmp(text, "0") != 0 && std::strcmp(text, "1") != 0) {
    std::fprintf(stderr, "emulator: error: EMULATOR_LOCKSTEP=%s: want 0 or 1\n", text);
    std::_Exit(2);
  }
  lanes_in_step = *text == '1';
}

void take_step(const void* pc) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  static std::atomic<bool> told{false};
  if (!told.exchange(true, std::memory_order_relaxed)) {
    const OutsideKernel outside;
    std::fflush(stdout);
    std::fputs(
        "emulator: note: the lanes of a warp run in step at volatile accesses and fences, as "
        "requested; since Volta no GPU guarantees that, and only __syncwarp() between them makes "
        "the program correct\n",
        stderr);
  }
  left_at = reinterpret_cast<std::uintptr_t>(pc);
  lane->step = left_at & ((std::uintptr_t{1} << 48) - 1);  // addresses of code have no more bits
  lane->worker->suspend(*lane);
  lane->step = 0;
}

std::uint32_t lanes_of_next_step(const Warp& warp, std::uint32_t running) {
  std::uintptr_t first = std::numeric_limits<std::uintptr_t>::max();
  for (std::uint32_t rest = running; rest != 0; rest &= rest - 1) {
    first = std::min(first, warp.lanes[std::countr_zero(rest)].step);
  }
  std::uint32_t next = 0;
  for (std::uint32_t rest = running; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (warp.lanes[i].step == first) next |= 1U << i;
  }
  return next;
}

}  // namespace emulator::engine
