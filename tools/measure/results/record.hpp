/// @file
/// What the bench finds out, as it stands in the results file: docs/results/README.md explains it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clocks/clocks.hpp"
#include "timing.hpp"

namespace course::measure {

/// The GPU and the software that drives it. Nothing of the host.
struct Machine {
  std::string device;          ///< "NVIDIA H200"
  int compute_capability = 0;  ///< 90 for 9.0
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  double peak_gb_per_s = 0;            ///< theoretical; 0 if unknown
  double peak_gflop_per_s = 0;         ///< theoretical, FP32; 0 if unknown
  std::optional<unsigned> max_sm_mhz;  ///< as NVML says
  std::optional<std::string> driver;   ///< as NVML says
  std::string driver_cuda;             ///< the newest CUDA that the driver runs: "13.0"
  std::string runtime;                 ///< "13.0"
  std::string toolkit;                 ///< nvcc's version: "13.0.88"
  std::string cublas;                  ///< "13.1.0"
};

/// A ceiling (see common/lesson/ceiling.hpp), and the clocks while it was measured.
struct CeilingRecord {
  std::string name;                   ///< "read"
  double gb_per_s = 0;                ///< 0 for a ceiling of arithmetic
  double gflop_per_s = 0;             ///< 0 for a ceiling of memory
  double bytes = 0;                   ///< that a launch moves
  double operations = 0;              ///< that a launch does
  int blocks_per_multiprocessor = 0;  ///< of the best launch shape; 0 where nothing is launched
  Timing timing;                      ///< of the best launch shape
  ClockSummary clocks;                ///< while all launch shapes ran
};

/// Whether a kernel's data lay in the level-2 cache when it started.
enum class Cache { hot, cold };

/// How the data of a kernel lies in memory.
enum class Shape { row_major, column_major, vector };

/// What a product as BLAS has it may have: distances between rows, in elements, and factors.
struct GeneralForm {
  std::int64_t lda = 0;
  std::int64_t ldb = 0;
  std::int64_t ldc = 0;
  float alpha = 1;
  float beta = 0;
};

/// What was measured of one kernel at one shape.
struct KernelRecord {
  std::string chapter;  ///< "06_unroll"
  std::string kernel;   ///< "float4"
  Shape layout = Shape::vector;
  std::size_t rows = 0;
  std::size_t cols = 1;
  std::size_t inner = 0;  ///< k of a product of matrices; 0 for everything else
  int offset = 0;         ///< floats from a multiple of 16 bytes to the data; drawn shapes only
  std::optional<GeneralForm> general;  ///< drawn general products only
  Cache cache = Cache::cold;
  Timing timing;
  double bytes = 0;                       ///< that a launch must move
  double operations = 0;                  ///< that a launch must do
  std::optional<double> bytes_in_flight;  ///< on their way at most, if anybody has counted
  std::string bound;                      ///< the name of a ceiling
  bool verified_before = false;
  bool verified_after = false;
  std::optional<double> cublas_median_ms;  ///< measured alternately with the kernel
  std::optional<Timing> cublas_timing;     ///< its spread, too; drawn shapes only
  /// Results of its default that are not the rounded sum. If there are any, the mode was timed that
  /// rounds once. Drawn shapes in BF16 only.
  std::optional<std::size_t> cublas_default_wrong;
  std::string library;  ///< another one with which it took turns; or empty
  double library_median_ms = 0;
  ClockSummary clocks;  ///< while both ran

  double gb_per_s() const { return bytes / timing.median_ms / 1e6; }
  double gflop_per_s() const { return operations / timing.median_ms / 1e6; }
  std::optional<double> ratio_to_cublas() const {
    if (!cublas_median_ms) return std::nullopt;
    return *cublas_median_ms / timing.median_ms;
  }
};

/// Where shapes that were drawn at random come from.
struct DrawnFrom {
  int shapes = 0;  ///< how many; 0: none was drawn
  std::uint64_t seed = 0;
};

/// Everything.
struct Measurement {
  Machine machine;
  std::string date;  ///< UTC, "2026-01-31T12:00:00Z"
  bool quick = false;
  DrawnFrom drawn;
  std::vector<CeilingRecord> ceilings;
  Timing latency;  ///< of the memory, in nanoseconds
  std::vector<KernelRecord> kernels;
};

}  // namespace course::measure
