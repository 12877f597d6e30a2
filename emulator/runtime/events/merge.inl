#pragma once
/// \file
/// The merge, for who is told of each request: it is compiled with what is done with them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "base/rooms.hpp"
#include "events/trace.hpp"

namespace emulator::events {

template <bool with_stored, class Merged>
void WarpTrace::merge(std::uint32_t running, std::uint32_t left_out, Merged merged) {
  constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();
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
        if constexpr (with_stored) request.stored[i] = trace.front_stored();
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
      merged(request);
      if ((exhausted & running) != 0) return;
      together = together && after < others;
    }
    for (unsigned i = 0; i < request.active; ++i) {
      const LaneTrace& trace = lanes[request.lane[i]];
      site[request.lane[i]] = trace.empty() ? nothing : trace.front().site;
    }
  }
}

}  // namespace emulator::events
