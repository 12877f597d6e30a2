#include "base/details.hpp"

#include <atomic>

namespace emulator::base {

static std::atomic<bool> wanted_now{false};

bool details_wanted() {
  return wanted_now.load(std::memory_order_relaxed);
}

void want_details(bool wanted) {
  wanted_now = wanted;
}

}  // namespace emulator::base
