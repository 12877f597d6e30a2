#include "observers/checks/happens_before/block_clocks.hpp"

#include <algorithm>
#include <bit>

#include "events/async_events.hpp"

namespace emulator::checks {
namespace {

using events::barrier_places::phase_bits;

void join(BlockClocks::Row& row, const BlockClocks::Row& more) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::max(row[i], more[i]);
}

}  // namespace

BlockClocks::BlockClocks(unsigned threads)
    : threads_(threads), rows_(threads, Row(threads + copiers)), fences_(threads) {}

void BlockClocks::learn(unsigned thread, unsigned other, std::uint32_t segment) {
  rows_[thread][other] = std::max(rows_[thread][other], segment);
}

// Phases alternate between two rows. What was left in a phase comes before the next one, too.
BlockClocks::Place& BlockClocks::place_in(std::uint64_t place, std::uint64_t phase) {
  Place& here = places_[place];
  const std::uint64_t now = phase & 1U;
  if (here.rows[now].empty()) here.rows[now].resize(threads_ + copiers);
  if (here.phases[now] != phase) {
    here.phases[now] = phase;
    if (!here.rows[now ^ 1U].empty()) here.rows[now] = here.rows[now ^ 1U];
    here.fenced[now] = here.fenced[now ^ 1U];
  }
  return here;
}

void BlockClocks::arrive(std::uint64_t place, std::uint64_t phase, unsigned thread,
                         std::uint32_t own, const FencedWork& fenced) {
  phase &= phase_bits;
  Place& here = place_in(place, phase);
  Row& row = here.rows[phase & 1U];
  join(row, rows_[thread]);
  row[thread] = std::max(row[thread], own);
  here.fenced[phase & 1U].add(fenced);
}

void BlockClocks::end_copy(std::uint64_t place, std::uint64_t phase, unsigned copier,
                           std::uint32_t segment) {
  phase &= phase_bits;
  place_in(place, phase).rows[phase & 1U][copier] = segment;
}

FencedWork BlockClocks::see(std::uint64_t place, std::uint64_t phase, unsigned thread) {
  const auto found = places_.find(place);
  if (found == places_.end()) return {};
  const Place& here = found->second;
  phase &= phase_bits;
  if (here.phases[phase & 1U] != phase) return {};
  join(rows_[thread], here.rows[phase & 1U]);
  return here.fenced[phase & 1U];
}

void BlockClocks::meet(unsigned first, std::uint32_t lanes, std::uint32_t now) {
  Row together(threads_ + copiers);
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned thread = first + static_cast<unsigned>(std::countr_zero(rest));
    join(together, rows_[thread]);
    together[thread] = now;
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    rows_[first + static_cast<unsigned>(std::countr_zero(rest))] = together;
  }
}

void BlockClocks::meet_all(unsigned first, unsigned count, std::uint32_t now) {
  Row together(rows_[first]);
  for (unsigned i = first; i < first + count; ++i) join(together, rows_[i]);
  for (unsigned i = first; i < first + count; ++i) together[i] = now;
  for (unsigned i = first; i < first + count; ++i) rows_[i] = together;
}

void BlockClocks::fence(unsigned thread, std::uint32_t own, std::uint32_t block) {
  fences_[thread] = {own, own, block, rows_[thread]};
}

bool BlockClocks::is_fenced(unsigned thread, std::uint32_t segment, unsigned starter,
                            bool is_barrier) const {
  const ProxyFence& writers = fences_[thread];
  if (segment <= (is_barrier ? std::max(writers.own, writers.barriers) : writers.own)) return true;
  const ProxyFence& starters = fences_[starter];
  return segment < starters.block || (!starters.row.empty() && segment <= starters.row[thread]);
}

}  // namespace emulator::checks
