#include "trace.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace emulator::detail {
namespace {

constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void WarpTrace::merge(std::uint32_t running, Traffic& traffic) {
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

  std::array<std::uint64_t, warp_size> address;
  std::array<std::uint8_t, warp_size> active_lane;
  for (;;) {
    const std::uint64_t next = *std::min_element(site.begin(), site.end());
    if (next == nothing) return;

    unsigned active = 0;
    std::uint64_t target = 0;
    std::uint32_t exhausted = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if (site[lane] != next) continue;
      LaneTrace& trace = lanes[lane];
      target = trace.front().target;
      address[active] = trace.front().address();
      active_lane[active++] = static_cast<std::uint8_t>(lane);
      trace.pop();
      if (trace.empty()) {
        site[lane] = nothing;
        exhausted |= 1U << lane;
      } else {
        site[lane] = trace.front().site;
      }
    }
    const Access sample{next, target};
    count_request(address.data(), active_lane.data(), active, sample.kind(), sample.bytes(),
                  traffic);
    if ((exhausted & running) != 0) return;
  }
}

void count_request(const std::uint64_t* addresses, const std::uint8_t* lanes, unsigned active,
                   AccessKind kind, unsigned bytes, Traffic& traffic) {
  switch (kind) {
    case AccessKind::global_load:
      ++traffic.global_load_requests;
      traffic.global_load_sectors += count_sectors(addresses, active, bytes);
      break;
    case AccessKind::global_store:
      ++traffic.global_store_requests;
      traffic.global_store_sectors += count_sectors(addresses, active, bytes);
      break;
    case AccessKind::global_atomic:
      ++traffic.global_atomic_requests;
      traffic.global_atomic_sectors += count_sectors(addresses, active, bytes);
      break;
    case AccessKind::shared_load: {
      const SharedCost cost = count_wavefronts(addresses, lanes, active, bytes, false);
      ++traffic.shared_load_instructions;
      traffic.shared_load_wavefronts += cost.wavefronts;
      traffic.shared_load_bank_conflicts += cost.wavefronts - cost.groups;
      break;
    }
    case AccessKind::shared_store: {
      const SharedCost cost = count_wavefronts(addresses, lanes, active, bytes, true);
      ++traffic.shared_store_instructions;
      traffic.shared_store_wavefronts += cost.wavefronts;
      traffic.shared_store_bank_conflicts += cost.wavefronts - cost.groups;
      break;
    }
    case AccessKind::block:
      break;
    case AccessKind::shared_atomic:
      ++traffic.shared_atomic_instructions;
      break;
  }
}

unsigned count_sectors(const std::uint64_t* addresses, unsigned active, unsigned bytes) {
  constexpr unsigned sector_shift = 5;  // 32 bytes
  // Neighbouring lanes mostly ask for ascending addresses: then counting needs no memory.
  unsigned sectors = 0;
  std::uint64_t counted_to = 0;  // one past the last sector counted so far
  unsigned i = 0;
  for (; i < active; ++i) {
    const std::uint64_t first = addresses[i] >> sector_shift;
    const std::uint64_t end = ((addresses[i] + bytes - 1) >> sector_shift) + 1;
    if (i > 0 && addresses[i] < addresses[i - 1]) break;
    const std::uint64_t begin = std::max(first, counted_to);
    if (begin < end) {
      sectors += static_cast<unsigned>(end - begin);
      counted_to = end;
    }
  }
  if (i == active) return sectors;

  // Any order: at most two sectors a lane, sorted and made unique.
  std::array<std::uint64_t, 2 * warp_size> touched;
  unsigned count = 0;
  for (i = 0; i < active; ++i) {
    const std::uint64_t first = addresses[i] >> sector_shift;
    const std::uint64_t last = (addresses[i] + bytes - 1) >> sector_shift;
    touched[count++] = first;
    if (last != first) touched[count++] = last;
  }
  const auto end = touched.begin() + count;
  std::sort(touched.begin(), end);
  return static_cast<unsigned>(std::unique(touched.begin(), end) - touched.begin());
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
