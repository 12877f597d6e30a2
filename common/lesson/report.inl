// The functions of report.hpp, except those that write files: report_files.inl.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "console/table.hpp"
#include "cpu.hpp"
#include "report.hpp"

namespace course {

COURSE_ONCE Work sgemv_work(std::size_t m, std::size_t n) {
  const auto rows = static_cast<double>(m);
  const auto cols = static_cast<double>(n);
  return {4.0 * (rows * cols + rows + cols), 2.0 * rows * cols};
}

COURSE_ONCE Work gemm_work(std::size_t m, std::size_t n, std::size_t k) {
  const auto rows = static_cast<double>(m);
  const auto cols = static_cast<double>(n);
  const auto terms = static_cast<double>(k);
  return {4.0 * (rows * terms + terms * cols + rows * cols), 2.0 * rows * cols * terms};
}

namespace detail {

/// A column of a report's table. If there is room it has a fixed width, so that the tables of
/// several runs can be compared side by side; otherwise its contents determine the width.
struct ReportColumn {
  const char* header;
  int width;           ///< with enough room; below 0: aligned to the left
  const char* narrow;  ///< the header without enough room
  int rank = 0;        ///< see Table::Column
};

COURSE_ONCE std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

COURSE_ONCE std::string formatted(const char* format, double low, double high) {
  char text[64];
  std::snprintf(text, sizeof text, format, low, high);
  return text;
}

/// Returns whether the last column was shown.
COURSE_ONCE bool print_columns(const std::vector<ReportColumn>& columns,
                               const std::vector<std::vector<std::string>>& rows) {
  std::size_t full = columns.size() - 1;
  for (const ReportColumn& column : columns) {
    full += static_cast<std::size_t>(std::abs(column.width));
  }
  const std::size_t room = line_width();
  if (room == any_width || room >= full) {
    const auto print = [&](std::size_t c, const char* text) {
      std::printf("%s%*s%s", c == 0 ? "" : " ", columns[c].width, text,
                  c + 1 == columns.size() ? "\n" : "");
    };
    for (std::size_t c = 0; c < columns.size(); ++c) print(c, columns[c].header);
    for (const auto& row : rows) {
      for (std::size_t c = 0; c < columns.size(); ++c) print(c, row[c].c_str());
    }
    return true;
  }
  std::vector<Table::Column> narrow;
  for (const ReportColumn& column : columns) {
    narrow.push_back({column.narrow, column.width < 0 ? Align::left : Align::right, column.rank});
  }
  Table table(narrow);
  for (std::vector<std::string> row : rows) {
    for (std::string& cell : row) cell.erase(0, cell.find_first_not_of(' '));
    table.add(std::move(row));
  }
  std::fputs(table.text(room).c_str(), stdout);
  return table.shows(columns.size() - 1, room);
}

/// Sentences, broken at words to fit the screen.
COURSE_ONCE void print_wrapped(const std::string& text) {
  std::fputs(wrapped(text, line_width()).c_str(), stdout);
}

}  // namespace detail

COURSE_ONCE Report::Report(const Options& options, CeilingKind ceiling, bool counts)
    : options_(options), ceiling_kind_(ceiling), counts_(counts) {
  device();  // nothing makes sense without one
  if (on_emulator && !counts_ && options.traffic) {
    std::fprintf(stderr,
                 "%s: --traffic: this program is fast, not instrumented, and counts nothing\n",
                 options.program.c_str());
    std::_Exit(2);  // a listing at exit would be empty
  }
}

COURSE_ONCE void Report::check(const std::string& kernel, const std::string& data,
                               const Verdict& verdict) {
  if (verdict.passed) return;
  all_verified_ = false;
  failed_.push_back(kernel);
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s: wrong result with %s\n%s\n", options_.program.c_str(),
               kernel.c_str(), data.c_str(), verdict.message.c_str());
}

COURSE_ONCE void Report::add(const std::string& kernel, const Timing& timing, const Work& work,
                             double bytes_in_flight) {
  rows_.push_back({kernel, timing, work, bytes_in_flight});
}

COURSE_ONCE void Report::add_on_cpu(const Options& options, const std::string& kernel, int threads,
                                    const Timing& timing, const Work& work) {
  cpu_options_ = options;
  cpu_rows_.push_back({kernel, timing, work, 0.0, threads});
}

COURSE_ONCE int Report::finish() {
  if (!on_emulator) ceiling_ = measure_ceiling(ceiling_kind_, options_);
  if (!cpu_rows_.empty()) print_cpu();
  if (!on_emulator) print_times();
  if (on_emulator) counts_ ? print_traffic() : print_runs();
  if (!on_emulator && counted_in_flight()) print_predictions();
  if (!notes_.empty()) std::printf("\n");
  for (const std::string& line : notes_) detail::print_wrapped(line + "\n");
  if (!options_.csv.empty()) write_file(options_.csv, &Report::write_csv);
  if (!options_.json.empty()) write_file(options_.json, &Report::write_json);
  return all_verified_ ? 0 : 1;
}

