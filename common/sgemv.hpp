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
/// @param copies how many more matrices of A's size the program has on the device
inline void require_sgemv_memory(const Options& options, int copies = 0) {
  const double matrix = 4.0 * static_cast<double>(options.rows) * static_cast<double>(options.cols);
  const double once = matrix + 4.0 * static_cast<double>(options.rows + options.cols);
  require_memory(options, once + 16.0 * static_cast<double>(options.rows), once + copies * matrix);
}

/// Options of a chapter of the SGEMV ladder.
/// @param add_own adds the chapter's own: `[&](course::Defaults& defaults) { defaults.add(...); }`
template <class AddOwn>
Options parse_sgemv_options(int argc, char** argv, const char* program, const char* description,
                            AddOwn add_own) {
  Defaults defaults;
  defaults.program = program;
  defaults.description = description;
  defaults.emulator = on_emulator;
  add_own(defaults);
  const Options options = parse_options(argc, argv, defaults);
  require_sgemv_memory(options);
  return options;
}

/// The same for a chapter without options of its own.
inline Options parse_sgemv_options(int argc, char** argv, const char* program,
                                   const char* description) {
  return parse_sgemv_options(argc, argv, program, description, [](Defaults&) {});
}

}  // namespace course
