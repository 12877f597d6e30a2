// The functions of sgemv.hpp.
#pragma once

#include "sgemv.hpp"

namespace course {

COURSE_ONCE void require_sgemv_memory(const Options& options, int copies) {
  const double matrix = 4.0 * static_cast<double>(options.rows) * static_cast<double>(options.cols);
  const double once = matrix + 4.0 * static_cast<double>(options.rows + options.cols);
  require_memory(options, once + 16.0 * static_cast<double>(options.rows), once + copies * matrix);
}

COURSE_ONCE Options parse_sgemv_options(int argc, char** argv, const char* program,
                                        const char* description,
                                        const std::function<void(Defaults&)>& add_own) {
  Defaults defaults;
  defaults.program = program;
  defaults.description = description;
  defaults.emulator = on_emulator;
  add_own(defaults);
  const Options options = parse_options(argc, argv, defaults);
  require_sgemv_memory(options);
  return options;
}

}  // namespace course
