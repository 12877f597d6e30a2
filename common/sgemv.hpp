/// @file
/// The matrix-vector product that chapters 01 to 07 compute, on the device and ready to run.
#pragma once

#include <cstddef>

#include "data.hpp"
#include "device.hpp"
#include "options.hpp"
#include "verify.hpp"

namespace course {

/// y = A x: the data of a problem on the host, and A, x and room for y on the device.
class SgemvOnDevice {
 public:
  SgemvOnDevice(const Options& options, Data data, Layout layout)
      : problem_(make_sgemv(data, options.rows, options.cols, layout, options.seed)),
        A(problem_.A),
        x(problem_.x),
        y(options.rows) {}

  /// Whether y holds what it should. Exact data is compared bit for bit.
  Verdict verify() const { return course::verify(y.to_host(), problem_); }

 private:
  SgemvProblem problem_;  // before the arrays that are made from it

 public:
  DeviceArray<float> A;  ///< rows x cols, in the layout asked for
  DeviceArray<float> x;  ///< cols elements
  DeviceArray<float> y;  ///< rows elements, poisoned until a kernel writes them
};

/// Refuses a size that will not fit: A, x and y on either side, and the reference on the host.
inline void require_sgemv_memory(const Options& options) {
  const double on_device =
      4.0 * (static_cast<double>(options.rows) * static_cast<double>(options.cols) +
             static_cast<double>(options.rows + options.cols));
  require_memory(options, on_device + 16.0 * static_cast<double>(options.rows), on_device);
}

/// Options of a chapter of the SGEMV ladder.
inline Options parse_sgemv_options(int argc, char** argv, const char* program,
                                   const char* description) {
  Defaults defaults;
  defaults.program = program;
  defaults.description = description;
  defaults.emulator = on_emulator;
  const Options options = parse_options(argc, argv, defaults);
  require_sgemv_memory(options);
  return options;
}

}  // namespace course
