#include "results/results_file.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "check.hpp"

namespace course::measure {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json positive_or_null(double value) {
  return value > 0 ? Json(value) : Json(nullptr);
}

const char* layout_name(Shape layout) {
  constexpr const char* names[] = {"row-major", "column-major", "vector"};
  return names[static_cast<int>(layout)];
}

const char* cache_name(Cache cache) {
  return cache == Cache::hot ? "hot" : "cold";
}

Json clocks_json(const ClockSummary& clocks) {
  return {{"samples", clocks.samples},
          {"sm_mhz_median", or_null(clocks.sm_mhz_median)},
          {"sm_mhz_min", or_null(clocks.sm_mhz_min)},
          {"memory_mhz_median", or_null(clocks.memory_mhz_median)},
          {"power_w_max", or_null(clocks.power_w_max)},
          {"temperature_c_max", or_null(clocks.celsius_max)},
          {"throttle_reasons", or_null(clocks.reasons)}};
}

void add_timing(Json& json, const Timing& timing) {
  json["median_ms"] = timing.median_ms;
  json["p10_ms"] = timing.p10_ms;
  json["p90_ms"] = timing.p90_ms;
  json["samples"] = timing.samples;
}

Json device_json(const Machine& machine) {
  return {{"name", machine.device},
          {"compute_capability", std::to_string(machine.compute_capability / 10) + "." +
                                     std::to_string(machine.compute_capability % 10)},
          {"multiprocessors", machine.multiprocessors},
          {"l2_bytes", machine.l2_bytes},
          {"memory_bytes", machine.memory_bytes},
          {"theoretical_gb_per_s", positive_or_null(machine.peak_gb_per_s)},
          {"theoretical_gflop_per_s", positive_or_null(machine.peak_gflop_per_s)},
          {"max_sm_mhz", or_null(machine.max_sm_mhz)}};
}

Json ceiling_json(const CeilingRecord& record) {
  Json json;
  json["gb_per_s"] = positive_or_null(record.gb_per_s);
  json["gflop_per_s"] = positive_or_null(record.gflop_per_s);
  add_timing(json, record.timing);
  json["bytes"] = record.bytes;
  json["operations"] = record.operations;
  json["blocks_per_multiprocessor"] = record.blocks_per_multiprocessor;
  json["clocks"] = clocks_json(record.clocks);
  return json;
}

/// The kernel's bytes a second, or its operations, as a part of what bounds it.
double percent_of_ceiling(const Measurement& measurement, const KernelRecord& record) {
  for (const CeilingRecord& ceiling : measurement.ceilings) {
    if (ceiling.name != record.bound) continue;
    return 100.0 * (ceiling.gb_per_s > 0 ? record.gb_per_s() / ceiling.gb_per_s
                                         : record.gflop_per_s() / ceiling.gflop_per_s);
  }
  throw std::runtime_error(record.kernel + ": its ceiling, " + record.bound + ", was not measured");
}

Json kernel_json(const Measurement& measurement, const KernelRecord& record) {
  if (!record.verified_before || !record.verified_after) {
    throw std::runtime_error(record.chapter + ", " + record.kernel +
                             ": not verified, so not written");
  }
  Json json;
  json["chapter"] = record.chapter;
  json["kernel"] = record.kernel;
  json["layout"] = layout_name(record.layout);
  json["rows"] = record.rows;
  json["cols"] = record.cols;
  if (record.inner > 0) json["inner"] = record.inner;
  if (record.cublas_timing) json["offset"] = record.offset;
  if (record.general) {
    json["lda"] = record.general->lda;
    json["ldb"] = record.general->ldb;
    json["ldc"] = record.general->ldc;
    json["alpha"] = record.general->alpha;
    json["beta"] = record.general->beta;
  }
  json["cache"] = cache_name(record.cache);
  add_timing(json, record.timing);
  json["bytes"] = record.bytes;
  json["operations"] = record.operations;
  if (record.bytes_in_flight) json["bytes_in_flight"] = std::llround(*record.bytes_in_flight);
  json["gb_per_s"] = record.gb_per_s();
  json["gflop_per_s"] = record.gflop_per_s();
  json["bound"] = record.bound;
  json["percent_of_ceiling"] = percent_of_ceiling(measurement, record);
  json["verified_before"] = record.verified_before;
  json["verified_after"] = record.verified_after;
  json["cublas_median_ms"] = or_null(record.cublas_median_ms);
  json["ratio_to_cublas"] = or_null(record.ratio_to_cublas());
  if (record.cublas_timing) {
    json["cublas_p10_ms"] = record.cublas_timing->p10_ms;
    json["cublas_p90_ms"] = record.cublas_timing->p90_ms;
    if (record.cublas_default_wrong) json["cublas_default_wrong"] = *record.cublas_default_wrong;
  }
  if (!record.library.empty()) {
    json["library"] = record.library;
    json["library_median_ms"] = record.library_median_ms;
    json["ratio_to_library"] = record.library_median_ms / record.timing.median_ms;
  }
  json["clocks"] = clocks_json(record.clocks);
  return json;
}

/// In a line, as the scripts write it: emulator/tests/json_rows.py has the form and its reasons.
std::string in_a_line(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, member] : json.items()) {
    if (!text.empty()) text += ", ";
    if (json.is_object()) text += Json(key).dump() + ": ";
    text += in_a_line(member);
  }
  return json.is_object() ? '{' + text + '}' : '[' + text + ']';
}

bool holds_structures(const Json& json) {
  return std::any_of(json.begin(), json.end(), [](const Json& one) { return one.is_structured(); });
}

