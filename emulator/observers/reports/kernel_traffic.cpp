#include "observers/reports/kernel_traffic.hpp"

#include <algorithm>
#include <tuple>

#include "observers/traffic/counters.hpp"

namespace emulator::reports {
namespace {

bool same_extent(const dim3& a, const dim3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

void add_line(LineTraffic& to, const LineTraffic& from) {
  to.traffic += from.traffic;
  for (const SourceCall& call : from.calls) {
    if (std::find(to.calls.begin(), to.calls.end(), call) == to.calls.end()) {
      to.calls.push_back(call);
    }
  }
  // Both are in the order of the machine code, but either may lack what its launch did not execute.
  auto place = to.instructions.begin();
  for (const InstructionTraffic& instruction : from.instructions) {
    const auto same = std::find_if(place, to.instructions.end(), [&](const auto& candidate) {
      return candidate.kind == instruction.kind &&
             candidate.bytes_a_lane == instruction.bytes_a_lane &&
             candidate.atomic_form == instruction.atomic_form;
    });
    if (same != to.instructions.end()) {
      add(*same, instruction);
      if (excess_of(instruction.example) > excess_of(same->example)) {
        same->example = instruction.example;
      }
      place = same + 1;
    } else {
      place = to.instructions.insert(place, instruction) + 1;
    }
  }
}

// Both in order of file and line.
void add_lines(std::vector<LineTraffic>& to, std::vector<LineTraffic> from) {
  const auto key = [](const LineTraffic& line) { return std::tie(line.file, line.line); };
  auto place = to.begin();
  for (LineTraffic& line : from) {
    place = std::lower_bound(place, to.end(), line,
                             [&](const auto& a, const auto& b) { return key(a) < key(b); });
    if (place != to.end() && key(*place) == key(line)) {
      add_line(*place, line);
    } else {
      place = to.insert(place, std::move(line));
    }
  }
}

// Whether every launch of both records caused the same traffic.
bool same_traffic(const LaunchRecord& a, const LaunchRecord& b) {
  return a.alike && b.alike &&
         std::all_of(traffic_fields.begin(), traffic_fields.end(), [&](const TrafficField& field) {
           return a.traffic.*field.member * b.launches == b.traffic.*field.member * a.launches;
         });
}

// All counts of the kernel and its lines.
std::vector<std::uint64_t*> counts(KernelTraffic& kernel) {
  std::vector<std::uint64_t*> all;
  const auto add_all = [&](Traffic& traffic) {
    for (const TrafficField& field : traffic_fields) all.push_back(&(traffic.*field.member));
  };
  add_all(kernel.traffic);
  for (LineTraffic& line : kernel.lines) {
    add_all(line.traffic);
    for (InstructionTraffic& i : line.instructions) {
      all.insert(all.end(), {&i.requests, &i.sectors, &i.ideal_sectors, &i.bytes, &i.wavefronts,
                             &i.bank_conflicts, &i.active_lanes});
    }
  }
  return all;
}

// From the sum over launches to one of them. False, and nothing done, if they differed after all:
// in lines, or in what the kernel's own counts do not say.
bool divide(KernelTraffic& kernel, std::uint64_t launches) {
  const std::vector<std::uint64_t*> all = counts(kernel);
  const bool even = std::all_of(all.begin(), all.end(),
                                [&](const std::uint64_t* count) { return *count % launches == 0; });
  if (even) {
    for (std::uint64_t* count : all) *count /= launches;
  }
  return even;
}

}  // namespace

std::vector<KernelTraffic> group(
    const std::vector<LaunchRecord>& launches,
    const std::function<std::string(const LaunchRecord&)>& instance_of,
    const std::function<std::vector<LineTraffic>(const LaunchRecord&)>& lines_of) {
  std::vector<KernelTraffic> groups;
  std::vector<std::vector<const LaunchRecord*>> members;
  for (const LaunchRecord& launch : launches) {
    const std::string instance = instance_of(launch);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const KernelTraffic& other) {
      return other.instance == instance && other.error == launch.error &&
             same_extent(other.grid, launch.grid) && same_extent(other.block, launch.block);
    });
    if (same != groups.end()) {
      members[static_cast<std::size_t>(same - groups.begin())].push_back(&launch);
      continue;
    }
    KernelTraffic& kernel = groups.emplace_back();
    kernel.kernel = launch.kernel;
    kernel.instance = instance;
    kernel.grid = launch.grid;
    kernel.block = launch.block;
    kernel.error = launch.error;
    members.push_back({&launch});
  }

