#include "ladder.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>

#include "console/table.hpp"

namespace course::tool {
namespace {

constexpr const char* dash = "-";

/// A number with that many digits after the point, or a dash.
std::string cell(const std::optional<double>& value, int digits, const char* unit = "") {
  if (!value) return dash;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f%s", digits, *value, unit);
  return text.data();
}

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || *b == 0) return std::nullopt;
  return *a / *b;
}

/// Stands where there is no result: none of its figures exists.
const Result no_result;

/// One row of the ladder, with what it is compared with.
struct Row {
  const TourStop* stop;
  const Report* report;
  const Result* result;                 ///< null for a chapter without results
  const Result* previous = &no_result;  ///< the rung before it
  const Result* library = &no_result;   ///< the fastest of cuBLAS's kernels that does the same
};

bool is_library(const Result& result) {
  return result.kernel.starts_with("cuBLAS");
}

bool same_problem(const Row& a, const Row& b) {
  return a.report->rows == b.report->rows && a.report->cols == b.report->cols &&
         a.result->operations == b.result->operations;
}

std::vector<Row> all_rows(const std::vector<TourStop>& stops) {
  std::vector<Row> rows;
  for (const TourStop& stop : stops) {
    if (!stop.report || stop.report->results.empty()) {
      rows.push_back({&stop, nullptr, nullptr});
      continue;
    }
    const std::string& best = stop.chapter.best_kernel;
    for (const Result& result : stop.report->results) {
      // A kernel that failed is shown in any case.
      if (!best.empty() && result.kernel != best && result.verified) continue;
      rows.push_back({&stop, &*stop.report, &result});
    }
  }
  const auto is_rung = [](const Row& row) {
    return row.result != nullptr && row.stop->chapter.ladder && row.result->verified;
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!is_rung(rows[k])) continue;
    for (std::size_t other = 0; other < rows.size(); ++other) {
      if (!is_rung(rows[other]) || !same_problem(rows[other], rows[k])) continue;
      const Result* const candidate = rows[other].result;
      if (!is_library(*candidate)) {
        if (other < k) rows[k].previous = candidate;
        continue;
      }
      const std::optional<double>& fastest = rows[k].library->median_ms;
      if (candidate->median_ms && (!fastest || candidate->median_ms < fastest)) {
        rows[k].library = candidate;
      }
    }
  }
  return rows;
}

/// The first three columns, which both tables have.
std::vector<std::string> first_cells(const Row& row) {
  if (row.result != nullptr) {
    return {row.stop->chapter.number, row.result->kernel, row.result->verified ? "yes" : "NO"};
  }
  // A chapter without a row of its own is there by its name.
  const std::string name = row.stop->chapter.name;
  const std::size_t bar = name.find('_');
  return {row.stop->chapter.number, bar == std::string::npos ? name : name.substr(bar + 1),
          row.stop->outcome == Outcome::skipped ? "SKIPPED" : "FAILED"};
}

void add_row(Table& table, const Row& row, std::size_t columns, std::vector<std::string> figures) {
  std::vector<std::string> cells = first_cells(row);
  if (row.result == nullptr || !row.result->verified) figures.clear();
  cells.insert(cells.end(), figures.begin(), figures.end());
  cells.resize(columns, dash);
  table.add(std::move(cells));
}

/// What the columns mean. On a screen of a known width it is broken there.
std::string footnote(std::string text, std::size_t width) {
  if (width == any_width) return text + '\n';
  std::replace(text.begin(), text.end(), '\n', ' ');
  return wrapped(text + '\n', width);
}

std::string emulator_table(const std::vector<Row>& rows, std::size_t width) {
  Table table({{"chapter", Align::left},
               {"kernel", Align::left},
               {"verified", Align::left},
               {"load\nrequests", Align::right, 2},
               {"load\nsectors", Align::right},
               {"sectors/\nrequest", Align::right},
               {"store\nsectors", Align::right, 3},
               {"bank\nconflicts", Align::right, 1},
               {"emulator\ns", Align::right, 4},
               {"sectors/\nprevious", Align::right}});
  for (const Row& row : rows) {
    const Result& result = row.result ? *row.result : no_result;
    add_row(
        table, row, 10,
        {cell(result.load_requests, 0), cell(result.load_sectors, 0),
         cell(ratio(result.load_sectors, result.load_requests), 2), cell(result.store_sectors, 0),
         cell(result.bank_conflicts, 0), cell(ratio(result.wall_ms, 1000.0), 3),
         cell(ratio(result.load_sectors, row.previous->load_sectors), 3)});
  }
  return table.text(width) + '\n' +
         footnote(
             "Loads and stores of global memory; a sector is 32 bytes. 'sectors/previous': load "
             "sectors,\nas a multiple of the previous rung's of the same shape. 'emulator s': how "
             "long "
             "the emulator\ntook on this machine's CPU, which says nothing about a GPU.",
             width);
}

