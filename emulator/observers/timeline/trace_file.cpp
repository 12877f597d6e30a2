#include "observers/timeline/trace_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace emulator::timeline {
namespace {

using Json = nlohmann::ordered_json;

// Whole numbers without a point, others to the thousandth: a GPU's clock has nanoseconds.
Json number(double value) {
  const double rounded = std::round(value * 1000) / 1000;
  if (rounded == std::floor(rounded)) return static_cast<std::int64_t>(rounded);
  return rounded;
}

// Names may hold any bytes.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Viewers bind an arrow to what surrounds its end: so it ends within, not at the edge.
double inset(const TraceFile::Item& item) {
  return std::min(0.5, (item.end - item.begin) / 2);
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> units{"B", "KiB", "MiB", "GiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g %s", size, units[unit]);
  return text.data();
}

TraceFile::TraceFile(Unit unit, std::string program) : unit_(unit), program_(std::move(program)) {}

Json TraceFile::event(const char* phase, Lane lane, double at) const {
  return {{"ph", phase}, {"pid", static_cast<int>(lane.of)}, {"tid", lane.row}, {"ts", number(at)}};
}

void TraceFile::name_lane(Lane lane, const std::string& name) {
  lanes_[lane] = name;
}

void TraceFile::add(Lane lane, double begin, double end, const char* category,
                    const std::string& name, Json arguments) {
  Json json = event("X", lane, begin);
  json["dur"] = number(end - begin);
  json["cat"] = category;
  json["name"] = name;
  if (!arguments.is_null()) json["args"] = std::move(arguments);
  events_.push_back(std::move(json));
}

void TraceFile::mark(Lane lane, double at, const char* category, const std::string& name) {
  Json json = event("i", lane, at);
  json["s"] = "t";
  json["cat"] = category;
  json["name"] = name;
  events_.push_back(std::move(json));
}

void TraceFile::arrow(const Item& from, const Item& to) {
  const auto add_end = [this](const char* phase, Lane lane, double at) {
    Json json = event(phase, lane, at);
    json["id"] = arrows_;
    json["cat"] = "waits";
    json["name"] = "waited for";
    if (*phase == 'f') json["bp"] = "e";
    events_.push_back(std::move(json));
  };
  ++arrows_;
  add_end("s", from.lane, from.end - inset(from));
  add_end("f", to.lane, to.is_wait ? to.end - inset(to) : to.begin + inset(to));
}

std::string TraceFile::text(std::uint64_t left_out) const {
  const bool steps = unit_ == Unit::steps;
  Json other = {{"timeline_version", 1},
                {"program", program_},
                {"unit", steps ? "step" : "microsecond"},
                {"axis", steps ? "1 us is 1 step of the emulator, not a time: see "
                                 "docs/emucc.md"
                               : "time on the GPU, by CUPTI"},
                {"left_out", left_out}};
  std::string text =
      "{\"otherData\": " + text_of(other) + ",\n\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [";
  const char* separator = "\n";
  const auto put = [&](const Json& json) {
    text += separator + text_of(json);
    separator = ",\n";
  };
  const std::string axis = steps ? " (1 us: 1 step)" : "";
  const auto name = [&](const char* what, Lane lane, const Json& arguments) {
    put({{"ph", "M"},
         {"pid", static_cast<int>(lane.of)},
         {"tid", lane.row},
         {"name", what},
         {"args", arguments}});
  };
  for (const auto& [of, called] :
       {std::pair{Lane::Of::host, "host"}, {Lane::Of::streams, "streams"}}) {
    name("process_name", {of, 0}, {{"name", called + axis}});
    name("process_sort_index", {of, 0}, {{"sort_index", static_cast<int>(of)}});
  }
  for (const auto& [lane, called] : lanes_) {
    name("thread_name", lane, {{"name", called}});
    name("thread_sort_index", lane, {{"sort_index", lane.row}});
  }
  for (const Json& json : events_) put(json);
  return text + "\n]}\n";
}

}  // namespace emulator::timeline
