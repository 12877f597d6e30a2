/// @file
/// The measuring bench, which ./course measure builds and runs: every kernel of the course on the
/// machine's GPU, in one process, into one file. docs/results/README.md explains the file.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/kernels.hpp"
#include "device.hpp"
#include "measure_options.hpp"
#include "report.hpp"
#include "results/results_file.hpp"

namespace course::measure {
namespace {

/// Where the results go; empty for nowhere.
std::filesystem::path target(const MeasureOptions& options) {
  if (!options.out.empty()) return options.out;
  // A look at a part must not replace the real figures.
  if (options.quick || options.random > 0 || !options.chapters.empty()) return {};
  return std::filesystem::path(COURSE_RESULTS_DIR) / (slug(device().name) + ".json");
}

/// Better now than after minutes of measuring.
void require_writable(const std::filesystem::path& file) {
  if (file.empty()) return;
  if (std::filesystem::is_directory(file)) {
    throw BadOptions("--out wants a file, and '" + file.string() + "' is a folder");
  }
  try {
    course::require_writable("--out", temporary_name(file).string());
  } catch (const UsageError& error) {
    throw BadOptions(error.what());
  }
}

void measure(const MeasureOptions& options) {
  const std::filesystem::path file = target(options);
  require_writable(file);
  char bus_id[32] = "";
  CUDA_CHECK(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0));
  ClockWatch watch(bus_id);
  std::fprintf(stderr, "measuring on %s\n", device().name.c_str());
  if (!watch.problem().empty()) {
    std::fprintf(stderr, "clocks and power are not recorded: %s\n", watch.problem().c_str());
  }

  const Measurement measurement = run_bench(options, all_kernels(), watch);
  std::printf("%s, %s\n\n%s\n", measurement.machine.device.c_str(), measurement.date.c_str(),
              to_table(measurement).c_str());
  const std::string json = to_json(measurement);
  if (file.empty()) {
    std::printf(
        "All results verified. With --quick, --random or --chapter no file is written unless "
        "--out names one.\n");
    return;
  }
  write_atomically(file, json);
  std::printf("All results verified. Written: %s\n", file.string().c_str());
}

}  // namespace
}  // namespace course::measure

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const auto options = course::measure::parse_measure_options(arguments);
  course::device();  // exits with 77 where there is none
  course::measure::measure(options);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  throw std::runtime_error("cannot write to standard output: it is full, or closed");
} catch (const course::measure::BadOptions& error) {
  std::fprintf(stderr, "measure: %s (see ./course measure --help)\n", error.what());
  return 2;
} catch (const std::exception& error) {
  return course::report_failure(error);
}
