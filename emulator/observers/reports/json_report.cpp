#include "observers/reports/json_report.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "emulator/findings.h"
#include "events/findings.hpp"
#include "observers/traffic/atomics.hpp"
#include "observers/traffic/banks.hpp"
#include "observers/traffic/counters.hpp"

#include "observers/reports/kernel_traffic.hpp"

namespace emulator::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema_version = 2;

Json extent_json(const dim3& size) {
  return {size.x, size.y, size.z};
}

void put_traffic(Json& json, const Traffic& traffic) {
  const bool has_bulk_copies = traffic.bulk_load_copies != 0 || traffic.bulk_store_copies != 0;
  for (const TrafficField& field : traffic_fields) {
    const bool is_bulk = std::string_view(field.name).starts_with("bulk_");
    if (is_bulk && !has_bulk_copies) continue;
    const bool is_rare = field.member == &Traffic::block_waits ||
                         std::string_view(field.name).starts_with("async_") ||
                         std::string_view(field.name).starts_with("peer_");
    if (is_rare && traffic.*field.member == 0) continue;
    json[field.name] = traffic.*field.member;
  }
}

// The lanes that are served together, and how many words they want of each bank. Of loads and
// stores this says what they take, of atomics it is the lanes that count.
Json groups_json(const InstructionTraffic& instruction) {
  const bool is_atomic = instruction.kind == InstructionKind::shared_atomic;
  const SharedRequest request = request_of(instruction);
  const LaneGroups groups = is_atomic ? atomic_groups(request) : groups_served(request);
  Json json = Json::array();
  for (const std::uint32_t group : groups) {
    if (group == 0) break;
    Json lanes = Json::array();
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((group >> lane & 1U) != 0) lanes.push_back(lane);
    }
    const std::array<unsigned, bank_count> words = words_by_bank(request, group);
    Json entry = {{"lanes", std::move(lanes)}, {"words_by_bank", words}};
    if (is_atomic) {
      entry["lanes_by_bank"] = lanes_by_bank(request, group);
    } else {
      entry["wavefronts"] = *std::max_element(words.begin(), words.end());
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Json example(const InstructionTraffic& instruction, bool is_shared) {
  const ExampleAccess& access = instruction.example;
  Json json = {{"block", extent_json(access.block)}, {"warp", access.warp}};
  if (is_shared) {
    json["wavefronts"] = access.wavefronts;
    json["ideal_wavefronts"] = access.lane_groups;
    json["groups"] = groups_json(instruction);
  } else {
    json["sectors"] = access.sectors;
    json["ideal_sectors"] = access.ideal_sectors;
  }
  Json lanes = Json::array();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool takes_part = (access.active >> lane & 1U) != 0;
    lanes.push_back(takes_part ? Json(access.offset[lane]) : Json());
  }
  json["lanes"] = std::move(lanes);
  return json;
}

Json instruction_json(const InstructionTraffic& instruction) {
  const InstructionKind kind = instruction.kind;
  const bool is_shared = kind >= InstructionKind::shared_load;
  const bool is_atomic =
      kind == InstructionKind::global_atomic || kind == InstructionKind::shared_atomic;
  Json json = {{"kind", name_of(kind)},
               {"bytes_a_lane", instruction.bytes_a_lane},
               {"requests", instruction.requests},
               {"active_lanes", instruction.active_lanes}};
  if (is_atomic) json["form"] = name_of(static_cast<AtomicForm>(instruction.atomic_form));
  if (!is_shared) {
    json["sectors"] = instruction.sectors;
    json["ideal_sectors"] = instruction.ideal_sectors;
    json["bytes"] = instruction.bytes;
  } else {
    json["wavefronts"] = instruction.wavefronts;
    json["bank_conflicts"] = instruction.bank_conflicts;
  }
  json["example"] = example(instruction, is_shared);
  return json;
}

Json line_json(const LineTraffic& line) {
  Json json = {{"file", line.file}, {"line", line.line}};
  put_traffic(json, line.traffic);
  Json instructions = Json::array();
  for (const InstructionTraffic& instruction : line.instructions) {
    if (instruction.bytes_a_lane == 0) continue;  // bulk copies, which have no lanes
    instructions.push_back(instruction_json(instruction));
  }
  json["instructions"] = std::move(instructions);
  return json;
}

// Names come from the program's debug information, which may hold any bytes.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A path that is not known is written as it is for lines with traffic.
std::string known(const std::string& file) {
  return file.empty() ? "?" : file;
}

Json finding_json(const Finding& finding) {
  Json others = Json::array();
  for (const FindingPlace& other : finding.others) {
    others.push_back({{"file", known(other.file)}, {"line", other.line}, {"event", other.event}});
  }
  Json memory;
  if (!finding.memory.empty()) {
    memory = {{"description", finding.memory},
              {"bytes", finding.bytes},
              {"offset", finding.offset},
              {"access_bytes", finding.access_bytes}};
  }
  return {{"severity", name_of(finding.severity)},
          {"kind", finding.kind},
          {"what", finding.what},
          {"remedy", finding.remedy},
          {"kernel", finding.kernel.empty() ? Json() : Json(finding.kernel)},
          {"file", known(finding.place.file)},
          {"line", finding.place.line},
          {"event", finding.place.event},
          {"others", std::move(others)},
          {"block", finding.in_kernel ? extent_json(finding.block) : Json()},
          {"thread", finding.in_kernel ? extent_json(finding.thread) : Json()},
          {"memory", std::move(memory)},
          {"times", finding.times}};
}

// All that comes after the kernels.
std::string end_of_report() {
  std::string text = "\n],\n\"findings\": [";
  const char* separator = "\n";
  for (const Finding& finding : findings_so_far()) {
    text += separator + text_of(finding_json(finding));
    separator = ",\n";
  }
  return text + "\n]}\n";
}

// The kernel's name as written at the launch. Where that was not a kernel's name, a pointer to one
// for example, the name of what was launched.
std::string base_name(const std::string& written, const std::string& instance) {
  const std::string base = instance.substr(0, instance.find('<'));
  return written.ends_with(base) ? written : base;
}

// One row for the launch, then one for each of its lines.
std::string launch_text(const LaunchRecord& launch) {
  const std::string name = instance(launch);
  Json json = {{"kernel", base_name(launch.kernel, name)},
               {"instance", name},
               {"grid", extent_json(launch.grid)},
               {"block", extent_json(launch.block)},
               {"error", launch.error.empty() ? Json() : Json(launch.error)}};
  put_traffic(json, launch.traffic);
  std::string text = text_of(json);
  text.back() = ',';
  text += "\"lines\": [";
  const char* separator = "\n  ";
  for (const LineTraffic& line : lines(launch)) {
    text += separator + text_of(line_json(line));
    separator = ",\n  ";
  }
  return text + "]}";
}

}  // namespace

