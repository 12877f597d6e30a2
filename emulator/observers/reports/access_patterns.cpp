#include "observers/reports/access_patterns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <vector>

#include "observers/reports/kernel_traffic.hpp"
#include "observers/traffic/atomics.hpp"
#include "observers/traffic/banks.hpp"
#include "observers/traffic/sectors.hpp"

namespace emulator::reports {
namespace {

constexpr unsigned word = 4;

struct Lane {
  unsigned thread;  // of the block
  std::int64_t offset;
};

std::vector<Lane> active_lanes(const ExampleAccess& example) {
  std::vector<Lane> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((example.active >> lane & 1U) == 0) continue;
    lanes.push_back({example.warp * 32 + lane, static_cast<std::int64_t>(example.offset[lane])});
  }
  return lanes;
}

// offset = first + stride * (thread % row) + row_stride * (thread / row), counted from lanes[0].
struct Fit {
  unsigned row = 32;
  std::int64_t stride = 0;
  std::int64_t row_stride = 0;
};

std::optional<Fit> fit_rows(const std::vector<Lane>& lanes, unsigned row) {
  const Lane& first = lanes.front();
  const auto x = [&](const Lane& lane) {
    return std::int64_t{lane.thread % row} - std::int64_t{first.thread % row};
  };
  const auto y = [&](const Lane& lane) {
    return std::int64_t{lane.thread / row} - std::int64_t{first.thread / row};
  };
  Fit fit{row, 0, 0};
  // The distance within a row, from two lanes of one row.
  const auto neighbours = std::adjacent_find(
      lanes.begin(), lanes.end(), [&](const Lane& a, const Lane& b) { return y(a) == y(b); });
  if (neighbours == lanes.end()) return std::nullopt;
  const Lane& next = neighbours[1];
  const std::int64_t distance = next.offset - neighbours->offset;
  const std::int64_t steps = x(next) - x(*neighbours);
  if (distance % steps != 0) return std::nullopt;
  fit.stride = distance / steps;
  // The distance between rows, from a lane of another row than the first.
  const auto other =
      std::find_if(lanes.begin(), lanes.end(), [&](const Lane& lane) { return y(lane) != 0; });
  if (other != lanes.end()) {
    const std::int64_t rest = other->offset - first.offset - fit.stride * x(*other);
    if (rest % y(*other) != 0) return std::nullopt;
    fit.row_stride = rest / y(*other);
  }
  const bool fits = std::all_of(lanes.begin(), lanes.end(), [&](const Lane& lane) {
    return lane.offset - first.offset == fit.stride * x(lane) + fit.row_stride * y(lane);
  });
  return fits ? std::optional(fit) : std::nullopt;
}

// The simplest description that holds: one row, then rows of the block, then others. As many lanes
// as the description has numbers would always agree with it.
std::optional<Fit> fit_lanes(const std::vector<Lane>& lanes, unsigned block_width) {
  if (lanes.size() < 3) return std::nullopt;
  if (auto fit = fit_rows(lanes, 32)) return fit;
  if (lanes.size() < 5) return std::nullopt;
  for (const unsigned row : {block_width, 16U, 8U, 4U, 2U}) {
    if (row < 2 || row >= 32) continue;
    if (auto fit = fit_rows(lanes, row)) return fit;
  }
  return std::nullopt;
}

// The most distinct words that a bank must deliver to lanes which are served together; for atomic
// operations, the most of these lanes.
unsigned conflict_ways(const SharedRequest& request, bool is_atomic) {
  unsigned ways = 0;
  if (is_atomic) {
    for (const std::uint32_t lanes : atomic_groups(request)) {
      const std::array<unsigned, bank_count> load = lanes_by_bank(request, lanes);
      ways = std::max(ways, *std::max_element(load.begin(), load.end()));
    }
    return ways;
  }
  for (const std::uint32_t lanes : groups_served(request)) {
    const std::array<unsigned, bank_count> words = words_by_bank(request, lanes);
    ways = std::max(ways, *std::max_element(words.begin(), words.end()));
  }
  return ways;
}

Pattern shared_pattern(const std::optional<Fit>& fit, unsigned bytes) {
  if (!fit) return Pattern::irregular;
  // An odd number of elements (or words) from lane to lane reaches all banks.
  const std::int64_t unit = std::max(bytes, word);
  const std::int64_t stride = std::abs(fit->stride);
  const bool even = stride % unit == 0 && (stride / unit) % 2 == 0;
  if (stride > unit && (even || fit->row_stride == 0)) return Pattern::stride;
  return fit->row_stride != 0 ? Pattern::rows : Pattern::irregular;
}

Pattern global_pattern(const AccessPattern& about, const std::optional<Fit>& fit, unsigned bytes) {
  if (about.pieces == 1) return Pattern::misaligned;
  if (fit) {
    const auto stride = static_cast<unsigned long long>(std::abs(fit->stride));
    if (stride > bytes) return Pattern::stride;
    if (stride == bytes && fit->row == 32) return Pattern::gaps;
    if (stride == 0) return Pattern::few_elements;
  }
  // More than one element a piece, on average at least one and a half.
  return about.pieces * 3 <= about.elements * 2 ? Pattern::pieces : Pattern::irregular;
}

}  // namespace

AccessPattern recognise(const InstructionTraffic& instruction, unsigned block_width) {
  const ExampleAccess& example = instruction.example;
  AccessPattern about;
  if (excess(instruction) == 0 || excess_of(example) == 0) return about;
  const std::vector<Lane> lanes = active_lanes(example);
  if (lanes.empty()) return about;
  const std::optional<Fit> fit = fit_lanes(lanes, block_width);

  std::vector<std::int64_t> offsets;
  offsets.reserve(lanes.size());
  for (const Lane& lane : lanes) offsets.push_back(lane.offset);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  about.active = static_cast<unsigned>(lanes.size());
  about.elements = static_cast<unsigned>(offsets.size());
  about.pieces = 1;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] - offsets[i - 1] > instruction.bytes_a_lane) ++about.pieces;
  }
  about.first = static_cast<std::uint64_t>(lanes.front().offset);
  if (fit) {
    about.stride = fit->stride;
    about.row_stride = fit->row_stride;
    about.row_lanes = fit->row;
  }
  if (is_shared(instruction.kind)) {
    about.ways = conflict_ways(request_of(instruction), is_atomic(instruction.kind));
    about.pattern = shared_pattern(fit, instruction.bytes_a_lane);
  } else {
    about.offset = static_cast<unsigned>(offsets.front() % sector_bytes);
    about.pattern = global_pattern(about, fit, instruction.bytes_a_lane);
  }
  if (is_atomic(instruction.kind) && about.elements < about.active) {
    about.pattern = Pattern::meeting;
  }
  return about;
}

}  // namespace emulator::reports
