#pragma once
#pragma GCC system_header
/// \file
/// Copies between the host's memory and the device's, counted as a program asks for them: for
/// programs that want to know whether theirs overlap with anything.

#include <cstdint>

namespace emulator {

/// How many calls copied between host and device, and how many bytes, by the kind of the host's
/// memory. Pageable memory the driver copies by way of a buffer of its own, and the host waits.
struct HostCopies {
  std::uint64_t pinned = 0;
  std::uint64_t pageable = 0;
  std::uint64_t pinned_bytes = 0;
  std::uint64_t pageable_bytes = 0;
  /// The most copies of pinned memory that were on their way at the same time: issued, and not
  /// done. Means something in the late order only, as copies end there only when somebody waits.
  std::uint64_t most_on_their_way = 0;

  HostCopies& operator+=(const HostCopies& other);
};

/// Counts from now on, beginning with 0; or no more. While it counts nothing goes straight through
/// the streams. To be called while no other thread uses them.
void count_host_copies(bool on);

/// Whether they are counted.
bool host_copies_are_counted();

/// What was counted since.
HostCopies host_copies();

}  // namespace emulator
