/// @file
/// What a chapter measured, as its program writes it with --json.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::tool {

/// One kernel's row. A figure that does not exist is absent: a time on the emulator, a count on a
/// GPU, either for a library's kernel.
struct Result {
  std::string kernel;
  bool verified = false;
  double bytes = 0;       ///< each input read once, each output written once
  double operations = 0;  ///< additions and multiplications

  // On a GPU.
  std::optional<double> median_ms;
  std::optional<double> p10_ms;
  std::optional<double> p90_ms;
  std::optional<double> gb_per_s;  ///< 10^9 bytes per second
  std::optional<double> percent_of_ceiling;

  // On the emulator.
  std::optional<double> wall_ms;  ///< what the emulator took, not what a GPU would take
  std::optional<double> load_requests;
  std::optional<double> load_sectors;
  std::optional<double> store_sectors;
  std::optional<double> bank_conflicts;
};

/// A run of a chapter's program.
struct Report {
  std::string backend;  ///< "emulator" or "cuda"
  std::string device;
  double rows = 0;
  double cols = 0;
  std::string ceiling;                     ///< which one, "read"; empty if none was measured
  std::optional<double> ceiling_gb_per_s;  ///< measured on this device, in this run
  std::vector<Result> results;
};

/// Reads such a file.
/// @throws Failure with the reason, without the file's name
Report read_report(const std::filesystem::path& file);

}  // namespace course::tool
