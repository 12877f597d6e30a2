/// @file
/// The final output of a chapter's program: one row per kernel, on the screen and, if requested, in
/// a CSV or JSON file; and the exit status, which is 0 only if every result was verified.
#pragma once

#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "ceiling.hpp"
#include "check.hpp"
#include "device.hpp"
#include "options.hpp"
#include "timing.hpp"
#include "traffic.hpp"
#include "verify.hpp"

namespace course {

/// The least work that a kernel has to do.
struct Work {
  double bytes = 0;       ///< each input read once, each output written once
  double operations = 0;  ///< additions and multiplications
};

/// Work of y = A x with A of m x n floats.
Work sgemv_work(std::size_t m, std::size_t n);

/// Work of C = A B with C of m x n, and k terms for each of its elements.
Work gemm_work(std::size_t m, std::size_t n, std::size_t k);

/// Collects results and reports them.
class Report {
 public:
  /// @param ceiling what bounds the kernels; measured, on a GPU, when the report is finished
  /// @param counts whether this program counts the traffic of its kernels
  Report(const Options& options, CeilingKind ceiling, bool counts = counts_traffic);

  /// Records whether a kernel's result on some data is right. Reports at once if it is not.
  /// @param data the name of the input data in the message: "exact data"
  void check(const std::string& kernel, const std::string& data, const Verdict& verdict);

  /// Adds a row.
  /// @param bytes_in_flight the kernel's bytes in flight at most, by design; then the report gives
  ///        the prediction of Little's law on this device. 0: not counted
  void add(const std::string& kernel, const Timing& timing, const Work& work,
           double bytes_in_flight = 0);

  /// Sets the bound of a kernel's operations, if it is not the report's ceiling: its row is per
  /// cent of this.
  void bound(const std::string& kernel, double gigaflops_per_s) {
    bounds_.emplace_back(kernel, gigaflops_per_s);
  }

  /// Adds a row for work of the host's own processor. Such rows are in a separate table: their
  /// times are also real on the emulator, and the GPU's ceilings do not apply to them. A kernel
  /// called OpenBLAS is the baseline for the others with the same number of threads.
  /// @param options the extents of the problem, which may be smaller than the GPU's
  void add_on_cpu(const Options& options, const std::string& kernel, int threads,
                  const Timing& timing, const Work& work);

  /// Adds a line below the table: for what the figures alone do not say.
  void note(const std::string& line) { notes_.push_back(line); }

  /// Prints the table and writes the files. Returns the program's exit status.
  int finish();

 private:
  struct Row {
    std::string kernel;
    Timing timing;
    Work work;
    double bytes_in_flight = 0;
    int threads = 0;  // of the host's; 0 for work on the device
  };

  bool counted_in_flight() const;
  bool verified(const Row& row) const;
  static std::string shape(const Options& options);
  static double gigabytes_per_s(const Row& row);
  static double gigaflops_per_s(const Row& row);
  bool computes() const;
  double percent_of_ceiling(const Row& row) const;
  /// The median of the first of these rows whose name starts with this, 0 if there is none.
  static double library_ms(const std::vector<Row>& rows, const char* library, int threads);

  void print_cpu() const;
  void print_times() const;
  // Little's law: bytes in flight = rate x latency. So a rate is at most the bytes in flight
  // divided by the latency, and at most the ceiling.
  void print_predictions() const;
  void print_traffic() const;
  /// For a fast program: only whether the results are right.
  void print_runs() const;

  void write_file(const std::string& path, void (Report::*write)(std::FILE*) const) const;

  // A row's figures by name, in the order of the columns. A figure that does not exist here (a time
  // on the emulator, a count on a GPU) is omitted from CSV and null in JSON.
  struct Field {
    const char* name;
    std::string value;
  };
  std::vector<Field> fields(const Row& row) const;

  /// The extents, each with a prefix: of the columns in CSV, of the names in JSON.
  static std::string extents(const Options& options, const char* rows, const char* cols,
                             const char* inner);
  static std::string extents_json(const Options& options);
  void write_csv(std::FILE* file) const;
  void write_cpu_json(std::FILE* file) const;
  void write_json(std::FILE* file) const;

  Options options_;
  CeilingKind ceiling_kind_;
  bool counts_;
  Ceiling ceiling_;
  std::vector<Row> rows_;
  std::vector<std::pair<std::string, double>> bounds_;  // kernels, and GFLOP/s
  Options cpu_options_;
  std::vector<Row> cpu_rows_;
  std::vector<std::string> notes_;
  std::vector<std::string> failed_;
  bool all_verified_ = true;
};

/// Ends a program whose main() caught an exception: one line, and the exit status for it.
int report_failure(const std::exception& error);

}  // namespace course

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "report.inl"
#include "report_files.inl"
#endif
