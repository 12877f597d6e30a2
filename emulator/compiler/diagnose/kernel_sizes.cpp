#include "compiler/diagnose/kernel_sizes.hpp"

#include <algorithm>
#include <string_view>

#include "compiler/diagnose/plain_messages.hpp"
#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::CudaText;
using text::Declaration;
using text::Declarator;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::is_value_type;
using text::nowhere;

std::string size_check(const std::string& sizes, const std::string& most,
                       std::string_view sentence) {
  return " static_assert(" + sizes + " <= " + most + ", \"" + std::string(sentence) + "\");";
}

// A parameter of a class may be large; a number or a pointer is not.
void check_parameters(const CudaText& text, const DeviceFunction& kernel,
                      std::vector<SizeCheck>& checks) {
  std::string sizes;
  bool has_class = false;
  std::size_t begin = kernel.parameters + 1;
  for (std::size_t i = begin; i <= kernel.parameters_end; ++i) {
    if (i < kernel.parameters_end && text.opens(i)) return;  // arrays, functions
    if (text.is(i, "<")) i = text.closing_angle(i);
    if (i == nowhere || text.is(i, "=") || text.is(i, "...")) return;
    if (i != kernel.parameters_end && !text.is(i, ",")) continue;
    bool plain = false;
    for (std::size_t at = begin; at < i; ++at) {
      plain |= text.is_one_of(at, "*&") || is_value_type(text.word(at));
    }
    has_class |= !plain;
    // The last word is its name, if there are two.
    if (i < begin + 2 || !text.is_identifier(i - 1)) return;
    sizes += (sizes.empty() ? "sizeof(" : " + sizeof(") + std::string(text.word(i - 1)) + ')';
    begin = i + 1;
  }
  if (!has_class || sizes.empty()) return;
  checks.push_back({kernel.open, size_check(sizes, "32764", parameters_too_large)});
}

// What variables of one kind there are, between two tokens: those that can be seen from the last of
// them; those of other blocks, or other namespaces, are left alone.
struct VariableLimit {
  std::string_view qualifier;
  std::string_view most;
  std::string_view sentence;
};

void check_variables(const CudaText& text, const DeviceFunctions& functions,
                     const VariableLimit& limit, std::size_t begin, std::size_t end,
                     std::vector<SizeCheck>& checks) {
  struct Variable {
    std::size_t depth;
    std::string size;
  };
  std::vector<Variable> variables;
  std::size_t depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (text.is(i, "{")) ++depth;
    if (text.is(i, "}") && depth > 0) {
      --depth;
      std::erase_if(variables, [&](const Variable& variable) { return variable.depth > depth; });
    }
    if (!text.is(i, limit.qualifier) || !functions.is_user_code(i)) continue;
    const Declaration declaration = text.declaration_around(i);
    if (declaration.extern_word != nowhere || declaration.semicolon == nowhere) continue;
    // Of a template the size depends on its arguments.
    if (declaration.begin > 0 && text.is(declaration.begin - 1, ">")) continue;
    for (const Declarator& declarator : declaration.declarators) {
      if (declarator.name == nowhere || !text.is_identifier(declarator.name)) return;
      variables.push_back({depth, "sizeof(" + std::string(text.word(declarator.name)) + ')'});
    }
    std::string sizes;
    for (const Variable& variable : variables) {
      sizes += (sizes.empty() ? "" : " + ") + variable.size;
    }
    checks.push_back(
        {declaration.semicolon, size_check(sizes, std::string(limit.most), limit.sentence)});
    i = declaration.semicolon;
  }
}

constexpr VariableLimit shared_variables{"__shared__", "49152", shared_too_large};
constexpr VariableLimit constants{"__constant__", "65536", constants_too_large};

}  // namespace

std::vector<SizeCheck> kernel_size_checks(const CudaText& text) {
  std::vector<SizeCheck> result;
  const DeviceFunctions functions(text);
  for (const DeviceFunction& function : functions.all()) {
    if (function.open == nowhere || !functions.is_user_code(function.name)) continue;
    if (function.is_kernel) check_parameters(text, function, result);
    check_variables(text, functions, shared_variables, function.open, function.close, result);
  }
  check_variables(text, functions, constants, 0, text.tokens().size(), result);
  std::sort(result.begin(), result.end(),
            [](const SizeCheck& a, const SizeCheck& b) { return a.after < b.after; });
  return result;
}

}  // namespace emulator::compiler::diagnose
