/// \file
/// From counters of places in the machine code to the traffic of the source's lines.

#include <algorithm>
#include <map>
#include <utility>

#include "base/source_places.hpp"
#include "observers/traffic/counters.hpp"

namespace emulator {
namespace reports {

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
    std::string name =
        reports::instance_among(launch.kernel, reports::place_of(access.pc).functions);
    if (!name.empty()) return name;
  }
  // What was launched is not a kernel's name but a pointer to one, say: the function it led to,
  // where the code begins. Before it arguments may have been converted.
  for (const std::uint64_t pc : launch.counters->first_places) {
    const std::vector<std::string>& functions = reports::place_of(pc).functions;
    if (functions.empty() || functions.back().find("operator ") != std::string::npos) continue;
    return reports::plain_name(functions.back());
  }
  return launch.kernel;
}

}  // namespace emulator
