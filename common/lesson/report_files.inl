// The functions of report.hpp that write files: CSV and JSON.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpu.hpp"
#include "report.hpp"

namespace course {

namespace detail {

COURSE_ONCE const char* backend() {
  return on_emulator ? "emulator" : "cuda";
}

}  // namespace detail

COURSE_ONCE void Report::write_file(const std::string& path,
                                    void (Report::*write)(std::FILE*) const) const {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) throw std::runtime_error("cannot write " + path);
  (this->*write)(file);
  const bool failed = std::ferror(file) != 0;
  if (std::fclose(file) != 0 || failed)
    throw std::runtime_error("cannot write " + path + " to its end");
}

COURSE_ONCE std::vector<Report::Field> Report::fields(const Row& row) const {
  const auto number = [](bool exists, double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.9g", value);
    return exists && std::isfinite(value) ? std::string(text) : std::string();
  };
  const auto whole = [](double value) { return std::to_string(static_cast<std::uint64_t>(value)); };
  const auto count = [&](std::uint64_t value) {
    return row.timing.counted ? std::to_string(value) : std::string();
  };
  const bool timed = !on_emulator;
  const Timing& t = row.timing;
  return {{"verified", verified(row) ? "true" : "false"},
          {"bytes", whole(row.work.bytes)},
          {"operations", whole(row.work.operations)},
          {"samples", std::to_string(t.samples)},
          {"median_ms", number(timed, t.median_ms)},
          {"p10_ms", number(timed, t.p10_ms)},
          {"p90_ms", number(timed, t.p90_ms)},
          {"gb_per_s", number(timed, timed ? gigabytes_per_s(row) : 0)},
          {"gflop_per_s", number(timed, timed ? gigaflops_per_s(row) : 0)},
          {"percent_of_ceiling", number(timed, timed ? percent_of_ceiling(row) : 0)},
          {"wall_ms", number(on_emulator, t.wall_ms)},
          {"global_load_requests", count(t.traffic.global_load_requests)},
          {"global_load_sectors", count(t.traffic.global_load_sectors)},
          {"global_store_requests", count(t.traffic.global_store_requests)},
          {"global_store_sectors", count(t.traffic.global_store_sectors)},
          {"shared_bank_conflicts", count(t.traffic.shared_bank_conflicts)},
          {"shared_load_instructions", count(t.traffic.shared_load_instructions)},
          {"shared_load_wavefronts", count(t.traffic.shared_load_wavefronts)},
          {"shared_store_wavefronts", count(t.traffic.shared_store_wavefronts)}};
}

COURSE_ONCE std::string Report::extents(const Options& options, const char* rows, const char* cols,
                                        const char* inner) {
  std::string text = rows + std::to_string(options.rows) + cols + std::to_string(options.cols);
  if (options.inner > 0) text += inner + std::to_string(options.inner);
  return text;
}

COURSE_ONCE std::string Report::extents_json(const Options& options) {
  return extents(options, "\"rows\": ", ", \"cols\": ", ", \"inner\": ");
}

COURSE_ONCE void Report::write_csv(std::FILE* file) const {
  std::fprintf(file, "chapter,backend,device,rows,cols%s,kernel",
               options_.inner > 0 ? ",inner" : "");
  for (const Field& field : fields({})) std::fprintf(file, ",%s", field.name);
  std::fprintf(file, "\n");
  for (const Row& row : rows_) {
    std::fprintf(file, "%s,%s,%s,%s,%s", options_.program.c_str(), detail::backend(),
                 device().name.c_str(), extents(options_, "", ",", ",").c_str(),
                 row.kernel.c_str());
    for (const Field& field : fields(row)) std::fprintf(file, ",%s", field.value.c_str());
    std::fprintf(file, "\n");
  }
}

COURSE_ONCE void Report::write_cpu_json(std::FILE* file) const {
  std::fprintf(file, ",\n \"cpu\": {\"device\": \"%s\", \"threads\": %d, %s, \"results\": [",
               cpu_model().c_str(), cpu_threads(), extents_json(cpu_options_).c_str());
  const char* separator = "\n";
  for (const Row& row : cpu_rows_) {
    std::fprintf(file,
                 "%s  {\"kernel\": \"%s\", \"verified\": %s, \"threads\": %d, \"samples\": %d, "
                 "\"median_ms\": %.9g, \"p10_ms\": %.9g, \"p90_ms\": %.9g, "
                 "\"gflop_per_s\": %.9g, \"ratio_to_openblas\": ",
                 separator, row.kernel.c_str(), verified(row) ? "true" : "false", row.threads,
                 row.timing.samples, row.timing.median_ms, row.timing.p10_ms, row.timing.p90_ms,
                 gigaflops_per_s(row));
    const double library = library_ms(cpu_rows_, "OpenBLAS", row.threads);
    if (library > 0) {
      std::fprintf(file, "%.9g}", library / row.timing.median_ms);
    } else {
      std::fprintf(file, "null}");
    }
    separator = ",\n";
  }
  std::fprintf(file, "\n ]}");
}

COURSE_ONCE void Report::write_json(std::FILE* file) const {
  std::fprintf(file,
               "{\"chapter\": \"%s\", \"backend\": \"%s\", \"counts_traffic\": %s, "
               "\"device\": \"%s\", %s,\n \"ceiling\": ",
               options_.program.c_str(), detail::backend(), counts_ ? "true" : "false",
               device().name.c_str(), extents_json(options_).c_str());
  if (on_emulator) {
    std::fprintf(file, "null");
  } else {
    std::fprintf(file, "{\"name\": \"%s\", \"%s\": %.9g}", ceiling_.name.c_str(),
                 computes() ? "gflop_per_s" : "gb_per_s",
                 computes() ? ceiling_.gigaflops_per_s : ceiling_.gigabytes_per_s);
  }
  if (!cpu_rows_.empty()) write_cpu_json(file);
  std::fprintf(file, ",\n \"results\": [");
  const char* separator = "\n";
  for (const Row& row : rows_) {
    std::fprintf(file, "%s  {\"kernel\": \"%s\"", separator, row.kernel.c_str());
    for (const Field& field : fields(row)) {
      std::fprintf(file, ", \"%s\": %s", field.name,
                   field.value.empty() ? "null" : field.value.c_str());
    }
    std::fprintf(file, "}");
    separator = ",\n";
  }
  std::fprintf(file, "\n ]");
  separator = ",\n \"notes\": [\n";
  for (const std::string& line : notes_) {
    std::fprintf(file, "%s  \"%s\"", separator, line.c_str());
    separator = ",\n";
  }
  std::fprintf(file, notes_.empty() ? "}\n" : "\n ]}\n");
}

}  // namespace course
