#include "compiler/diagnose/clang_check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "compiler/text/token_text.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::contains;

// `file.cu:12:5: error: text`, and the notes that follow it.
struct Diagnostic {
  std::string_view file;
  std::string_view place;  // `file.cu:12`, for one message per line
  std::string_view where;  // `file.cu:12:5`
  std::string_view text;
  std::vector<std::string_view> notes;
};

// What is between the quotation marks after `from`.
std::string_view quoted(std::string_view text, std::string_view from) {
  std::size_t begin = text.find(from);
  if (begin == std::string_view::npos) return {};
  begin += from.size();
  return text.substr(begin, text.find('\'', begin) - begin);
}

std::vector<Diagnostic> read(std::string_view output) {
  std::vector<Diagnostic> result;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::string_view line = output.substr(begin, output.find('\n', begin) - begin);
    begin += line.size() + 1;
    const std::size_t note = line.find(": note: ");
    if (note != std::string_view::npos) {
      if (!result.empty()) result.back().notes.push_back(line.substr(note + 8));
      continue;
    }
    for (const std::string_view word : {": error: ", ": fatal error: "}) {
      const std::size_t at = line.find(word);
      if (at == std::string_view::npos) continue;
      const std::string_view where = line.substr(0, at);
      const std::string_view place = where.substr(0, where.rfind(':'));
      result.push_back(
          {place.substr(0, place.rfind(':')), place, where, line.substr(at + word.size()), {}});
      break;
    }
  }
  return result;
}

// Whose a function or a variable is: what is at the beginning, or nothing.
std::string_view execution_space(std::string_view text) {
  for (const std::string_view word :
       {"__host__ __device__", "__host__", "__device__", "__global__"}) {
    if (text.starts_with(word)) return word;
  }
  return {};
}

// The two sides of `reference to __host__ function 'f' in __global__ function`.
struct ExecutionSpaces {
  std::string_view of;
  std::string_view in;
};

std::optional<ExecutionSpaces> execution_spaces(std::string_view text, std::string_view before,
                                                std::string_view between) {
  const std::size_t first = text.find(before);
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(first + before.size());
  const std::size_t second = rest.rfind(between);
  if (second == std::string_view::npos) return std::nullopt;
  const ExecutionSpaces result{execution_space(rest),
                               execution_space(rest.substr(second + between.size()))};
  if (result.of.empty() || result.in.empty()) return std::nullopt;
  return result;
}

std::string caller(std::string_view in) {
  if (in == "__global__") return "a kernel";
  if (in == "__device__") return "a __device__ function";
  return "the host";
}

// nvcc only warns where a function of both sides calls one of the host: it may never do so on a
// device.
bool is_only_a_warning(const ExecutionSpaces& spaces) {
  return spaces.in == "__host__ __device__";
}

// A call of a function that is of no use where it is.
std::string wrong_call(const std::string& what, const ExecutionSpaces& spaces) {
  if (spaces.of == "__global__") return what + " is a kernel: launch it with <<<blocks, threads>>>";
  return caller(spaces.in) + " cannot call " + what + ", which is a " + std::string(spaces.of) +
         " function; one of yours can be declared __host__ __device__";
}

// The subject of the sentence, from what clang says cannot be called.
std::string called(std::string_view text) {
  const auto in_quotes = [](std::string_view name) {
    // As clang_begin.h has renamed it.
    if (name.starts_with("emulator__")) name.remove_prefix(8);
    return "'" + std::string(name) + "'";
  };
  if (const std::string_view name = quoted(text, "for call to '"); !name.empty()) {
    return in_quotes(name);
  }
  if (const std::string_view name = quoted(text, "constructor for initialization of '");
      !name.empty()) {
    return "the constructor of " + in_quotes(name);
  }
  if (contains(text, "operand") || contains(text, "overloaded")) return "this operator";
  return "what is called here";
}

// clang's words for a rule of CUDA's, and ours. The order is of no importance.
struct Rule {
  std::string_view clangs;
  std::string_view ours;
};
constexpr std::array<Rule, 13> rules = {{
    {"must have void return type", "a __global__ function returns nothing: its type must be void"},
    {"must be a free function or static member function",
     "a __global__ function cannot be a member of a class"},
    {"not configured",
     "a kernel is launched, not called: write <<<blocks, threads>>> after its name"},
    {"kernel call to non-global function",
     "only a __global__ function can be launched with <<<...>>>"},
    {"cannot use variable-length arrays in __",
     "an array's length must be a constant in a kernel and in a __device__ function"},
    {"cannot use 'throw' in __", "'throw' does not work on a GPU: device code has no exceptions"},
    {"cannot use 'try' in __", "'try' does not work on a GPU: device code has no exceptions"},
    {"initialization is not supported for __shared__ variables", ""},
    {"__shared__ local variables not allowed in __host__ functions",
     "a host function has no __shared__ variables"},
    {"are not allowed on non-static local variables",
     "a __constant__ or __device__ variable must be declared outside functions"},
    {"dynamic initialization is not supported for __device__",
     "a variable of the device needs an initial value that is known when it is compiled"},
    {"variables cannot have external linkage", ""},
    {"may be marked 'static'", ""},
}};

// A launch in device code, which clang does not have. (Or a call: in the same words.)
bool is_of_kernel_in_kernel(const Diagnostic& diagnostic) {
  const auto found = execution_spaces(diagnostic.text, "reference to ", " in ");
  return found && found->of == "__global__" && found->in != "__host__";
}

// An empty sentence: a rule of clang's that is not nvcc's. Nothing: none that we know.
std::optional<std::string> sentence(const Diagnostic& diagnostic) {
  for (const std::string_view note : diagnostic.notes) {
    const auto found = execution_spaces(note, "call to ", " function from ");
    if (!found) continue;
    return is_only_a_warning(*found) ? "" : wrong_call(called(diagnostic.text), *found);
  }
  if (const auto found = execution_spaces(diagnostic.text, "reference to ", " in ")) {
    if (is_only_a_warning(*found)) return "";
    const std::string_view variable = quoted(diagnostic.text, " variable '");
    if (variable.empty()) {
      return wrong_call("'" + std::string(quoted(diagnostic.text, " function '")) + "'", *found);
    }
    return "'" + std::string(variable) + "' is a variable of the host, which " + caller(found->in) +
           " cannot use: pass it as an argument, or declare it __device__ or __constant__";
  }
  for (const Rule& rule : rules) {
    if (contains(diagnostic.text, rule.clangs)) return std::string(rule.ours);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> clang_findings(std::string_view output,
                                        const std::function<bool(std::string_view)>& is_user_file,
                                        bool is_separate) {
  std::vector<std::string> result;
  std::set<std::string_view> places;
  for (const Diagnostic& diagnostic : read(output)) {
    if (is_separate && is_of_kernel_in_kernel(diagnostic)) continue;
    const std::optional<std::string> text = sentence(diagnostic);
    // What follows from a mistake that was reported, such as an operator of the host's.
    if (!text && places.contains(diagnostic.place)) continue;
    if (!text) return {};
    if (text->empty() || !is_user_file(diagnostic.file)) continue;
    if (!places.insert(diagnostic.place).second) continue;
    result.push_back(std::string(diagnostic.where) + ": error: " + *text);
  }
  return result;
}

}  // namespace emulator::compiler::diagnose
