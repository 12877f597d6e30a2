#include "events/trace.hpp"

namespace emulator::events {

WarpTrace::WarpTrace() = default;
WarpTrace::~WarpTrace() = default;

void WarpTrace::begin_order() {
  if (order == nullptr) order = std::make_unique<ExecutionOrder>();
  order->start();
}

bool LaneTrace::polls() const {
  const Access* asked = nullptr;
  for (const Access* access = head_; access != tail_; ++access) {
    const AccessKind kind = Access::kind_of(access->what());
    if (kind == AccessKind::global_store || kind == AccessKind::shared_store) return false;
    if (!is_strong(access->what())) continue;
    if (asked != nullptr && (asked->site != access->site || asked->target != access->target)) {
      return false;
    }
    asked = access;
  }
  if (asked != nullptr) return true;
  // Between what fills a trace and the next look at what others do there may be too little to tell.
  const auto entries = static_cast<std::size_t>(tail_ - head_);
  return entries > 0 && entries < capacity / 4;
}

}  // namespace emulator::events