COURSE_ONCE bool Report::counted_in_flight() const {
  for (const Row& row : rows_) {
    if (row.bytes_in_flight > 0) return true;
  }
  return false;
}

COURSE_ONCE bool Report::verified(const Row& row) const {
  for (const std::string& kernel : failed_) {
    if (kernel == row.kernel) return false;
  }
  return true;
}

COURSE_ONCE std::string Report::shape(const Options& options) {
  std::string text = std::to_string(options.rows);
  if (options.cols > 1 || options.inner > 0) text += " x " + std::to_string(options.cols);
  if (options.inner > 0) text += " x " + std::to_string(options.inner) + " (m, n, k)";
  return text;
}

COURSE_ONCE double Report::gigabytes_per_s(const Row& row) {
  return row.work.bytes / row.timing.median_ms / 1e6;
}

COURSE_ONCE double Report::gigaflops_per_s(const Row& row) {
  return row.work.operations / row.timing.median_ms / 1e6;
}

COURSE_ONCE bool Report::computes() const {
  return ceiling_kind_ == CeilingKind::fma;
}  // and does not move data

COURSE_ONCE double Report::percent_of_ceiling(const Row& row) const {
  for (const auto& [kernel, bound] : bounds_) {
    if (kernel == row.kernel) return 100.0 * gigaflops_per_s(row) / bound;
  }
  return 100.0 * (computes() ? gigaflops_per_s(row) / ceiling_.gigaflops_per_s
                             : gigabytes_per_s(row) / ceiling_.gigabytes_per_s);
}

COURSE_ONCE double Report::library_ms(const std::vector<Row>& rows, const char* library,
                                      int threads) {
  for (const Row& row : rows) {
    if (row.kernel.starts_with(library) && row.threads == threads) return row.timing.median_ms;
  }
  return 0.0;
}

COURSE_ONCE void Report::print_cpu() const {
  detail::print_wrapped(options_.program + ", " + shape(cpu_options_) + ", on the CPU: " +
                        cpu_model() + ", " + std::to_string(cpu_threads()) + " threads\n\n");
  std::vector<std::vector<std::string>> rows;
  for (const Row& row : cpu_rows_) {
    const double library = library_ms(cpu_rows_, "OpenBLAS", row.threads);
    rows.push_back({row.kernel, verified(row) ? "yes" : "NO", std::to_string(row.threads),
                    detail::formatted("%.3f", row.timing.median_ms),
                    detail::formatted("%9.3f .. %8.3f", row.timing.p10_ms, row.timing.p90_ms),
                    detail::formatted("%.2f", gigaflops_per_s(row)),
                    library > 0 ? detail::formatted("%.3f", library / row.timing.median_ms) : "-"});
  }
  detail::print_columns({{"kernel", -24, "kernel"},
                         {"verified", 8, "verified"},
                         {"threads", 7, "threads"},
                         {"median ms", 10, "median\nms"},
                         {"10% .. 90%", 21, "10% .. 90%", 2},
                         {"GFLOP/s", 9, "GFLOP/s"},
                         {"x OpenBLAS", 10, "x Open-\nBLAS", 1}},
                        rows);
  std::printf("\n");
}

COURSE_ONCE void Report::print_times() const {
  detail::print_wrapped(
      options_.program + ", " + shape(options_) + ", on " + device().name + " (" + ceiling_.name +
      " ceiling measured now: " +
      detail::formatted("%.0f", computes() ? ceiling_.gigaflops_per_s : ceiling_.gigabytes_per_s) +
      (computes() ? " GFLOP/s)\n\n" : " GB/s)\n\n"));
  const double library = computes() ? library_ms(rows_, "cuBLAS", 0) : 0.0;
  std::vector<detail::ReportColumn> columns{{"kernel", -20, "kernel"},
                                            {"verified", 8, "verified"},
                                            {"median ms", 10, "median\nms"},
                                            {"10% .. 90%", 19, "10% .. 90%", 2},
                                            {"GB/s", 8, "GB/s", computes() ? 1 : 0},
                                            {"GFLOP/s", 9, "GFLOP/s", computes() ? 0 : 1},
                                            {"of ceiling", 10, "of\nceiling"}};
  if (library > 0) columns.push_back({"x cuBLAS", 9, "x cuBLAS"});
  std::vector<std::vector<std::string>> rows;
  for (const Row& row : rows_) {
    rows.push_back(
        {row.kernel, verified(row) ? "yes" : "NO", detail::formatted("%.4f", row.timing.median_ms),
         detail::formatted("%8.4f .. %7.4f", row.timing.p10_ms, row.timing.p90_ms),
         row.work.bytes > 0 ? detail::formatted("%.1f", gigabytes_per_s(row)) : "-",
         row.work.operations > 0 ? detail::formatted("%.1f", gigaflops_per_s(row)) : "-",
         percent_of_ceiling(row) > 0 ? detail::formatted("%.1f %%", percent_of_ceiling(row))
                                     : "-"});
    if (library > 0) {
      rows.back().push_back(detail::formatted("%.3f", library / row.timing.median_ms));
    }
  }
  detail::print_columns(columns, rows);
}