Report::Report(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "we")) {
  if (file_ == nullptr) {
    std::fprintf(stderr, "emulator: error: cannot write EMULATOR_REPORT=%s: %s\n", path.c_str(),
                 std::strerror(errno));
    std::_Exit(2);  // nothing has run yet; destructors would find half a program
  }
  const Json program = program_invocation_short_name;
  write("{\"schema_version\": " + std::to_string(schema_version) +
        ", \"program\": " + text_of(program) + ", \"kernels\": [");
}

Report::~Report() {
  std::fclose(file_);
}

void Report::add(const LaunchRecord& launch) {
  std::fseek(file_, end_of_kernels_, SEEK_SET);
  write((first_ ? "\n" : ",\n") + launch_text(launch));
  first_ = false;
}

void Report::update_findings() {
  std::fseek(file_, end_of_kernels_, SEEK_SET);
  write("");
}

// Writes text and, after it, the end of the report, which the next text goes over.
void Report::write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), file_);
  end_of_kernels_ = std::ftell(file_);
  std::fputs(end_of_report().c_str(), file_);
  // Findings may have been cleared. Blanks over what was there before do not harm JSON.
  long end = std::ftell(file_);
  for (; end < end_; ++end) std::fputc(' ', file_);
  end_ = end;
  if (std::fflush(file_) == 0) return;
  std::fprintf(stderr, "emulator: error: cannot write EMULATOR_REPORT=%s: %s\n", path_.c_str(),
               std::strerror(errno));
  std::_Exit(2);
}

}  // namespace emulator::reports
