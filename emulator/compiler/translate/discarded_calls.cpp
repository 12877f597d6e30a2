#include "compiler/translate/discarded_calls.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "compiler/text/statements.hpp"

namespace emulator::compiler::translate {
namespace {

using text::begins_statement;
using text::contains;
using text::LineMap;
using text::nowhere;
using text::TokenText;

constexpr std::array<std::string_view, 3> result_types = {"cublasStatus_t", "cudaError_t",
                                                          "cutensorStatus_t"};

constexpr std::array<std::string_view, 2> lookers = {"cudaGetLastError", "cudaPeekAtLastError"};

bool starts_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

class DiscardedCallFinder {
 public:
  DiscardedCallFinder(const TokenText& text, const LineMap& lines) : text_(text), lines_(lines) {}

  std::vector<DiscardedCall> run() {
    for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
      if (!text_.is_identifier(i) || !starts_with(text_.word(i), "cu") || !text_.is(i + 1, "(")) {
        continue;
      }
      if (is_result_type(i - 1)) {
        note_function(i);
      } else if (functions_.count(text_.word(i)) != 0) {
        note_call(i);
      }
    }
    std::sort(calls_.begin(), calls_.end(),
              [](const DiscardedCall& a, const DiscardedCall& b) { return a.close < b.close; });
    return std::move(calls_);
  }

 private:
  bool is_result_type(std::size_t i) const {
    return text_.is_identifier(i) && contains(result_types, text_.word(i));
  }

  bool in_system_header(std::size_t i) const {
    return lines_.position(text_.tokens()[i].begin).in_system_header;
  }

  // `cudaError_t cudaFree(`
  void note_function(std::size_t i) {
    const std::string_view name = text_.word(i);
    const bool is_cudas =
        starts_with(name, "cuda") || starts_with(name, "cublas") || starts_with(name, "cutensor");
    if (is_cudas && !contains(lookers, name) && in_system_header(i)) functions_.insert(name);
  }

  void note_call(std::size_t i) {
    const std::size_t begin = text_.is(i - 1, "::") ? i - 1 : i;
    const std::size_t close = text_.closing(i + 1);
    if (close == nowhere || !text_.is(close + 1, ";")) return;
    // The name may be a system header's macro, as those of cuBLAS are; the bracket is the caller's.
    if (!begins_statement(text_, begin) || gives_value(close + 1) || in_system_header(i + 1))
      return;
    calls_.push_back({begin, close, name_in_program(text_.word(i))});
  }

  // The `;` before the `})` of `({ f(); cudaFree(p); })`, which has the value of the last call.
  bool gives_value(std::size_t semicolon) const {
    return text_.is(semicolon + 1, "}") && text_.is(semicolon + 2, ")") &&
           text_.is(text_.opening(semicolon + 1) - 1, "(");
  }

  // cuBLAS's headers rename the functions of its first version.
  static std::string name_in_program(std::string_view name) {
    std::string result(name);
    const std::size_t version = result.find("_v2");
    if (version != std::string::npos) result.erase(version, 3);
    return result;
  }

  const TokenText& text_;
  const LineMap& lines_;
  std::unordered_set<std::string_view> functions_;
  std::vector<DiscardedCall> calls_;
};

}  // namespace

std::vector<DiscardedCall> discarded_calls(const TokenText& text, const LineMap& lines) {
  return DiscardedCallFinder(text, lines).run();
}

}  // namespace emulator::compiler::translate
