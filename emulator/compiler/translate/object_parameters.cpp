#include "compiler/translate/object_parameters.hpp"

#include <array>
#include <optional>
#include <set>

#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::translate {

using text::contains;
using text::CudaText;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::nowhere;

namespace {

constexpr std::array<std::string_view, 8> words_of_no_class = {
    "const", "volatile", "typename", "struct", "class", "std", "__restrict__", "__grid_constant__"};

// Whether the parameter that tokens [begin, end) declare, `const View<T> a`, may be an object.
bool may_be_object(const CudaText& text, std::size_t begin, std::size_t end) {
  std::size_t names = 0;
  for (std::size_t i = begin; i < end && !text.is(i, "="); ++i) {
    if (text.is_one_of(i, "*&[(")) return false;
    if (text.is_identifier(i)) {
      if (text::is_value_type(text.word(i))) return false;
      if (!contains(words_of_no_class, text.word(i))) ++names;
    }
    if (text.is(i, "<")) {
      i = text.closing_angle(i);
      if (i == nowhere) return false;
    }
  }
  return names > 0;
}

struct Parameters {
  std::size_t count = 0;
  bool has_objects = false;
};

Parameters parameters_of(const CudaText& text, const DeviceFunction& kernel) {
  Parameters result;
  std::size_t begin = kernel.parameters + 1;
  if (begin == kernel.parameters_end) return result;
  const auto add = [&](std::size_t end) {
    ++result.count;
    result.has_objects |= may_be_object(text, begin, end);
    begin = end + 1;
  };
  for (std::size_t i = begin; i < kernel.parameters_end; ++i) {
    if (text.is(i, ",")) add(i);
    const std::size_t close = text.opens(i)     ? text.closing(i)
                              : text.is(i, "<") ? text.closing_angle(i)
                                                : i;
    if (close != nowhere) i = close;
  }
  add(kernel.parameters_end);
  return result;
}

// How many parameters a template has; none of a number that is open.
std::optional<std::size_t> template_parameters_of(const CudaText& text,
                                                  const DeviceFunction& kernel) {
  if (!text.is(kernel.begin, "template")) return 0;
  const std::size_t close = text.closing_angle(kernel.begin + 1);
  if (close == nowhere || close > kernel.name) return std::nullopt;
  for (std::size_t i = kernel.begin; i < close; ++i) {
    if (text.is(i, "...")) return std::nullopt;
  }
  return count_template_arguments(text, kernel.begin + 1, close + 1);
}

// `void k(`, but not `return k(` and no call
bool declares_function(const CudaText& text, std::size_t i) {
  constexpr std::array<std::string_view, 4> no_types = {"return", "else", "do", "case"};
  if (i == 0 || !text.is(i + 1, "(")) return false;
  if (text.is_identifier(i - 1)) return !contains(no_types, text.word(i - 1));
  return text.is_one_of(i - 1, "*&>");
}

struct Known {
  std::size_t parameters;
  std::size_t template_parameters;
  bool has_objects = false;
  bool is_defined = false;
  bool is_one = true;
};

// Of all functions of the kernels' names, those that are kernels' declarations left out.
void leave_out_other_functions(const CudaText& text, const std::set<std::size_t>& declarations,
                               std::map<std::string_view, Known>& kernels) {
  for (std::size_t i = 0; i < text.tokens().size(); ++i) {
    if (!declares_function(text, i) || declarations.contains(i)) continue;
    const auto same_name = kernels.find(text.word(i));
    if (same_name != kernels.end()) same_name->second.is_one = false;
  }
}

}  // namespace

std::size_t count_template_arguments(const CudaText& text, std::size_t open, std::size_t end) {
  if (open >= end || !text.is(open, "<") || text.is(open + 1, ">")) return 0;
  std::size_t count = 1;
  for (std::size_t i = open + 1; i + 1 < end; ++i) {
    if (text.is(i, ",")) ++count;
    const std::size_t close = text.opens(i)     ? text.closing(i)
                              : text.is(i, "<") ? text.closing_angle(i)
                                                : i;
    if (close != nowhere && close < end) i = close;
  }
  return count;
}

ObjectKernels object_kernels(const CudaText& text) {
  const DeviceFunctions functions(text);
  std::map<std::string_view, Known> kernels;
  std::set<std::size_t> declarations;
  for (const DeviceFunction& function : functions.all()) {
    if (!function.is_kernel) continue;
    declarations.insert(function.name);
    if (text.is(function.name + 1, "<")) continue;  // an instance, or a specialisation
    const Parameters parameters = parameters_of(text, function);
    const std::optional<std::size_t> of_template = template_parameters_of(text, function);
    const auto [entry, is_new] = kernels.try_emplace(
        text.word(function.name), Known{parameters.count, of_template.value_or(0)});
    Known& known = entry->second;
    const bool is_definition = function.open != nowhere;
    known.has_objects |= parameters.has_objects;
    known.is_one &= of_template == known.template_parameters &&
                    parameters.count == known.parameters && !(is_definition && known.is_defined);
    known.is_defined |= is_definition;
  }
  std::erase_if(kernels, [](const auto& entry) { return !entry.second.has_objects; });
  ObjectKernels result;
  if (kernels.empty()) return result;
  leave_out_other_functions(text, declarations, kernels);
  for (const auto& [name, known] : kernels) {
    if (known.is_one) result[name] = known.template_parameters;
  }
  return result;
}

}  // namespace emulator::compiler::translate
