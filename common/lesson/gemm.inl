// The functions of gemm.hpp.
#pragma once

#include "gemm.hpp"

namespace course {

COURSE_ONCE void require_gemm_memory(const Options& options) {
  const Work work = gemm_work(options.rows, options.cols, options.inner);
  const double elements = static_cast<double>(options.rows) * static_cast<double>(options.cols);
  require_memory(options, work.bytes + 16.0 * elements, work.bytes);
}

COURSE_ONCE Options parse_gemm_options(int argc, char** argv, const char* program,
                                       const char* description,
                                       const std::function<void(Defaults&)>& add_own) {
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

}  // namespace course
