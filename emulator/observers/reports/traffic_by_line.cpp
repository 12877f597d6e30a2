/// \file
/// From counters of places in the machine code to the traffic of the source's lines.

#include <algorithm>
#include <map>
#include <utility>

#include "observers/traffic/counters.hpp"
#include "base/source_places.hpp"

namespace emulator {
namespace reports {

const std::array<TrafficField, 32> traffic_fields = {{
    {"global_load_requests", &Traffic::global_load_requests},
    {"global_load_sectors", &Traffic::global_load_sectors},
    {"global_load_ideal_sectors", &Traffic::global_load_ideal_sectors},
    {"global_load_bytes", &Traffic::global_load_bytes},
    {"global_store_requests", &Traffic::global_store_requests},
    {"global_store_sectors", &Traffic::global_store_sectors},
    {"global_store_ideal_sectors", &Traffic::global_store_ideal_sectors},
    {"global_store_bytes", &Traffic::global_store_bytes},
    {"global_atomic_requests", &Traffic::global_atomic_requests},
    {"global_atomic_sectors", &Traffic::global_atomic_sectors},
    {"global_atomic_ideal_sectors", &Traffic::global_atomic_ideal_sectors},
    {"global_atomic_bytes", &Traffic::global_atomic_bytes},
    {"shared_load_instructions", &Traffic::shared_load_instructions},
    {"shared_load_wavefronts", &Traffic::shared_load_wavefronts},
    {"shared_load_bank_conflicts", &Traffic::shared_load_bank_conflicts},
    {"shared_store_instructions", &Traffic::shared_store_instructions},
    {"shared_store_wavefronts", &Traffic::shared_store_wavefronts},
    {"shared_store_bank_conflicts", &Traffic::shared_store_bank_conflicts},
    {"shared_atomic_instructions", &Traffic::shared_atomic_instructions},
    {"shared_atomic_wavefronts", &Traffic::shared_atomic_wavefronts},
    {"shared_atomic_bank_conflicts", &Traffic::shared_atomic_bank_conflicts},
    {"code_blocks", &Traffic::code_blocks},
    {"code_block_lanes", &Traffic::code_block_lanes},
    {"barriers", &Traffic::barriers},
    {"bulk_load_copies", &Traffic::bulk_load_copies},
    {"bulk_load_sectors", &Traffic::bulk_load_sectors},
    {"bulk_load_ideal_sectors", &Traffic::bulk_load_ideal_sectors},
    {"bulk_load_bytes", &Traffic::bulk_load_bytes},
    {"bulk_store_copies", &Traffic::bulk_store_copies},
    {"bulk_store_sectors", &Traffic::bulk_store_sectors},
    {"bulk_store_ideal_sectors", &Traffic::bulk_store_ideal_sectors},
    {"bulk_store_bytes", &Traffic::bulk_store_bytes},
}};
static_assert(sizeof(Traffic) == traffic_fields.size() * sizeof(std::uint64_t),
              "a field of Traffic is missing in the table");

namespace {

InstructionTraffic instruction_of(const AccessCounters& access) {
  InstructionTraffic instruction;
  const bool is_bulk = access.kind() == AccessKind::bulk_copy;
  instruction.kind = !is_bulk              ? static_cast<InstructionKind>(access.kind())
                     : access.is_bulk_in() ? InstructionKind::bulk_load
                                           : InstructionKind::bulk_store;
  instruction.bytes_a_lane = is_bulk ? 0 : access.bytes_a_lane();
  instruction.requests = access.requests;
  instruction.active_lanes = access.active_lanes;
  instruction.sectors = access.sectors;
  instruction.ideal_sectors = access.ideal_sectors;
  instruction.bytes = access.bytes;
  instruction.wavefronts = access.wavefronts;
  instruction.bank_conflicts = access.wavefronts - access.lane_groups;
  if (Access::is_atomic_operation(access.what)) {
    instruction.atomic_form = Access::form_of(access.what);
  }
  instruction.example = access.example;
  return instruction;
}

}  // namespace
}  // namespace reports

const char* name_of(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::global_load:
      return "global_load";
    case InstructionKind::global_store:
      return "global_store";
    case InstructionKind::global_atomic:
      return "global_atomic";
    case InstructionKind::shared_load:
      return "shared_load";
    case InstructionKind::shared_store:
      return "shared_store";
    case InstructionKind::shared_atomic:
      return "shared_atomic";
    case InstructionKind::bulk_load:
      return "bulk_load";
    case InstructionKind::bulk_store:
      return "bulk_store";
  }
  return "?";
}

Traffic& Traffic::operator+=(const Traffic& other) {
  for (const reports::TrafficField& field : reports::traffic_fields) {
    this->*field.member += other.*field.member;
  }
  return *this;
}

std::vector<LineTraffic> lines(const LaunchRecord& launch) {
  std::map<std::pair<std::string, int>, LineTraffic> lines;
  if (launch.counters == nullptr) return {};
  for (const reports::AccessCounters& access : launch.counters->accesses) {
    const reports::SourcePlace& place = reports::place_of(access.pc);
    LineTraffic& line = lines[{place.file, place.line}];
    line.file = place.file;
    line.line = place.line;
    line.traffic += access.traffic();
    if (access.kind() < reports::AccessKind::code_block ||
        access.kind() == reports::AccessKind::bulk_copy) {
      line.instructions.push_back(reports::instruction_of(access));
      if (access.requests != 0 && !place.callers.empty()) {
        const SourceCall call{place.callers.front().file, place.callers.front().line};
        if (std::find(line.calls.begin(), line.calls.end(), call) == line.calls.end()) {
          line.calls.push_back(call);
        }
      }
    }
  }
  std::vector<LineTraffic> result;
  result.reserve(lines.size());
  for (auto& [place, line] : lines) result.push_back(std::move(line));
  return result;
}

std::string instance(const LaunchRecord& launch) {
  if (launch.counters == nullptr) return launch.kernel;
  for (const reports::AccessCounters& access : launch.counters->accesses) {
    std::string name = reports::instance_among(launch.kernel, reports::place_of(access.pc).functions);
    if (!name.empty()) return name;
  }
  // What was launched is no kernel's name but a pointer to one, say: the function it led to, where
  // the code begins. Before it arguments may have been converted.
  for (const std::uint64_t pc : launch.counters->first_places) {
    const std::vector<std::string>& functions = reports::place_of(pc).functions;
    if (functions.empty() || functions.back().find("operator ") != std::string::npos) continue;
    return reports::plain_name(functions.back());
  }
  return launch.kernel;
}

}  // namespace emulator
