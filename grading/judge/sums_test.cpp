// Whatever moves bytes, or waits, is in a sum that an exercise can set a limit to.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checks/costs.hpp"
#include "observers/traffic/counters.hpp"

namespace {

using course::exercise::Counter;
using course::exercise::detail::value_of;
using emulator::Traffic;
using emulator::traffic::AccessCounters;
using emulator::traffic::AccessKind;
using Counters = std::vector<Counter>;

constexpr unsigned most_kinds = 16;  // four bits

const Counters all_counters{Counter::global_load_requests,
                            Counter::global_load_sectors,
                            Counter::global_store_requests,
                            Counter::global_store_sectors,
                            Counter::global_atomic_requests,
                            Counter::global_atomic_sectors,
                            Counter::shared_load_instructions,
                            Counter::shared_store_instructions,
                            Counter::shared_wavefronts,
                            Counter::shared_bank_conflicts,
                            Counter::barriers};

/// The sums that one such access is in.
/// @param size as it is kept with the access
Counters sums_of(AccessKind kind, unsigned size) {
  switch (kind) {
    case AccessKind::global_load:
      return {Counter::global_load_requests, Counter::global_load_sectors};
    case AccessKind::global_store:
      return {Counter::global_store_requests, Counter::global_store_sectors};
    case AccessKind::global_atomic:
      return {Counter::global_load_requests,   Counter::global_load_sectors,
              Counter::global_store_requests,  Counter::global_store_sectors,
              Counter::global_atomic_requests, Counter::global_atomic_sectors};
    case AccessKind::shared_load:
      return {Counter::shared_load_instructions, Counter::shared_wavefronts,
              Counter::shared_bank_conflicts};
    case AccessKind::shared_store:
      return {Counter::shared_store_instructions, Counter::shared_wavefronts,
              Counter::shared_bank_conflicts};
    case AccessKind::shared_atomic:
      return {Counter::shared_load_instructions, Counter::shared_store_instructions,
              Counter::shared_wavefronts, Counter::shared_bank_conflicts};
    case AccessKind::bulk_copy:
      if (size == 1) {
        return {Counter::global_load_requests, Counter::global_load_sectors,
                Counter::shared_wavefronts};
      }
      return {Counter::global_store_requests, Counter::global_store_sectors,
              Counter::shared_wavefronts};
    case AccessKind::barrier:
      return {Counter::barriers};
    // The copy is a load from global memory besides.
    case AccessKind::copy_begins:
      return {Counter::shared_wavefronts, Counter::shared_bank_conflicts};
    case AccessKind::copy_ends:
    // What comes to constant memory is held by expect_copied_at_most().
    case AccessKind::constant_load:
    // Memory that the witness, or the checks, let nobody touch.
    case AccessKind::foreign_load:
    case AccessKind::foreign_store:
    // These move nothing.
    case AccessKind::code_block:
    case AccessKind::fence:
    case AccessKind::async_event:
      return {};
  }
  FAIL("a kind of access of which this test knows nothing");
  return {};
}

AccessCounters one_access(AccessKind kind, unsigned size) {
  AccessCounters access;
  access.what = static_cast<std::uint64_t>(kind) << 8 | size;
  access.requests = access.active_lanes = 1;
  access.sectors = access.ideal_sectors = 1;
  access.bytes = 32;
  access.wavefronts = 2;
  access.lane_groups = 1;
  access.atomics.instructions = access.atomics.wavefronts = access.atomics.bank_conflicts = 1;
  return access;
}

}  // namespace

TEST_CASE("each kind of access is in the sums of what it does") {
  for (unsigned number = 0; number < most_kinds; ++number) {
    for (const unsigned size : {0U, 1U, 2U, 16U}) {
      const auto kind = static_cast<AccessKind>(number);
      const Counters wanted = sums_of(kind, size);
      const Traffic traffic = one_access(kind, size).traffic();
      for (const Counter counter : wanted) {
        CAPTURE(number);
        CAPTURE(size);
        CAPTURE(std::string(course::exercise::in_words(counter)));
        CHECK(value_of(traffic, counter) > 0);
      }
      if (wanted.empty()) continue;
      // No sum has what does not belong to it.
      for (const Counter counter : all_counters) {
        if (std::find(wanted.begin(), wanted.end(), counter) != wanted.end()) continue;
        CAPTURE(number);
        CAPTURE(std::string(course::exercise::in_words(counter)));
        CHECK(value_of(traffic, counter) == 0);
      }
    }
  }
}

TEST_CASE("each counter of the emulator's is in a sum, but for those that say how well it went") {
  for (const emulator::traffic::TrafficField& field : emulator::traffic::traffic_fields) {
    const std::string_view name = field.name;
    if (name.ends_with("_ideal_sectors") || name.starts_with("code_block")) continue;
    // Bytes are counted as sectors, also those of another device's memory.
    if (name.starts_with("global_") && name.ends_with("_bytes")) continue;
    if (name.starts_with("peer_")) continue;
    Traffic traffic;
    traffic.*field.member = 1;
    CAPTURE(name);
    CHECK(std::any_of(all_counters.begin(), all_counters.end(),
                      [&](Counter counter) { return value_of(traffic, counter) > 0; }));
  }
}
