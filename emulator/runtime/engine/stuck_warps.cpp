#include "engine/stuck_warps.hpp"

namespace emulator::engine {

void StuckWarps::end_pass(bool more) {
  constexpr unsigned many = 5;
  if (lanes_pass_) return;
  passes_stuck_ = more && some_wait_ && !some_get_on_ ? passes_stuck_ + 1 : 0;
  lanes_pass_ = passes_stuck_ == many;
  some_wait_ = some_get_on_ = false;
}

}  // namespace emulator::engine
