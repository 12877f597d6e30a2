#include "engine/spin_watch.hpp"

#include <time.h>

#include <cstdio>
#include <string>

#include "base/source_places.hpp"
#include "base/watchdog.hpp"
#include "engine/host_threads.hpp"

// By the name under which it may be written (builtin_variables.cpp).
extern __thread uint3 current_block __asm__("blockIdx");

namespace emulator::engine {

void SpinWatch::tell_where_it_stands(Grid& grid) const {
  const double long_time = watchdog_delay();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - grid.began;
  if (long_time <= 0 || time.count() < long_time) return;
  if (grid.told_of_running.load(std::memory_order_relaxed)) return;
  std::string where;
  if (last_lane_ != nullptr) {
    const uint3 t = last_lane_->index;
    char text[128];
    std::snprintf(text, sizeof(text), "; thread (%u,%u,%u) of block (%u,%u,%u) is", t.x, t.y, t.z,
                  current_block.x, current_block.y, current_block.z);
    const SourcePlace* const place = left_at == 0 ? nullptr : &place_of(left_at);
    if (place != nullptr && place->line != 0) {
      where = text + (" in " + place->file + ":" + std::to_string(place->line));
    } else if (time.count() < 1.5 * long_time) {
      return;  // perhaps it was interrupted in a function of ours, and will not be the next time
    } else {
      where =
          std::string(text) + " somewhere in it (compiled with --look or -g, it would say where)";
    }
  }
  if (grid.told_of_running.exchange(true)) return;
  std::fflush(stdout);
  std::fprintf(stderr,
               "emulator: note: %s has been running for %.3g s%s. If it waits for what the host "
               "does later, it waits forever%s\n",
               grid.kernel, time.count(), where.c_str(),
               grid.turn != nullptr ? "" : ": here a launch returns when its kernel has ended");
}

void SpinWatch::help_spinning_block(Grid& grid) {
  constexpr auto patience = std::chrono::milliseconds(5);
  constexpr auto long_time = std::chrono::seconds(20);
  const auto now = std::chrono::steady_clock::now();
  if (grid.next_block.load(std::memory_order_relaxed) >= grid.blocks || grid.is_cooperative())
    return;
  // Time that this host thread has computed: where the machine has other work, the block that is
  // waited for may have no processor, and more host threads would only be in its way.
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  const std::chrono::nanoseconds computed(used.tv_sec * 1'000'000'000LL + used.tv_nsec);
  if (help_asked_.count() == 0) help_asked_ = computed;
  if (computed - help_asked_ < patience) return;
  help_asked_ = computed;
  if (grid.pool != nullptr && grid.pool->add_one(grid)) return;
  if (now - block_began_ < long_time || grid.told_of_waiting.exchange(true)) return;
  std::fflush(stdout);
  std::fprintf(stderr,
               "emulator: note: %s: block (%u,%u,%u) has been running for 20 s. If it waits for a "
               "block that has not begun, it waits forever: %s\n",
               grid.kernel, current_block.x, current_block.y, current_block.z,
               grid.observer != nullptr
                   ? "while accesses are recorded, blocks run one after the other"
                   : "no more blocks fit beside each other");
}

}  // namespace emulator::engine
