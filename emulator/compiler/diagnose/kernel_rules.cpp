#include "compiler/diagnose/kernel_rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <unordered_set>

#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::contains;
using text::CudaText;
using text::Declaration;
using text::Declarator;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::is_value_type;
using text::LineMap;
using text::nowhere;
using text::Position;
using text::unquoted;

using Names = std::unordered_set<std::string_view>;

// Words before a name that do not make a declaration of it.
constexpr std::array<std::string_view, 9> no_types = {
    "return", "else", "do", "case", "throw", "goto", "co_return", "co_await", "new"};

// CUDA's host functions that NVIDIA's device runtime has, too; nvcc takes most of them in kernels
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

class Rules {
 public:
  Rules(const CudaText& text, const LineMap& lines, bool is_separate)
      : text_(text), lines_(lines), functions_(text), is_separate_(is_separate) {
    for (const DeviceFunction& function : functions_.all()) {
      device_names_.insert(text_.word(function.name));
      if (function.is_kernel) kernels_.insert(text_.word(function.name));
    }
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is(i, "__constant__")) read_constant(i);
      if (text_.is(i, "cudaError_t") && text_.is(i + 2, "(") && !functions_.is_users(i)) {
        note_cuda_function(i + 1);
      }
    }
  }

  std::vector<std::string> broken() {
    for (const DeviceFunction& function : functions_.all()) {
      if (!functions_.is_users(function.name)) continue;
      if (function.is_kernel) look_at_head(function);
      if (function.open != nowhere) look_at_body(function);
    }
    if (!functions_.all().empty() || !constants_.empty() || launches_something()) {
      find_host_definitions();
      look_at_names();
    }
    std::vector<std::string> result;
    for (const auto& [offset, message] : messages_) {
      const Position position = lines_.position(offset);
      const std::string place =
          std::string(unquoted(position.file)) + ':' + std::to_string(position.line) + ':';
      // One a line: the first.
      if (!result.empty() && result.back().starts_with(place)) continue;
      result.push_back(place + std::to_string(position.column + 1) + ": error: " + message);
    }
    return result;
  }

 private:
  // Without a kernel, too: then what is launched is none.
  bool launches_something() const {
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is(i, "<<<")) return true;
    }
    return false;
  }

  void complain(std::size_t i, const std::string& message) {
    messages_.emplace(text_.tokens()[i].begin, message);
  }

  std::string quote(std::size_t i) const { return "'" + std::string(text_.word(i)) + "'"; }

  // ---------------------------------------------------------------- reading

  // `cudaError_t cudaMemcpy(` in a header of CUDA's
  void note_cuda_function(std::size_t i) {
    if (!text_.is_identifier(i)) return;
    const std::string_view name = text_.word(i);
    if (name.starts_with("cuda") && !contains(also_on_device, name)) cuda_functions_.insert(name);
  }

  void read_constant(std::size_t i) {
    if (!functions_.is_users(i)) return;
    const Declaration declaration = text_.declaration_around(i);
    if (declaration.is_const || declaration.semicolon == nowhere) return;
    for (const Declarator& declarator : declaration.declarators) {
      if (declarator.name != nowhere && text_.is_identifier(declarator.name) &&
          declarator.end == declarator.name + 1) {
        constants_.insert(text_.word(declarator.name));
      }
    }
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
      if (text_.is(i, "noexcept")) complain(i, "a __global__ function cannot be 'noexcept'");
    }
    if (!returns_void && other_type != nowhere && !has_trailing_type) {
      complain(kernel.name, "a __global__ function returns nothing: its type must be void");
    }
    if (text_.is(kernel.name, "main")) {
      complain(kernel.name, "'main' is the host's: it cannot be a __global__ function");
    }
    for (std::size_t i = kernel.parameters; i < kernel.parameters_end; ++i) {
      if (text_.is(i, "...") && text_.is_one_of(i - 1, "(,") && text_.is(i + 1, ")")) {
        complain(i, "a __global__ function cannot have '...' among its parameters");
      }
      if (text_.is(i, "initializer_list")) {
        complain(i, "a std::initializer_list cannot be a parameter of a __global__ function");
      }
    }
    if (!is_friend && is_member(kernel.begin)) {
      complain(kernel.name, "a __global__ function cannot be a member of a class");
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

  // A function that is another one for the host may do there what it likes.
  bool is_two(const DeviceFunction& function) const {
    for (std::size_t i = function.open; i < function.close; ++i) {
      if (text_.is(i, "for_device")) return true;
    }
    return false;
  }

  bool is_template(const DeviceFunction& function) const {
    return text_.is(function.begin, "template");
  }

  void look_at_body(const DeviceFunction& function) {
    if (is_two(function)) return;
    for (std::size_t i = function.open + 1; i < function.close; ++i) {
      if (text_.is(i, "<<<") && functions_.is_users(i) && !is_separate_) {
        complain(i, "device code launches a kernel only if it is compiled with -rdc=true");
      }
      if (!text_.is_identifier(i) || !functions_.is_users(i)) continue;
      const std::string_view word = text_.word(i);
      // A template may be the host's alone in the end.
      const bool throws = word == "throw" || word == "try";
      if (throws && (function.is_kernel || !is_template(function))) {
        complain(i, quote(i) + " does not work on a GPU: device code has no exceptions");
      }
      if (!function.is_kernel) continue;
      if (text_.is(i + 1, "(") && cuda_functions_.contains(word)) {
        complain(i, "a kernel cannot call " + quote(i) + ", which is a function of the host's");
      }
      if (word == "typeid" || word == "dynamic_cast") {
        complain(i, quote(i) + " does not work on a GPU: device code knows no types at run time");
      } else if (word == "thread_local") {
        complain(i, "device code has no thread_local variables: a kernel's are each thread's own");
      }
    }
  }

  // ---------------------------------------------------------------- names

  // Whether token i, a name, is declared there: a word or `*` stands before it, as in `int n`.
  bool is_declared_at(std::size_t i) const {
    if (text_.is_identifier(i - 1)) return !contains(no_types, text_.word(i - 1));
    return text_.is_one_of(i - 1, "*&>") && text_.is_identifier(i - 2) &&
           text_.is_one_of(i + 1, ",;=)[{");
  }

  // `struct` and the rest of namespace scope: no other brace than a namespace's is open.
  void find_host_definitions() {
    std::vector<bool> outer;  // for each open brace: is it a namespace's?
    std::size_t inner = 0;
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (text_.is(i, "{")) {
        outer.push_back(text_.is_linkage(i) || opens_namespace(i));
        if (!outer.back()) ++inner;
      } else if (text_.is(i, "}") && !outer.empty()) {
        if (!outer.back()) --inner;
        outer.pop_back();
      } else if (inner == 0 && text_.is_identifier(i) && functions_.is_users(i)) {
        note_host_name(i);
      }
    }
  }

  bool opens_namespace(std::size_t i) const {
    for (std::size_t at = i; at > 0 && !text_.is_one_of(at - 1, ";{})"); --at) {
      if (text_.is(at - 1, "namespace")) return true;
    }
    return false;
  }

  // Token i, a name at namespace scope: `int name(...) {` or `const int name[3] =`.
  void note_host_name(std::size_t i) {
    if (!text_.is_one_of(i + 1, "([") || !text_.is_identifier(i - 1)) return;
    const std::size_t begin = functions_.declaration_begin(i);
    bool is_const = false;
    bool is_constexpr = false;
    for (std::size_t at = begin; at < i; ++at) {
      if (text_.is(at, "__device__") || text_.is(at, "__global__") ||
          text_.is(at, "__constant__") || text_.is(at, "__managed__") || text_.is(at, "extern") ||
          text_.is_one_of(at, "(=")) {
        return;
      }
      is_constexpr |= text_.is(at, "constexpr") || text_.is(at, "consteval");
      is_const |= text_.is(at, "const");
    }
    if (text_.is(i + 1, "[")) {
      if (is_const || is_constexpr) host_arrays_.insert(text_.word(i));
      return;
    }
    const std::size_t close = text_.closing(i + 1);
    if (close == nowhere || !text_.is(close + 1, "{")) return;
    if (!is_constexpr) host_functions_.insert(text_.word(i));
  }

  void look_at_names() {
    Names declared_twice;
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (!text_.is_identifier(i) || !is_of_interest(text_.word(i))) continue;
      // A function that a system header has, too, may be the one that is called.
      const bool call = text_.is(i + 1, "(") && host_functions_.contains(text_.word(i));
      if (!functions_.is_users(i) && call) declared_twice.insert(text_.word(i));
      if (functions_.is_users(i) && is_declared_at(i) && !is_its_declaration(i)) {
        declared_twice.insert(text_.word(i));
      }
    }
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (!text_.is_identifier(i) || !is_of_interest(text_.word(i)) || !functions_.is_users(i))
        continue;
      if (declared_twice.contains(text_.word(i)) || is_declared_at(i)) continue;
      if (text_.is_one_of(i - 1, ".") || text_.is(i - 1, "->") || text_.is(i - 1, "::")) continue;
      look_at_name(i);
    }
  }

  bool is_of_interest(std::string_view name) const {
    return kernels_.contains(name) || constants_.contains(name) || host_arrays_.contains(name) ||
           (host_functions_.contains(name) && !device_names_.contains(name));
  }

  // The one that made the name of interest: outside of all functions.
  bool is_its_declaration(std::size_t i) const {
    const std::string_view name = text_.word(i);
    for (std::size_t at = functions_.declaration_begin(i); at < i; ++at) {
      if (text_.is(at, "__global__") && kernels_.contains(name)) return text_.is(i + 1, "(");
      if (text_.is(at, "__constant__") && constants_.contains(name)) return true;
    }
    if (host_functions_.contains(name)) return text_.is(i + 1, "(");
    return host_arrays_.contains(name) && text_.is(i + 1, "[") && kernel_around(i) == nullptr;
  }

  const DeviceFunction* kernel_around(std::size_t i) const {
    const auto found = std::find_if(functions_.all().begin(), functions_.all().end(),
                                    [&](const DeviceFunction& function) {
                                      return function.is_kernel && function.open != nowhere &&
                                             function.open < i && i < function.close;
                                    });
    return found == functions_.all().end() ? nullptr : &*found;
  }

  void look_at_name(std::size_t i) {
    const std::string_view name = text_.word(i);
    if (constants_.contains(name)) {
      if (is_written(i)) {
        complain(i, "a __constant__ variable cannot be written: " + quote(i) +
                        " gets its value by cudaMemcpyToSymbol()");
      }
    } else if (kernels_.contains(name)) {
      // A function of the same name may be meant, of another namespace.
      if (!host_functions_.contains(name) && is_called_as_statement(i)) {
        complain(i, "a kernel is launched, not called: write " + std::string(name) +
                        "<<<blocks, threads>>>(...)");
      }
    } else if (host_functions_.contains(name)) {
      if (text_.is(i + 1, "<<<")) {
        complain(i, quote(i) +
                        " is no kernel: only a __global__ function can be launched with <<<...>>>");
      } else if (text_.is(i + 1, "(")) {
        const DeviceFunction* const kernel = kernel_around(i);
        if (kernel != nullptr && !is_two(*kernel)) {
          complain(i, "a kernel cannot call " + quote(i) +
                          ", which is a __host__ function; one of yours can be declared "
                          "__host__ __device__");
        }
      }
    } else if (text_.is(i + 1, "[") && kernel_around(i) != nullptr && !is_constant_expression(i)) {
      complain(i,
               quote(i) +
                   " is an array of the host, which a kernel cannot use: declare it __constant__");
    }
  }

  // `n = 1`, `n += 1`, `++n`, `n--`; most operators are tokens of one character.
  bool is_written(std::size_t i) const {
    const auto twice = [this](std::size_t first) {
      return (text_.is(first, "+") && text_.is(first + 1, "+")) || text_.is(first, "--");
    };
    if (text_.is(i - 1, "&")) return false;  // `*&n = 1`
    if (text_.is(i + 1, "=") || twice(i + 1)) return true;
    if (text_.is_one_of(i + 1, "+-*/%&|^") && text_.is(i + 2, "=")) return true;
    return text_.is(i - 1, "--") || (i > 1 && twice(i - 2));
  }

  // `k(p);` or `k<float>(p);`, a statement for itself.
  bool is_called_as_statement(std::size_t i) const {
    if (!text_.is_one_of(i - 1, ";{}") && !text_.is(i - 1, "else")) return false;
    std::size_t open = i + 1;
    if (text_.is(open, "<")) {
      const std::size_t angle = text_.closing_angle(open);
      if (angle == nowhere) return false;
      open = angle + 1;
    }
    if (!text_.is(open, "(")) return false;
    const std::size_t close = text_.closing(open);
    return close != nowhere && text_.is(close + 1, ";");
  }

  // Whether the statement up to token i has a word that makes a constant of what follows.
  bool is_constant_expression(std::size_t i) const {
    for (; i > 0 && !text_.is_one_of(i - 1, ";{}"); --i) {
      for (const std::string_view word :
           {"constexpr", "static_assert", "sizeof", "decltype", "if", "alignof"}) {
        if (text_.is(i - 1, word)) return true;
      }
    }
    return false;
  }

  const CudaText& text_;
  const LineMap& lines_;
  const DeviceFunctions functions_;
  const bool is_separate_;
  Names kernels_;
  Names device_names_;
  Names host_functions_;
  Names cuda_functions_;                         // for the host alone
  Names host_arrays_;                            // constant ones
  Names constants_;                              // with __constant__
  std::map<std::size_t, std::string> messages_;  // by their place in the text
};

}  // namespace

std::vector<std::string> broken_kernel_rules(const CudaText& text, const LineMap& lines,
                                             bool is_separate) {
  return Rules(text, lines, is_separate).broken();
}

}  // namespace emulator::compiler::diagnose
