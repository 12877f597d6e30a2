#include "observers/reports/padding.hpp"

#include <algorithm>
#include <cstdint>

#include "observers/traffic/banks.hpp"

namespace emulator::reports {

// Lanes of a row are `stride` apart: each is in another row of the array, which padding moves. From
// one row of lanes to the next it is a step within a row of the array, or over whole ones.
unsigned padding_without_conflict(const InstructionTraffic& instruction,
                                  const AccessPattern& about) {
  const unsigned bytes = std::max(instruction.bytes_a_lane, traffic::word_bytes);
  const bool over_rows = about.stride != 0 && about.row_stride % about.stride == 0;
  for (unsigned padding = 1; padding <= traffic::bank_count; ++padding) {
    const std::int64_t more = std::int64_t{padding} * bytes;
    traffic::SharedRequest request;
    request.bytes = instruction.bytes_a_lane;
    request.active = instruction.example.active;
    request.is_store = instruction.kind == InstructionKind::shared_store;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      std::int64_t rows = lane % about.row_lanes;
      if (over_rows) rows += about.row_stride / about.stride * (lane / about.row_lanes);
      const auto moved = static_cast<std::uint64_t>(about.stride < 0 ? -rows * more : rows * more);
      request.address[lane] = instruction.example.offset[lane] + moved;
    }
    const traffic::SharedCost cost = traffic::count_wavefronts(request);
    if (cost.wavefronts == cost.groups) return padding;
  }
  return 0;
}

}  // namespace emulator::reports