/// The members of an object or an array, a line each.
template <class Write>
std::string in_lines(const Json& json, const std::string& margin, Write write) {
  std::string text;
  for (const auto& [key, member] : json.items()) {
    text += (text.empty() ? "\n " : ",\n ") + margin;
    text += (json.is_object() ? Json(key).dump() + ": " : "") + write(member);
  }
  return json.is_object() ? '{' + text + '\n' + margin + '}' : '[' + text + '\n' + margin + ']';
}

/// A row a line.
std::string in_rows(const Json& json) {
  return in_lines(json, "",
                  [](const Json& member) {
                    return member.is_structured() && holds_structures(member)
                               ? in_lines(member, " ", in_a_line)
                               : in_a_line(member);
                  }) +
         '\n';
}

/// printf into a string.
template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

}  // namespace

std::string slug(const std::string& device) {
  std::string name;
  for (const char c : device) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "gpu" : name;
}

std::string to_json(const Measurement& measurement) {
  const Machine& machine = measurement.machine;
  Json json;
  json["schema_version"] = 8;
  json["quick"] = measurement.quick;
  json["date"] = measurement.date;
  if (measurement.drawn.shapes > 0) {
    json["drawn"] = {{"shapes", measurement.drawn.shapes}, {"seed", measurement.drawn.seed}};
  }
  json["device"] = device_json(machine);
  json["software"] = {{"driver", or_null(machine.driver)},
                      {"driver_cuda", machine.driver_cuda},
                      {"cuda_runtime", machine.runtime},
                      {"cuda_toolkit", machine.toolkit},
                      {"cublas", machine.cublas}};
  json["ceilings"] = Json::object();
  for (const CeilingRecord& record : measurement.ceilings) {
    json["ceilings"][record.name] = ceiling_json(record);
  }
  json["latency"] = {{"memory_ns", measurement.latency.median_ms},
                     {"p10_ns", measurement.latency.p10_ms},
                     {"p90_ns", measurement.latency.p90_ms},
                     {"samples", measurement.latency.samples}};
  if (measurement.kernels.empty())
    throw std::runtime_error("no kernel was measured: no shape fits in memory");
  json["kernels"] = Json::array();
  for (const KernelRecord& record : measurement.kernels) {
    json["kernels"].push_back(kernel_json(measurement, record));
  }
  return in_rows(json);
}

std::filesystem::path temporary_name(const std::filesystem::path& file) {
  return file.string() + ".part";
}

void write_atomically(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path part = temporary_name(file);
  std::error_code error;
  {
    std::ofstream stream(part, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) {
      std::filesystem::remove(part, error);
      throw std::runtime_error("cannot write " + part.string());
    }
  }
  std::filesystem::rename(part, file, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw std::runtime_error("cannot write " + file.string() + ": " + error.message());
  }
}

std::string shape_text(const KernelRecord& record) {
  const std::string rows = std::to_string(record.rows);
  if (record.layout == Shape::vector) return rows + " elements";
  return rows + " x " + std::to_string(record.cols) +
         (record.inner > 0 ? " x " + std::to_string(record.inner) : "");
}

namespace {

/// Hundreds of shapes in a line for each kernel: how the ratios to cuBLAS, or to another library,
/// are distributed.
std::string distribution_table(const std::vector<KernelRecord>& kernels) {
  std::string text = format("\n%-30s %7s %8s %8s %8s %15s %8s\n", "x the library", "shapes",
                            "least", "5 %", "median", "geometric mean", "below 1");
  std::map<std::string, std::vector<double>> ratios;
  for (const KernelRecord& record : kernels) {
    ratios[record.chapter.substr(0, 2) + " " + record.kernel].push_back(
        record.library.empty() ? record.ratio_to_cublas().value()
                               : record.library_median_ms / record.timing.median_ms);
  }
  for (auto& [kernel, all] : ratios) {
    std::sort(all.begin(), all.end());
    double logarithms = 0;
    for (const double ratio : all) logarithms += std::log(ratio);
    const auto below = std::lower_bound(all.begin(), all.end(), 1.0) - all.begin();
    const auto count = static_cast<double>(all.size());
    text += format("%-30s %7zu %8.3f %8.3f %8.3f %15.3f %6.1f %%\n", kernel.c_str(), all.size(),
                   all.front(), percentile(all, 0.05), percentile(all, 0.5),
                   std::exp(logarithms / count), 100.0 * static_cast<double>(below) / count);
  }
  return text;
}

}  // namespace

std::string to_table(const Measurement& measurement) {
  std::string text;
  for (const CeilingRecord& record : measurement.ceilings) {
    const bool moves = record.gb_per_s > 0;
    text += format("ceiling %-14s %9.1f %s\n", record.name.c_str(),
                   moves ? record.gb_per_s : record.gflop_per_s, moves ? "GB/s" : "GFLOP/s");
  }
  text += format("latency %21.1f ns\n", measurement.latency.median_ms);
  if (measurement.drawn.shapes > 0) return text + distribution_table(measurement.kernels);
  text += format("\n%-30s %-18s %-5s %10s %20s %8s %10s %9s\n", "kernel", "shape", "cache",
                 "median ms", "10 % .. 90 %", "GB/s", "of ceiling", "x cuBLAS");
  for (const KernelRecord& record : measurement.kernels) {
    const auto ratio = record.ratio_to_cublas();
    text += format("%-30s %-18s %-5s %10.4f %9.4f .. %7.4f %8.1f %8.1f %% %9s\n",
                   (record.chapter.substr(0, 2) + " " + record.kernel).c_str(),
                   shape_text(record).c_str(), cache_name(record.cache), record.timing.median_ms,
                   record.timing.p10_ms, record.timing.p90_ms, record.gb_per_s(),
                   percent_of_ceiling(measurement, record),
                   ratio ? format("%.3f", *ratio).c_str() : "-");
  }
  return text;
}

}  // namespace course::measure