  for (std::size_t i = 0; i < groups.size(); ++i) {
    KernelTraffic& kernel = groups[i];
    const LaunchRecord& first = *members[i].front();
    kernel.launches = 0;
    for (const LaunchRecord* launch : members[i]) kernel.launches += launch->launches;
    kernel.traffic = first.traffic;
    kernel.lines = lines_of(first);
    kernel.of_one_launch =
        std::all_of(members[i].begin(), members[i].end(),
                    [&](const LaunchRecord* launch) { return same_traffic(first, *launch); });
    if (kernel.of_one_launch && first.launches > 1) {
      kernel.of_one_launch = divide(kernel, first.launches);
    }
    if (kernel.of_one_launch) continue;
    for (std::size_t j = 1; j < members[i].size(); ++j) {
      kernel.traffic += members[i][j]->traffic;
      add_lines(kernel.lines, lines_of(*members[i][j]));
    }
  }
  return groups;
}

void add(InstructionTraffic& to, const InstructionTraffic& from) {
  to.requests += from.requests;
  to.sectors += from.sectors;
  to.ideal_sectors += from.ideal_sectors;
  to.bytes += from.bytes;
  to.wavefronts += from.wavefronts;
  to.bank_conflicts += from.bank_conflicts;
  to.active_lanes += from.active_lanes;
}

bool is_shared(InstructionKind kind) {
  return kind == InstructionKind::shared_load || kind == InstructionKind::shared_store ||
         kind == InstructionKind::shared_atomic;
}

bool is_atomic(InstructionKind kind) {
  return kind == InstructionKind::global_atomic || kind == InstructionKind::shared_atomic;
}

unsigned excess_of(const ExampleAccess& example) {
  return example.sectors - std::min(example.sectors, example.ideal_sectors) +
         (example.wavefronts - std::min(example.wavefronts, example.lane_groups));
}

SharedRequest request_of(const InstructionTraffic& instruction) {
  SharedRequest request;
  request.address = instruction.example.offset;
  request.active = instruction.example.active;
  request.bytes = instruction.bytes_a_lane;
  request.is_store = instruction.kind == InstructionKind::shared_store;
  // Only rows of ldmatrix are served in more groups than other loads of their addresses.
  request.is_matrix = instruction.kind == InstructionKind::shared_load &&
                      count_wavefronts(request).groups < instruction.example.lane_groups;
  return request;
}

std::uint64_t excess(const InstructionTraffic& instruction) {
  switch (instruction.kind) {
    case InstructionKind::global_load:
    case InstructionKind::global_store:
    case InstructionKind::global_atomic:
    case InstructionKind::bulk_load:
    case InstructionKind::bulk_store:
      return instruction.sectors - std::min(instruction.sectors, instruction.ideal_sectors);
    case InstructionKind::shared_load:
    case InstructionKind::shared_store:
    case InstructionKind::shared_atomic:
      break;
  }
  return instruction.bank_conflicts;
}

std::uint64_t whole_traffic(const Traffic& traffic, bool shared) {
  if (shared) {
    return traffic.shared_load_wavefronts + traffic.shared_store_wavefronts +
           traffic.shared_atomic_wavefronts;
  }
  return traffic.global_load_sectors + traffic.global_store_sectors +
         traffic.global_atomic_sectors + traffic.bulk_load_sectors + traffic.bulk_store_sectors;
}

bool is_share(std::uint64_t excess, std::uint64_t whole, unsigned percent) {
  return excess > 0 && static_cast<double>(excess) * 100 >= static_cast<double>(whole) * percent;
}

std::uint64_t line_excess(const LineTraffic& line, bool shared) {
  std::uint64_t sum = 0;
  for (const InstructionTraffic& instruction : line.instructions) {
    if (is_shared(instruction.kind) == shared) sum += excess(instruction);
  }
  return sum;
}

bool is_marked(const LineTraffic& line, const Traffic& kernel, bool shared) {
  return is_share(line_excess(line, shared), whole_traffic(kernel, shared), marked_percent);
}

}  // namespace emulator::reports
