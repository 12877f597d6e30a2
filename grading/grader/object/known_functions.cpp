#include "grader/object/known_functions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace course::tool::grading {
namespace {

/// Functions that are known by a part of their names.
struct KnownPart {
  std::string_view part;
  Uses uses;
};

/// The first that fits. Which of the libraries' functions may be called is decided by their
/// beginnings.
constexpr KnownPart known_parts[] = {
    {"course_mem", writes(1)},
    {"course_sincos", writes(1, 2)},
    {"course_frexp", writes(1)},
    {"course_modf", writes(1)},
    {"course_remquo", writes(1)},
    {"__tsan_atomic", writes(1, 2)},
    {"cublasCreate", writes(1)},
    {"cublasGetVector", writes(5)},
    {"cublasGetMatrix", writes(6)},
    {"cublasGetLoggerCallback", writes(1)},
    {"cublasLtMatmulAlgoGetHeuristic", writes(9, 10)},
    {"cublasLtMatmulAlgoGetIds", writes(9, 10)},
    {"cublasLtMatmulAlgoInit", writes(9)},
    {"cublasLtMatmulAlgoCheck", writes(8)},
    {"cublasLtMatmulAlgoConfigGetAttribute", writes(3, 5)},
    {"cublasLtMatmulAlgoConfigSetAttribute", writes(1)},
    {"cublasLtCreate", writes(1)},
    {"cublasLtGetProperty", writes(2)},
    {"cublasLtMatrixLayoutCreate", writes(1)},
    {"cublasLtMatrixLayoutInit_internal", writes(1)},
    {"cublasLtMatrixLayoutSetAttribute", writes(1)},
    {"cublasLtMatrixLayoutGetAttribute", writes(3, 5)},
    {"cublasLtMatmulDescCreate", writes(1)},
    {"cublasLtMatmulDescInit_internal", writes(1)},
    {"cublasLtMatmulDescSetAttribute", writes(1)},
    {"cublasLtMatmulDescGetAttribute", writes(3, 5)},
    {"cublasLtMatmulPreferenceCreate", writes(1)},
    {"cublasLtMatmulPreferenceInit_internal", writes(1)},
    {"cublasLtMatmulPreferenceSetAttribute", writes(1)},
    {"cublasLtMatmulPreferenceGetAttribute", writes(3, 5)},
    {"cublasLtMatrixTransformDescCreate", writes(1)},
    {"cublasLtMatrixTransformDescInit_internal", writes(1)},
    {"cublasLtMatrixTransformDescSetAttribute", writes(1)},
    {"cublasLtMatrixTransformDescGetAttribute", writes(3, 5)},
    {"cublasGet", writes(2)},
    {"Nrm2Ex", writes(6)},
    {"AsumEx", writes(6)},
    {"IamaxEx", writes(6)},
    {"IaminEx", writes(6)},
    {"DotEx", writes(9)},
    {"DotcEx", writes(9)},
    {"RotgEx", writes(2, 3, 5, 6)},
    {"RotmgEx", writes(2, 4, 6, 10)},
    {"getrsBatched", writes(10)},
    {"cutensorCreateTensorDescriptor", writes(2)},
    {"cutensorCreateContraction", writes(2)},
    {"cutensorCreateReduction", writes(2)},
    {"cutensorCreatePermutation", writes(2)},
    {"cutensorCreateElementwise", writes(2)},
    {"cutensorCreatePlan", writes(2)},
    {"cutensorCreate", writes(1)},
    {"cutensorOperationDescriptorGet", writes(4)},
    {"cutensorPlanPreferenceGet", writes(4)},
    {"cutensorPlanGet", writes(4)},
    {"cutensorEstimateWorkspaceSize", writes(5)},
    {"rotg", writes(2, 3, 4, 5)},
    {"rotmg", writes(2, 3, 4, 5, 6)},
    {"nrm2", writes(5)},
    {"asum", writes(5)},
    {"amax", writes(5)},
    {"amin", writes(5)},
    {"dot", writes(7)},
    {"__cxa_atexit", calls(1)},
    {"__cxa_thread_atexit", calls(1)},
    {"__cxa_throw", calls(3)},
    {"cublasSetLoggerCallback", calls(1)},
    {"cublasLtLoggerSetCallback", calls(1)},
};

/// What the compiler's hooks and the judge's own versions of C's functions are called, also by
/// kernels.
constexpr std::string_view beginnings_in_kernels[] = {"__tsan_", "__sanitizer_cov_", "__ubsan_",
                                                      "course_"};

/// How a function of this qualified name begins when mangled: its length is before each part,
/// so that nothing else begins like that.
std::string mangled(std::string_view name) {
  const bool is_nested = name.find("::") != std::string_view::npos;
  std::string text = is_nested ? "_ZN" : "_Z";
  while (!name.empty()) {
    const std::size_t end = std::min(name.find("::"), name.size());
    text += std::to_string(end) + std::string(name.substr(0, end));
    name.remove_prefix(std::min(end + 2, name.size()));
  }
  return text;
}

}  // namespace

const KnownFunction* known_function(const std::string& symbol) {
  static const auto& beginnings =
      *new std::vector<std::pair<std::string, const KnownFunction*>>([] {
        std::vector<std::pair<std::string, const KnownFunction*>> all;
        for (const auto functions : {functions_of_cuda(), functions_of_emulator()}) {
          for (const KnownFunction& function : functions) {
            all.emplace_back(mangled(function.name), &function);
          }
        }
        return all;
      }());
  for (const auto& [beginning, function] : beginnings) {
    if (symbol == function->name || symbol.starts_with(beginning)) return function;
  }
  return nullptr;
}

Uses uses_of(const std::string& symbol) {
  if (const KnownFunction* const function = known_function(symbol)) return function->uses;
  Uses uses{};
  for (const KnownPart& known : known_parts) {
    if (symbol.find(known.part) == std::string::npos) continue;
    uses = known.uses;
    break;
  }
  for (const std::string_view beginning : beginnings_in_kernels) {
    uses.in_kernels = uses.in_kernels || symbol.starts_with(beginning);
  }
  return uses;
}

}  // namespace course::tool::grading
