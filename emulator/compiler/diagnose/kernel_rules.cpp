#include "compiler/diagnose/kernel_rules.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

#include "compiler/diagnose/name_rules.hpp"
#include "compiler/diagnose/rule_messages.hpp"
#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::contains;
using text::CudaText;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::is_value_type;
using text::LineMap;
using text::nowhere;

// CUDA's host functions that NVIDIA's device runtime also has; nvcc takes most of them in kernels
// with -rdc only. What else of CUDA's begins with cuda and gives a cudaError_t is the host's alone.
constexpr std::array<std::string_view, 27> also_on_device = {
    "cudaDeviceGetAttribute",
    "cudaDeviceGetCacheConfig",
    "cudaDeviceGetLimit",
    "cudaEventCreateWithFlags",
    "cudaEventDestroy",
    "cudaEventRecord",
    "cudaEventRecordWithFlags",
    "cudaFree",
    "cudaFuncGetAttributes",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetLastError",
    "cudaGraphLaunch",
    "cudaMalloc",
    "cudaMemcpy2DAsync",
    "cudaMemcpy3DAsync",
    "cudaMemcpyAsync",
    "cudaMemset2DAsync",
    "cudaMemset3DAsync",
    "cudaMemsetAsync",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaPeekAtLastError",
    "cudaRuntimeGetVersion",
    "cudaStreamCreateWithFlags",
    "cudaStreamDestroy",
    "cudaStreamWaitEvent"};

// The rules for a function by itself: its head, if it is a kernel's, and its body.
class FunctionRules {
 public:
  FunctionRules(const CudaText& text, const DeviceFunctions& functions, RuleMessages& messages,
                bool is_separate)
      : text_(text), functions_(functions), messages_(messages), is_separate_(is_separate) {
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is(i, "cudaError_t") && text_.is(i + 2, "(") && !functions_.is_user_code(i)) {
        note_cuda_function(i + 1);
      }
    }
  }

  void check() {
    for (const DeviceFunction& function : functions_.all()) {
      if (!functions_.is_user_code(function.name)) continue;
      if (function.is_kernel) look_at_head(function);
      if (function.open != nowhere) look_at_body(function);
    }
  }

 private:
  // `cudaError_t cudaMemcpy(` in a header of CUDA's
  void note_cuda_function(std::size_t i) {
    if (!text_.is_identifier(i)) return;
    const std::string_view name = text_.word(i);
    if (name.starts_with("cuda") && !contains(also_on_device, name)) cuda_functions_.insert(name);
  }

  // ---------------------------------------------------------------- a kernel's head

  void look_at_head(const DeviceFunction& kernel) {
    bool returns_void = false;
    std::size_t other_type = nowhere;
    bool is_friend = false;
    for (std::size_t i = kernel.begin; i < kernel.name; ++i) {
      if (text_.is(i, "template") && text_.is(i + 1, "<")) {
        i = text_.closing_angle(i + 1);
        if (i == nowhere) return;
      }
      if (text_.is_identifier(i) && is_value_type(text_.word(i))) other_type = i;
      returns_void |= text_.is(i, "void");
      is_friend |= text_.is(i, "friend");
    }
    bool has_trailing_type = false;
    const std::size_t end = kernel.open == nowhere ? kernel.parameters_end + 4 : kernel.open;
    for (std::size_t i = kernel.parameters_end + 1; i < end; ++i) {
      if (text_.is_one_of(i, ";}")) break;
      has_trailing_type |= text_.is(i, "->");
      if (text_.is(i, "noexcept")) messages_.add(i, "a __global__ function cannot be 'noexcept'");
    }
    if (!returns_void && other_type != nowhere && !has_trailing_type) {
      messages_.add(kernel.name, "a __global__ function returns nothing: its type must be void");
    }
    if (text_.is(kernel.name, "main")) {
      messages_.add(kernel.name, "'main' is the host's: it cannot be a __global__ function");
    }
    for (std::size_t i = kernel.parameters; i < kernel.parameters_end; ++i) {
      if (text_.is(i, "...") && text_.is_one_of(i - 1, "(,") && text_.is(i + 1, ")")) {
        messages_.add(i, "a __global__ function cannot have '...' among its parameters");
      }
      if (text_.is(i, "initializer_list")) {
        messages_.add(i, "a std::initializer_list cannot be a parameter of a __global__ function");
      }
    }
    if (!is_friend && is_member(kernel.begin)) {
      messages_.add(kernel.name, "a __global__ function cannot be a member of a class");
    }
  }

  // Whether the braces around token i are, the innermost first, those of a class.
  bool is_member(std::size_t i) const {
    std::size_t depth = 0;
    while (i-- > 0) {
      if (text_.is(i, "}")) ++depth;
      if (!text_.is(i, "{") || depth-- != 0) continue;
      bool is_class = false;
      for (std::size_t at = i; at > 0 && !text_.is_one_of(at - 1, ";{}"); --at) {
        if (text_.is_one_of(at - 1, "()=") || text_.is(at - 1, "enum")) return false;
        is_class |= text_.is(at - 1, "struct") || text_.is(at - 1, "class");
      }
      return is_class;
    }
    return false;
  }

  // ---------------------------------------------------------------- a function's body

  bool is_template(const DeviceFunction& function) const {
    return text_.is(function.begin, "template");
  }

  void look_at_body(const DeviceFunction& function) {
    if (has_host_body(text_, function)) return;
    for (std::size_t i = function.open + 1; i < function.close; ++i) {
      // A template may be the host's alone in the end.
      const bool is_of_device = function.is_kernel || !is_template(function);
      if (text_.is(i, "<<<") && functions_.is_user_code(i) && !is_separate_ && is_of_device) {
        messages_.add(i, "device code launches a kernel only if it is compiled with -rdc=true");
      }
      if (!text_.is_identifier(i) || !functions_.is_user_code(i)) continue;
      const std::string_view word = text_.word(i);
      const bool throws = word == "throw" || word == "try";
      if (throws && is_of_device) {
        messages_.add(
            i, messages_.quote(i) + " does not work on a GPU: device code has no exceptions");
      }
      if (!function.is_kernel) continue;
      if (text_.is(i + 1, "(") && cuda_functions_.contains(word)) {
        messages_.add(i, "a kernel cannot call " + messages_.quote(i) +
                             ", which is a function of the host's");
      }
      if (word == "typeid" || word == "dynamic_cast") {
        messages_.add(i, messages_.quote(i) +
                             " does not work on a GPU: device code knows no types at run time");
      } else if (word == "thread_local") {
        messages_.add(
            i, "device code has no thread_local variables: a kernel's are each thread's own");
      }
    }
  }

  const CudaText& text_;
  const DeviceFunctions& functions_;
  RuleMessages& messages_;
  const bool is_separate_;
  std::unordered_set<std::string_view> cuda_functions_;  // for the host alone
};

}  // namespace

std::vector<std::string> kernel_rule_violations(const CudaText& text, const LineMap& lines,
                                                bool is_separate) {
  const DeviceFunctions functions(text);
  RuleMessages messages(text, lines);
  FunctionRules(text, functions, messages, is_separate).check();
  check_names(text, functions, messages);
  return messages.lines();
}

}  // namespace emulator::compiler::diagnose
