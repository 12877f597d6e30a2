#include "events/trace.hpp"

#include <algorithm>
#include <limits>

#include "observers/checks/checker.hpp"
#include "events/real_order.hpp"
#include "observers/traffic/counters.hpp"

namespace emulator::detail {
namespace {

constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

}  // namespace

WarpTrace::WarpTrace() = default;
WarpTrace::~WarpTrace() = default;

void WarpTrace::begin_order() {
  if (real_order == nullptr) real_order = std::make_unique<RealOrder>();
  real_order->start();
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
  return asked != nullptr;
}

void WarpTrace::merge(std::uint32_t running, LaunchCounters& counters, Checker* checker,
                      std::uint32_t left_out) {
  if (checker != nullptr) {
    merge_all<true>(running, counters, checker, left_out);
  } else {
    merge_all<false>(running, counters, nullptr, left_out);
  }
}

template <bool checked>
void WarpTrace::merge_all(std::uint32_t running, LaunchCounters& counters,
                          [[maybe_unused]] Checker* checker, std::uint32_t left_out) {
  // The place each lane stands at; `nothing` for a lane without accesses.
  std::array<std::uint64_t, warp_size> site;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((left_out >> lane & 1U) != 0) {
      site[lane] = nothing;
    } else if (lanes[lane].empty()) {
      if ((running >> lane & 1U) != 0) return;
      site[lane] = nothing;
    } else {
      site[lane] = lanes[lane].front().site;
    }
  }

  Request request;
  for (;;) {
    // The lanes that go next, and the place where the first of the others waits for them.
    const std::uint64_t next = *std::min_element(site.begin(), site.end());
    if (next == nothing) return;
    std::uint64_t others = nothing;
    request.active = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if (site[lane] != next) {
        others = std::min(others, site[lane]);
        continue;
      }
      // One instruction can mean different memories to different lanes: those are served apart.
      const std::uint64_t what = lanes[lane].front().what();
      if (request.active == 0) {
        request.what = what;
      } else if (what != request.what) {
        others = next;
        continue;
      }
      request.lane[request.active++] = static_cast<std::uint8_t>(lane);
    }

    // They go on together for as long as they stay together and meet nobody.
    bool together = true;
    while (together) {
      const Access& access = lanes[request.lane[0]].front();
      request.pc = access.pc();
      request.what = access.what();
      std::uint32_t exhausted = 0;
      std::uint64_t after = nothing;
      std::uint64_t what_after = 0;
      for (unsigned i = 0; i < request.active; ++i) {
        const unsigned lane = request.lane[i];
        LaneTrace& trace = lanes[lane];
        request.address[i] = trace.front().address();
        if constexpr (checked) request.stored[i] = trace.front_stored();
        trace.pop();
        if (trace.empty()) {
          exhausted |= 1U << lane;
          together = false;
          continue;
        }
        const Access& following = trace.front();
        if (i == 0) {
          after = following.site;
          what_after = following.what();
        }
        together = together && following.site == after && following.what() == what_after;
      }
      if constexpr (checked) {
        if (Access::kind_of(request.what) <= AccessKind::bulk_copy) counters.count(request);
        real_order->check(request, *checker);
      } else {
        counters.count(request);
      }
      if ((exhausted & running) != 0) return;
      together = together && after < others;
    }
    for (unsigned i = 0; i < request.active; ++i) {
      const LaneTrace& trace = lanes[request.lane[i]];
      site[request.lane[i]] = trace.empty() ? nothing : trace.front().site;
    }
  }
}

}  // namespace emulator::detail
