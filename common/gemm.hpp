/// @file
/// The product of matrices that the GEMM chapters compute, C = A B, on the device and ready to run.
///
/// x counts columns and y rows, in grids, blocks and tiles. All matrices lie in memory row after
/// row: A is m x k, B is k x n, C is m x n.
#pragma once

#include <cstddef>

#include "device.hpp"
#include "gemm_data.hpp"
#include "gemm_grid.hpp"
#include "options.hpp"
#include "report.hpp"

namespace course {

/// C = A B: the data of a problem on the host, and A, B and room for C on the device.
class GemmOnDevice {
 public:
  GemmOnDevice(const Options& options, Data data)
      : problem_(make_gemm(data, options.rows, options.cols, options.inner, options.seed)),
        A(problem_.A),
        B(problem_.B),
        C(options.rows * options.cols) {}

  /// Whether C holds what it should. Exact data is compared bit for bit.
  Verdict verify() const { return course::verify(C.to_host(), problem_); }

 private:
  GemmProblem problem_;  // before the arrays that are made from it

 public:
  DeviceArray<float> A;  ///< m x k
  DeviceArray<float> B;  ///< k x n
  DeviceArray<float> C;  ///< m x n, poisoned until a kernel writes them
};

/// Refuses a size that will not fit: A, B and C on either side; on the host also C's reference and
/// magnitude, in float64.
inline void require_gemm_memory(const Options& options) {
  const Work work = gemm_work(options.rows, options.cols, options.inner);
  const double elements = static_cast<double>(options.rows) * static_cast<double>(options.cols);
  require_memory(options, work.bytes + 16.0 * elements, work.bytes);
}

/// Options of a chapter that multiplies matrices.
/// @param add_own adds the chapter's own: `[&](course::Defaults& defaults) { defaults.add(...); }`
template <class AddOwn>
Options parse_gemm_options(int argc, char** argv, const char* program, const char* description,
                           AddOwn add_own) {
  Defaults defaults;
  defaults.program = program;
  defaults.description = description;
  defaults.emulator = on_emulator;
  defaults.product = true;
  defaults.on_gpu = {4096, 4096, 4096};
  defaults.on_emulator = {128, 128, 128};
  add_own(defaults);
  const Options options = parse_options(argc, argv, defaults);
  require_gemm_memory(options);
  return options;
}

/// The same for a chapter without options of its own.
inline Options parse_gemm_options(int argc, char** argv, const char* program,
                                  const char* description) {
  return parse_gemm_options(argc, argv, program, description, [](Defaults&) {});
}

}  // namespace course
