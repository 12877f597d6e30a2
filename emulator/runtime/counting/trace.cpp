#include "counting/trace.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "checking/checker.hpp"
#include "counting/counters.hpp"

namespace emulator::detail {
namespace {

constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void WarpTrace::merge(std::uint32_t running, SiteCounters& counters, Checker* checker) {
  if (checker != nullptr) {
    merge_all<true>(running, counters, checker);
  } else {
    merge_all<false>(running, counters, nullptr);
  }
}

template <bool checked>
void WarpTrace::merge_all(std::uint32_t running, SiteCounters& counters,
                          [[maybe_unused]] Checker* checker) {
  // The place each lane stands at; `nothing` for a lane without accesses.
  std::array<std::uint64_t, warp_size> site;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (lanes[lane].empty()) {
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
        if (Access::kind_of(request.what) <= AccessKind::barrier) counters.count(request);
        checker->check(request);
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

namespace {

// The same for addresses that ascend. Returns how many lanes it got through before one did not.
unsigned count_ascending(const std::uint64_t* addresses, unsigned active, unsigned bytes,
                         GlobalCost& cost) {
  std::uint64_t sectors_to = 0;  // one past the last sector counted so far
  std::uint64_t bytes_to = 0;    // one past the last byte
  cost = {0, 0};
  for (unsigned i = 0; i < active; ++i) {
    const std::uint64_t begin = addresses[i];
    const std::uint64_t end = begin + bytes;
    if (end < bytes_to) return i;
    const std::uint64_t sectors_from = std::max(begin / sector_bytes, sectors_to);
    sectors_to = (end - 1) / sector_bytes + 1;
    cost.sectors += static_cast<unsigned>(sectors_to - sectors_from);
    cost.bytes += static_cast<unsigned>(end - std::max(begin, bytes_to));
    bytes_to = end;
  }
  return active;
}

}  // namespace

namespace {

// The sectors that a request touches, and which of their bytes: a small hash table.
class TouchedSectors {
 public:
  TouchedSectors() { number_.fill(nothing); }

  void add(std::uint64_t address, unsigned bytes) {
    while (bytes > 0) {
      const auto first = static_cast<unsigned>(address % sector_bytes);
      const unsigned here = std::min(bytes, sector_bytes - first);
      mark(address / sector_bytes, (here == 32 ? ~0U : (1U << here) - 1U) << first);
      address += here;
      bytes -= here;
    }
  }
  const GlobalCost& cost() const { return cost_; }

 private:
  // Twice as many as 32 lanes can touch.
  static constexpr std::size_t slots = 128;

  void mark(std::uint64_t number, std::uint32_t bytes) {
    std::size_t slot = static_cast<std::size_t>((number * 0x9E3779B97F4A7C15U) >> 57);
    while (number_[slot] != number) {
      if (number_[slot] == nothing) {
        number_[slot] = number;
        bytes_[slot] = 0;
        ++cost_.sectors;
        break;
      }
      slot = (slot + 1) % slots;
    }
    cost_.bytes += static_cast<unsigned>(std::popcount(bytes & ~bytes_[slot]));
    bytes_[slot] |= bytes;
  }

  std::array<std::uint64_t, slots> number_;
  std::array<std::uint32_t, slots> bytes_;  // a bit a byte; only where there is a number
  GlobalCost cost_{0, 0};
};

}  // namespace

GlobalCost count_sectors(const std::uint64_t* addresses, unsigned active, unsigned bytes) {
  // Neighbouring lanes mostly ask for ascending addresses, and then no memory is needed.
  GlobalCost cost;
  if (count_ascending(addresses, active, bytes, cost) == active) return cost;
  TouchedSectors touched;
  for (unsigned i = 0; i < active; ++i) touched.add(addresses[i], bytes);
  return touched.cost();
}

namespace {

// Whether every active lane's address equals that of the lane `distance` away (lane XOR
// distance), or that lane is inactive.
bool pairs_agree(const std::array<std::uint64_t, warp_size>& address, std::uint32_t active,
                 unsigned distance) {
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const unsigned partner = lane ^ distance;
    const bool both = (active >> lane & 1U) != 0 && (active >> partner & 1U) != 0;
    if (both && address[lane] != address[partner]) return false;
  }
  return true;
}

// The largest number of distinct 4-byte words that one of the 32 banks must deliver.
unsigned busiest_bank(const std::array<std::uint64_t, warp_size>& address, std::uint32_t active,
                      unsigned bytes) {
  std::array<std::uint64_t, warp_size * 5> words;
  unsigned count = 0;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const std::uint64_t at = address[static_cast<unsigned>(std::countr_zero(rest))];
    for (std::uint64_t word = at / 4; word <= (at + bytes - 1) / 4; ++word) words[count++] = word;
  }
  const auto end = words.begin() + count;
  if (!std::is_sorted(words.begin(), end)) std::sort(words.begin(), end);
  const auto distinct_end = std::unique(words.begin(), end);
  std::array<unsigned, 32> load{};
  unsigned busiest = 0;
  for (auto word = words.begin(); word != distinct_end; ++word) {
    busiest = std::max(busiest, ++load[*word % 32]);
  }
  return busiest;
}

}  // namespace

SharedCost count_wavefronts(const std::uint64_t* addresses, const std::uint8_t* lanes,
                            unsigned active, unsigned bytes, bool is_store) {
  std::array<std::uint64_t, warp_size> address{};
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < active; ++i) {
    address[lanes[i]] = addresses[i];
    mask |= 1U << lanes[i];
  }
  // 32 lanes of up to 4 bytes are served at once, or 16 of 8, or 8 of 16; loads whose lanes agree
  // in pairs are served twice as many at a time.
  unsigned width = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  if (!is_store && width < 32 && (pairs_agree(address, mask, 1) || pairs_agree(address, mask, 2))) {
    width *= 2;
  }
  SharedCost cost{0, 0};
  for (unsigned first = 0; first < warp_size; first += width) {
    const std::uint32_t group = mask & (width == 32 ? 0xFFFFFFFFU : ((1U << width) - 1U) << first);
    if (group == 0) continue;
    ++cost.groups;
    cost.wavefronts += busiest_bank(address, group, bytes);
  }
  return cost;
}

}  // namespace emulator::detail
