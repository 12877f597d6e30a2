#include "compiler/diagnose/lockstep_warnings.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/device_functions.hpp"
#include "compiler/text/line_map.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::any_marker;
using text::CudaText;
using text::DeviceFunction;
using text::DeviceFunctions;
using text::lex;
using text::LexedText;
using text::LineMap;
using text::LineMarker;
using text::nowhere;
using text::Position;
using text::unquoted;

// `s[t] += s[t + 16]`, by its tokens.
struct Step {
  std::size_t name;
  std::size_t close;  // `]` of what is written
  std::size_t end;    // `;`
};

class StepFinder {
 public:
  explicit StepFinder(const CudaText& text) : text_(text), functions_(text) {}

  // The step in each function that comes too early, as a token.
  std::vector<std::size_t> early_steps() const {
    std::vector<std::size_t> result;
    for (const DeviceFunction& function : functions_.all()) {
      if (function.open == nowhere || !functions_.is_user_code(function.name)) continue;
      const std::size_t found = early_step(function);
      if (found != nowhere) result.push_back(found);
    }
    return result;
  }

 private:
  std::size_t early_step(const DeviceFunction& function) const {
    const std::vector<std::string_view> names = volatile_names(function);
    if (names.empty()) return nowhere;
    Step last{nowhere, nowhere, nowhere};
    for (std::size_t i = function.open; i < function.close; ++i) {
      if (std::find(names.begin(), names.end(), text_.word(i)) == names.end()) continue;
      const Step step = step_at(i);
      if (step.name == nowhere) continue;
      const bool again = last.name != nowhere && text_.word(last.name) == text_.word(i) &&
                         !synchronises(last.end, i);
      if (again || is_repeated(function, step)) return i;
      last = step;
      i = step.end;
    }
    return nowhere;
  }

  // `volatile float* s`, `__shared__ volatile int s[64]`
  std::vector<std::string_view> volatile_names(const DeviceFunction& function) const {
    std::vector<std::string_view> names;
    for (std::size_t i = function.parameters; i < function.close; ++i) {
      if (!text_.is(i, "volatile")) continue;
      std::size_t at = i + 1;
      while (at < function.close && !text_.is_one_of(at, ",;=[(){}")) ++at;
      if (at > i + 2 && text_.is_identifier(at - 1) && !text_.is_one_of(at, "(}")) {
        names.push_back(text_.word(at - 1));
      }
    }
    return names;
  }

  // The statement that begins with token i, if it is a step.
  Step step_at(std::size_t i) const {
    const Step none{nowhere, nowhere, nowhere};
    if (!text_.is_one_of(i - 1, ";{})") && !text_.is(i - 1, "else")) return none;
    if (!text_.is(i + 1, "[")) return none;
    const std::size_t close = text_.closing(i + 1);
    if (close == nowhere || text_.is_literal(i + 2)) return none;
    std::size_t at = close + 1;
    if (text_.is_one_of(at, "+-*|&^")) ++at;
    if (!text_.is(at, "=") || text_.is(at + 1, "=")) return none;
    bool reads_other = false;
    for (++at; at < text_.tokens().size() && !text_.is_one_of(at, ";{}"); ++at) {
      if (text_.word(at) == text_.word(i) && text_.is(at + 1, "[")) {
        reads_other = reads_other || goes_further(at + 2, i + 2, close);
      }
    }
    return reads_other ? Step{i, close, at} : none;
  }

  // Whether the index at token `other` is that of [begin, end) and something more: `t + 16`.
  bool goes_further(std::size_t other, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i, ++other) {
      if (!text_.is(other, text_.word(i))) return false;
    }
    return text_.is_one_of(other, "+-^");
  }

  bool synchronises(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (text_.is(i, "sync") || (text_.is_identifier(i) && text_.word(i).starts_with("__sync"))) {
        return true;
      }
    }
    return false;
  }

  // Whether a loop repeats the step without anything in between, for the same element.
  bool is_repeated(const DeviceFunction& function, const Step& step) const {
    for (std::size_t i = function.open; i < step.name; ++i) {
      if (!(text_.is(i, "for") || text_.is(i, "while")) || !text_.is(i + 1, "(")) continue;
      const std::size_t head = text_.closing(i + 1);
      if (head == nowhere || head > step.name) continue;
      const std::size_t end = text_.is(head + 1, "{") ? text_.closing(head + 1) : step.end;
      const bool inside = text_.is(head + 1, "{") ? end > step.end : !ends_before(head, step.name);
      if (!inside || synchronises(head, end)) continue;
      if (!shares_name(step.name + 2, step.close, i + 2, head)) return true;
    }
    return false;
  }

  bool ends_before(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (text_.is(i, ";")) return true;
    }
    return false;
  }

  bool shares_name(std::size_t begin, std::size_t end, std::size_t other_begin,
                   std::size_t other_end) const {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t at = other_begin; text_.is_identifier(i) && at < other_end; ++at) {
        if (text_.is(at, text_.word(i))) return true;
      }
    }
    return false;
  }

  const CudaText& text_;
  const DeviceFunctions functions_;
};

}  // namespace

std::vector<std::string> lockstep_warnings(std::string_view preprocessed) {
  // Few programs have the word, and reading a whole text takes a while.
  std::size_t users_since = nowhere;
  const auto is_mentioned = [&](std::size_t end) {
    if (users_since == nowhere) return false;
    const std::string_view users = preprocessed.substr(users_since, end - users_since);
    return users.find("volatile") != std::string_view::npos;
  };
  bool mentioned = any_marker(preprocessed, [&](const LineMarker& marker, std::size_t begin) {
    if (is_mentioned(begin)) return true;
    users_since = marker.position.in_system_header ? nowhere : begin;
    return false;
  });
  mentioned = mentioned || is_mentioned(preprocessed.size());
  if (!mentioned) return {};

  LexedText lexed = lex(preprocessed);
  const LineMap lines(preprocessed, lexed.directives);
  const CudaText text(preprocessed, std::move(lexed.tokens));
  std::vector<std::string> result;
  for (const std::size_t step : StepFinder(text).early_steps()) {
    const Position position = lines.position(text.tokens()[step].begin);
    result.push_back(std::string(unquoted(position.file)) + ':' + std::to_string(position.line) +
                     ':' + std::to_string(position.column + 1) +
                     ": warning: the lanes of a warp do not run in step: between the write to '" +
                     std::string(text.word(step)) +
                     "' and the read by another lane there must be a __syncwarp(), volatile or not "
                     "(emucc --lockstep has them run in step, as before Volta)");
  }
  return result;
}

}  // namespace emulator::compiler::diagnose
