#include "compiler/translate/launch_bounds.hpp"

#include <map>

#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::translate {

using text::CudaText;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::nowhere;

namespace {

// What is in the parentheses; empty if the function has none.
std::string bounds_of(const CudaText& text, const DeviceFunction& function) {
  for (std::size_t i = function.begin; i < function.parameters; ++i) {
    if (!text.is(i, "__launch_bounds__") || !text.is(i + 1, "(")) continue;
    const std::size_t close = text.closing(i + 1);
    return close == nowhere ? "" : text.on_one_line(i + 2, close);
  }
  return "";
}

// The number also goes into a section, beside the place in the kernel, so that the runtime finds it
// by the kernel's address.
std::string statement(const std::string& bounds) {
  return " { constexpr unsigned emulator_bound = ::emulator::detail::bound_of(" + bounds +
         R"(); __asm__ volatile("9:\n.pushsection emulator_launch_bounds,\"a?\"\n.balign 4\n)"
         R"(.long 9b - .\n.long %c0\n.popsection" : : "i"(emulator_bound)); )"
         "::emulator::detail::declare_bound(emulator_bound); }";
}

}  // namespace

LaunchBounds launch_bounds(const CudaText& text) {
  LaunchBounds result;
  const DeviceFunctions functions(text);
  // By names. Those of a declaration hold for the definition; those of a definition do not for
  // another kernel of the name.
  std::map<std::string_view, std::string> declared;
  for (const DeviceFunction& function : functions.all()) {
    const std::string bounds = bounds_of(text, function);
    if (bounds.empty()) continue;
    std::string& known = declared[text.word(function.name)];
    known = function.open == nowhere ? bounds : std::string("0");
  }
  if (declared.empty()) return result;
  for (const DeviceFunction& function : functions.all()) {
    const auto same_name = declared.find(text.word(function.name));
    if (!function.is_kernel || function.open == nowhere || same_name == declared.end()) continue;
    std::string bounds = bounds_of(text, function);
    if (bounds.empty()) bounds = same_name->second;
    result.statements.push_back({function.open, statement(bounds)});
    result.bounded.insert(same_name->first);
  }
  return result;
}

}  // namespace emulator::compiler::translate
