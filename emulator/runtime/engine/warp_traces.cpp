#include "engine/warp_traces.hpp"

#include <utility>

namespace emulator::engine {

void WarpTraces::lend(Warp& warp, bool with_order) {
  if (idle_.empty()) idle_.push_back(std::make_unique<WarpTrace>());
  warp.trace = std::move(idle_.back());
  idle_.pop_back();
  for (unsigned i = 0; i < warp.size; ++i) warp.lanes[i].trace = &warp.trace->lanes[i];
  if (with_order) warp.trace->begin_order();
}

void WarpTraces::take_back(Warp& warp) {
  for (unsigned i = 0; i < warp.size; ++i) warp.lanes[i].trace = nullptr;
  idle_.push_back(std::move(warp.trace));
}

}  // namespace emulator::engine
