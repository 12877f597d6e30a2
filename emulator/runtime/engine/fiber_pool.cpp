#include "engine/fiber_pool.hpp"

#include <utility>

namespace emulator::engine {

void FiberPool::lend(Lane& lane) {
  if (idle_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>(fibers_.size()));
    idle_.push_back(fibers_.back().get());
  }
  lane.fiber = idle_.back();
  lane.suspended = lane.fiber->suspended;
  idle_.pop_back();
}

void FiberPool::take_back(Lane& lane) {
  lane.fiber->suspended = std::exchange(lane.suspended, nullptr);
  idle_.push_back(std::exchange(lane.fiber, nullptr));
}

void FiberPool::reset() {
  idle_.clear();
  for (const auto& fiber : fibers_) {
    fiber->reset();
    idle_.push_back(fiber.get());
  }
}

}  // namespace emulator::engine
