#include "compiler/translate/module_kernels.hpp"

#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::translate {

using text::CudaText;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::nowhere;

std::vector<ModuleKernel> module_kernels(const CudaText& text) {
  std::vector<ModuleKernel> result;
  const DeviceFunctions functions(text);
  for (const DeviceFunction& function : functions.all()) {
    if (!function.is_kernel || function.close == nowhere) continue;
    bool is_template = false;
    for (std::size_t i = function.begin; i < function.name; ++i) {
      is_template |= text.is(i, "template");
    }
    if (is_template) continue;
    const std::string name(text.word(function.name));
    result.push_back({function.close,
                      " __attribute__((unused)) static const ::emulator::detail::ModuleKernel "
                      "emulator_module_kernel_" +
                          std::to_string(result.size()) + "(\"" + name + "\", &" + name + ");"});
  }
  return result;
}

}  // namespace emulator::compiler::translate