std::string gpu_table(const std::vector<Row>& rows, std::size_t width) {
  Table table({{"chapter", Align::left},
               {"kernel", Align::left},
               {"verified", Align::left},
               {"median\nms", Align::right},
               {"10 % .. 90 %\nms", Align::right, 2},
               {"GB/s", Align::right},
               {"% of\nceiling", Align::right},
               {"previous/\nthis", Align::right, 1},
               {"cuBLAS/\nthis", Align::right}});
  for (const Row& row : rows) {
    const Result& result = row.result ? *row.result : no_result;
    const bool spread = result.p10_ms && result.p90_ms;
    const std::string ceiling = row.report ? " " + row.report->ceiling : "";
    add_row(table, row, 9,
            {cell(result.median_ms, 4),
             spread ? cell(result.p10_ms, 4) + " .. " + cell(result.p90_ms, 4) : dash,
             cell(result.gb_per_s, 1), cell(result.percent_of_ceiling, 1, ceiling.c_str()),
             cell(ratio(row.previous->median_ms, result.median_ms), 2),
             cell(ratio(row.library->median_ms, result.median_ms), 2)});
  }
  std::string text = table.text(width) + "\nCeilings, measured on this device:";
  const char* separator = " ";
  const TourStop* last = nullptr;
  for (const Row& row : rows) {
    if (row.report && row.report->ceiling_gb_per_s && row.stop != last) {
      text += separator + row.report->ceiling + ' ' + cell(row.report->ceiling_gb_per_s, 0) +
              " GB/s (" + row.stop->chapter.number + ")";
      separator = ", ";
      last = row.stop;
    }
  }
  return wrapped(text + ".\n", width) +
         footnote(
             "'previous/this', 'cuBLAS/this': the median of the previous rung, or of cuBLAS, as a "
             "multiple\nof this one's, both of the same shape: above 1, this one is faster.",
             width);
}

std::string shape_text(const Report& report) {
  return cell(report.rows, 0) + (report.cols > 1 ? " x " + cell(report.cols, 0) : "");
}

/// "shape: 1048576 (00), 2048 x 2048 (01, 02)"
std::string shapes_line(const std::vector<TourStop>& stops) {
  std::vector<std::pair<std::string, std::string>> shapes;  // shape, chapters
  for (const TourStop& stop : stops) {
    if (!stop.report) continue;
    const std::string shape = shape_text(*stop.report);
    const auto found = std::find_if(shapes.begin(), shapes.end(),
                                    [&](const auto& known) { return known.first == shape; });
    if (found == shapes.end()) {
      shapes.emplace_back(shape, stop.chapter.number);
    } else {
      found->second += ", " + stop.chapter.number;
    }
  }
  std::string line;
  for (const auto& [shape, chapters] : shapes) {
    if (!line.empty()) line += "; ";
    line += shape;
    line += " (" + chapters + ")";
  }
  return line;
}

}  // namespace

std::string ladder_text(const std::vector<TourStop>& stops, std::size_t width) {
  std::string text;
  const auto with_report = std::find_if(stops.begin(), stops.end(), [](const TourStop& stop) {
    return stop.report && !stop.report->results.empty();
  });
  if (with_report != stops.end()) {
    const bool on_gpu = with_report->report->backend == "cuda";
    const std::vector<Row> rows = all_rows(stops);
    text += on_gpu ? "The ladder on " + with_report->report->device
                   : std::string("The ladder on the emulator");
    text += ", " + shapes_line(stops) + "\n\n" +
            (on_gpu ? gpu_table(rows, width) : emulator_table(rows, width));
  }
  std::string reasons;
  for (const Outcome outcome : {Outcome::skipped, Outcome::failed}) {
    const char* const word = outcome == Outcome::skipped ? "SKIPPED " : "FAILED  ";
    for (const TourStop& stop : stops) {
      if (stop.outcome == outcome) reasons += word + stop.chapter.name + ": " + stop.reason + '\n';
    }
  }
  if (!text.empty() && !reasons.empty()) text += '\n';
  return text + reasons;
}

}  // namespace course::tool