COURSE_ONCE void Report::print_predictions() const {
  const double latency = measure_latency(options_).median_ms;  // nanoseconds
  const double needed = ceiling_.gigabytes_per_s * latency;    // GB/s are bytes per nanosecond
  std::printf(
      "\nLittle's law: memory answers after %.0f ns, so at %.0f GB/s %.2f MB are in flight:\n"
      "%.0f KB for each of %d multiprocessors. Less in flight, less speed:\n\n",
      latency, ceiling_.gigabytes_per_s, needed / 1e6, needed / 1e3 / device().multiprocessors,
      device().multiprocessors);
  std::vector<std::vector<std::string>> rows;
  for (const Row& row : rows_) {
    if (row.bytes_in_flight <= 0) continue;
    rows.push_back({row.kernel, detail::formatted("%.3f MB", row.bytes_in_flight / 1e6),
                    detail::formatted(
                        "%.0f", std::min(ceiling_.gigabytes_per_s, row.bytes_in_flight / latency)),
                    detail::formatted("%.0f", gigabytes_per_s(row))});
  }
  detail::print_columns({{"kernel", -20, "kernel"},
                         {"at most in flight", 16, "at most\nin flight"},
                         {"predicted GB/s", 14, "predicted\nGB/s"},
                         {"measured GB/s", 13, "measured\nGB/s"}},
                        rows);
}

COURSE_ONCE void Report::print_traffic() const {
  detail::print_wrapped(options_.program + ", " + shape(options_) +
                        ", on the emulator: what a GPU's memory system would be asked for\n\n");
  std::vector<detail::ReportColumn> columns{{"kernel", -20, "kernel"},
                                            {"verified", 8, "verified"},
                                            {"load requests", 13, "load\nrequests", 1},
                                            {"load sectors", 12, "load\nsectors"},
                                            {"per request", 11, "sectors/\nrequest"}};
  if (computes()) columns.push_back({"a mult.-add", 11, "sectors/\nmult.-add"});
  columns.push_back({"store sectors", 13, "store\nsectors", 2});
  columns.push_back({"conflicts", 9, "bank\nconflicts"});
  columns.push_back({"emul. s", 7, "emul.\ns", 3});
  std::vector<std::vector<std::string>> rows;
  for (const Row& row : rows_) {
    const TrafficCounts& t = row.timing.traffic;
    const bool counted = row.timing.counted;
    const auto count = [&](std::uint64_t value) {
      return counted ? std::to_string(value) : std::string("-");
    };
    const auto sectors = static_cast<double>(t.global_load_sectors);
    const auto requests = static_cast<double>(t.global_load_requests);
    std::vector<std::string>& cells = rows.emplace_back();
    cells = {row.kernel, verified(row) ? "yes" : "NO", count(t.global_load_requests),
             count(t.global_load_sectors),
             counted ? detail::formatted("%.2f", requests == 0 ? 0.0 : sectors / requests) : "-"};
    if (computes()) {
      cells.push_back(counted ? detail::formatted("%.4f", 2.0 * sectors / row.work.operations)
                              : "-");
    }
    cells.push_back(count(t.global_store_sectors));
    cells.push_back(count(t.shared_bank_conflicts));
    cells.push_back(detail::formatted("%.3f", row.timing.wall_ms / 1000.0));
  }
  if (!detail::print_columns(columns, rows)) return;
  detail::print_wrapped(
      "\nThe last column is the time that the emulator took here. It says nothing about a "
      "GPU.\n");
}

COURSE_ONCE void Report::print_runs() const {
  detail::print_wrapped(options_.program + ", " + shape(options_) + ", on the emulator, fast\n\n");
  std::vector<std::vector<std::string>> rows;
  for (const Row& row : rows_) {
    rows.push_back({row.kernel, verified(row) ? "yes" : "NO",
                    detail::formatted("%.3f", row.timing.wall_ms / 1000.0)});
  }
  detail::print_columns(
      {{"kernel", -20, "kernel"}, {"verified", 8, "verified"}, {"emul. s", 7, "emul.\ns"}}, rows);
  detail::print_wrapped(
      "\nThe last column is the time that the CPU took here: it says nothing about a GPU. "
      "Nothing was counted.\n");
  const std::string& name = options_.program;  // a chapter's is 02_coalesced
  if (name.find_first_not_of("0123456789") == 2 && name[2] == '_') {
    std::printf("To see the memory traffic: ./course run %s\n", name.substr(0, 2).c_str());
  }
}

COURSE_ONCE int report_failure(const std::exception& error) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}

}  // namespace course
