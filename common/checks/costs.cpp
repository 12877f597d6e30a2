// Which line of a student's kernel costs most, in words. Only the emulator knows.

#include "checks/costs.hpp"

namespace course::exercise {

const char* in_words(Counter counter) {
  switch (counter) {
    case Counter::global_load_requests:
      return "load requests to global memory";
    case Counter::global_load_sectors:
      return "sectors loaded from global memory";
    case Counter::global_store_requests:
      return "store requests to global memory";
    case Counter::global_store_sectors:
      return "sectors stored to global memory";
    case Counter::global_atomic_requests:
      return "atomic requests to global memory";
    case Counter::global_atomic_sectors:
      return "atomic operations on global memory, lane by lane";
    case Counter::shared_load_instructions:
      return "load instructions on shared memory";
    case Counter::shared_store_instructions:
      return "store instructions on shared memory";
    case Counter::shared_wavefronts:
      return "wavefronts of shared memory";
    case Counter::shared_bank_conflicts:
      return "bank conflicts in shared memory";
    case Counter::barriers:
      return "arrivals of a warp at a barrier";
  }
  return "?";
}

}  // namespace course::exercise

#ifdef CUDA_EMULATOR

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <utility>

namespace course::exercise::detail {
namespace {

/// With one digit after the point.
std::string tenths(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string exercise_id() {
  return exercise_name().substr(0, exercise_name().find('_'));
}

std::string source_line(const std::string& path, int wanted) {
  std::ifstream file(path);
  std::string line;
  for (int k = 0; k < wanted; ++k) {
    if (!std::getline(file, line)) return "";
  }
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? "" : line.substr(first);
}

/// A line of the student's, and what it asked for in all launches.
struct Place {
  std::uint64_t value = 0;   ///< of the counter in question
  std::uint64_t excess = 0;  ///< of these, the sectors beyond what would hold what was asked for
  emulator::Traffic traffic;
  std::uint64_t in_one_launch = 0;                         ///< the value in the launch ...
  std::vector<emulator::InstructionTraffic> instructions;  ///< ... whose instructions these are
};

std::uint64_t excess_of(const emulator::Traffic& traffic, Counter counter) {
  if (counter == Counter::global_load_sectors) {
    return traffic.global_load_sectors - traffic.global_load_ideal_sectors;
  }
  if (counter == Counter::global_store_sectors) {
    return traffic.global_store_sectors - traffic.global_store_ideal_sectors;
  }
  return 0;
}

/// Bulk copies, which have no lanes, cannot be drawn.
bool has_lanes(const emulator::InstructionTraffic& one) {
  return one.bytes_a_lane != 0;
}

/// "--instruction 2", where the line has several: the option by which `course picture` finds the
/// dearest one.
std::string picture_options(const Place& place, Counter counter) {
  const std::vector<emulator::InstructionTraffic>& all = place.instructions;
  if (all.size() < 2) return "";
  const auto cost = [&](const emulator::InstructionTraffic& one) -> std::uint64_t {
    using Kind = emulator::InstructionKind;
    const bool is_atomic = one.kind == Kind::global_atomic || one.kind == Kind::shared_atomic;
    const bool is_shared = one.kind == Kind::shared_load || one.kind == Kind::shared_store ||
                           one.kind == Kind::shared_atomic;
    const bool is_global = !is_shared;
    const bool loads = is_atomic || one.kind == Kind::global_load || one.kind == Kind::shared_load;
    const bool stores = is_atomic || !loads;
    if (!has_lanes(one)) return 0;
    switch (counter) {
      case Counter::global_load_requests:
        return is_global && loads ? one.requests : 0;
      case Counter::global_load_sectors:
        return is_global && loads ? one.sectors : 0;
      case Counter::global_store_requests:
        return is_global && stores ? one.requests : 0;
      case Counter::global_store_sectors:
        return is_global && stores ? one.sectors : 0;
      case Counter::global_atomic_requests:
        return one.kind == Kind::global_atomic ? one.requests : 0;
      case Counter::global_atomic_sectors:
        return one.kind == Kind::global_atomic ? one.sectors : 0;
      case Counter::shared_load_instructions:
        return is_shared && loads ? one.requests : 0;
      case Counter::shared_store_instructions:
        return is_shared && stores ? one.requests : 0;
      case Counter::shared_wavefronts:
        return is_shared ? one.wavefronts : 0;
      case Counter::shared_bank_conflicts:
        return is_shared ? one.bank_conflicts : 0;
      case Counter::barriers:
        break;
    }
    return 0;
  };
  const auto most = std::max_element(
      all.begin(), all.end(), [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  return " --instruction " + std::to_string(most - all.begin() + 1);
}

/// "640 requests of 32.0 sectors each; 4.0 would hold what they ask for".
std::string sectors_in_words(std::uint64_t requests, std::uint64_t sectors, std::uint64_t ideal) {
  if (requests == 0) return "";
  const auto mean = [&](std::uint64_t count) {
    return tenths(static_cast<double>(count) / static_cast<double>(requests));
  };
  return ": " + grouped(requests) + " requests of " + mean(sectors) + " sectors each; " +
         mean(ideal) + " would hold what they ask for";
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t k = text.size(); k > 3; k -= 3) text.insert(k - 3, 1, ' ');
  return text;
}

namespace {

/// As many requests as would move what bulk copies move, by 16 bytes per lane; at least one per
/// copy.
std::uint64_t bulk_requests(std::uint64_t copies, std::uint64_t bytes) {
  return std::max(copies, (bytes + 511) / 512);
}

}  // namespace

// Traffic is traffic, by whatever instruction. An atomic operation loads and stores, so that it
// counts as either; a bulk copy counts as the requests that it saves, and, in shared memory, as the
// wavefronts. Its shared side is not an instruction of a thread's, nor is that of an asynchronous
// copy; but what the latter writes takes the wavefronts and finds the bank conflicts of a store.
std::uint64_t value_of(const emulator::Traffic& traffic, Counter counter) {
  switch (counter) {
    case Counter::global_load_requests:
      return traffic.global_load_requests + traffic.global_atomic_requests +
             bulk_requests(traffic.bulk_load_copies, traffic.bulk_load_bytes);
    case Counter::global_load_sectors:
      return traffic.global_load_sectors + traffic.global_atomic_sectors +
             traffic.bulk_load_sectors;
    case Counter::global_store_requests:
      return traffic.global_store_requests + traffic.global_atomic_requests +
             bulk_requests(traffic.bulk_store_copies, traffic.bulk_store_bytes);
    case Counter::global_store_sectors:
      return traffic.global_store_sectors + traffic.global_atomic_sectors +
             traffic.bulk_store_sectors;
    case Counter::global_atomic_requests:
      return traffic.global_atomic_requests;
    case Counter::global_atomic_sectors:
      return traffic.global_atomic_sectors;
    case Counter::shared_load_instructions:
      return traffic.shared_load_instructions + traffic.shared_atomic_instructions;
    case Counter::shared_store_instructions:
      return traffic.shared_store_instructions + traffic.shared_atomic_instructions;
    case Counter::shared_wavefronts:
      return traffic.shared_load_wavefronts + traffic.shared_store_wavefronts +
             traffic.shared_atomic_wavefronts + traffic.async_copy_wavefronts +
             (traffic.bulk_load_bytes + traffic.bulk_store_bytes + 127) / 128;
    case Counter::shared_bank_conflicts:
      return traffic.shared_load_bank_conflicts + traffic.shared_store_bank_conflicts +
             traffic.shared_atomic_bank_conflicts + traffic.async_copy_bank_conflicts;
    case Counter::barriers:
      return traffic.barriers + traffic.block_waits;
  }
  return 0;
}

std::string dearest_line(const Run& run, Counter counter) {
  std::map<std::pair<std::string, int>, Place> places;
  for (const emulator::LaunchRecord& launch : run.launches().records) {
    for (const emulator::LineTraffic& line : emulator::lines(launch)) {
      Place& place = places[{line.file, line.line}];
      const std::uint64_t value = value_of(line.traffic, counter);
      place.value += value;
      place.excess += excess_of(line.traffic, counter);
      place.traffic += line.traffic;
      if (value >= place.in_one_launch) {
        place.in_one_launch = value;
        place.instructions = line.instructions;
      }
    }
  }
  const auto most =
      std::max_element(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.excess, a.second.value) <
               std::pair(b.second.excess, b.second.value);
      });
  if (most == places.end() || most->second.value == 0 || most->first.second == 0) return "";
  const auto& [path, number] = most->first;
  const Place& place = most->second;
  const emulator::Traffic& traffic = place.traffic;
  std::string text = "the line that costs most: " + path.substr(path.find_last_of('/') + 1) + ":" +
                     std::to_string(number) + "   " + source_line(path, number) + "\n  " +
                     grouped(place.value) + " " + in_words(counter);
  if (counter == Counter::global_load_sectors) {
    text += sectors_in_words(traffic.global_load_requests, traffic.global_load_sectors,
                             traffic.global_load_ideal_sectors);
  }
  if (counter == Counter::global_store_sectors) {
    text += sectors_in_words(traffic.global_store_requests, traffic.global_store_sectors,
                             traffic.global_store_ideal_sectors);
  }
  if (counter == Counter::barriers ||
      std::none_of(place.instructions.begin(), place.instructions.end(), has_lanes)) {
    return text;
  }
  return text + "\n  draw it: ./course picture " + exercise_id() + " --line " +
         std::to_string(number) + picture_options(place, counter);
}

}  // namespace course::exercise::detail

#endif
