#include "engine/stuck_warps.hpp"

namespace emulator::engine {

void StuckWarps::end_pass(bool more) {
  constexpr unsigned many = 5;
  passes_polling_ = more && some_poll_ && !some_get_on_ ? passes_polling_ + 1 : 0;
  if (lanes_pass_) {
    some_get_on_ = some_poll_ = false;
    return;
  }
  passes_stuck_ = more && some_wait_ && !some_get_on_ ? passes_stuck_ + 1 : 0;
  lanes_pass_ = passes_stuck_ == many;
  some_wait_ = some_get_on_ = some_poll_ = false;
}

}  // namespace emulator::engine
