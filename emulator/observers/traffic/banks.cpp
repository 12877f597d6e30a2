#include "observers/traffic/banks.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace emulator::traffic {
namespace {

// Whether every active lane's address equals that of the lane `distance` away (lane XOR
// distance), or that lane is inactive.
bool pairs_agree(const SharedRequest& request, unsigned distance) {
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const unsigned partner = lane ^ distance;
    const bool both = (request.active >> lane & request.active >> partner & 1U) != 0;
    if (both && request.address[lane] != request.address[partner]) return false;
  }
  return true;
}

}  // namespace

LaneGroups groups_served(const SharedRequest& request) {
  unsigned lanes = request.bytes <= 4 ? 32 : request.bytes <= 8 ? 16 : 8;
  const bool may_double = !request.is_store && !request.is_matrix && lanes < 32;
  if (may_double && (pairs_agree(request, 1) || pairs_agree(request, 2))) {
    lanes *= 2;
  }
  LaneGroups groups{};
  std::size_t count = 0;
  for (unsigned first = 0; first < warp_size; first += lanes) {
    const std::uint32_t all = lanes == 32 ? ~0U : ((1U << lanes) - 1U) << first;
    if ((request.active & all) != 0) groups[count++] = request.active & all;
  }
  return groups;
}

std::array<unsigned, bank_count> words_by_bank(const SharedRequest& request, std::uint32_t lanes) {
  std::array<std::uint64_t, warp_size * 5> words;  // 16 bytes may be in 5 words
  std::size_t count = 0;
  for (std::uint32_t rest = lanes & request.active; rest != 0; rest &= rest - 1) {
    const std::uint64_t at = request.address[static_cast<unsigned>(std::countr_zero(rest))];
    const std::uint64_t last = (at + request.bytes - 1) / word_bytes;
    for (std::uint64_t word = at / word_bytes; word <= last; ++word) words[count++] = word;
  }
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
  if (!std::is_sorted(words.begin(), end)) std::sort(words.begin(), end);
  const auto distinct_end = std::unique(words.begin(), end);
  std::array<unsigned, bank_count> load{};
  for (auto word = words.begin(); word != distinct_end; ++word) ++load[*word % bank_count];
  return load;
}

SharedCost count_wavefronts(const SharedRequest& request) {
  SharedCost cost;
  for (const std::uint32_t lanes : groups_served(request)) {
    if (lanes == 0) break;
    const std::array<unsigned, bank_count> load = words_by_bank(request, lanes);
    ++cost.groups;
    cost.wavefronts += *std::max_element(load.begin(), load.end());
  }
  return cost;
}

}  // namespace emulator::traffic
