#include "compiler/translate/rewriter.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/translate/translate.hpp"

namespace emulator::compiler::translate {
namespace {

using text::contains;
using text::CudaText;
using text::Declaration;
using text::Directive;
using text::LexedText;
using text::marker_for;
using text::Position;

// Pragmas that mean something to nvcc only; g++ would warn about each.
constexpr std::array<std::string_view, 8> dropped_pragmas = {
    "unroll",          "nounroll",      "nv_diag_suppress", "nv_diag_default",
    "nv_diag_warning", "nv_diag_error", "nv_diagnostic",    "nv_exec_check_disable"};

}  // namespace

Rewriter::Rewriter(std::string_view text, LexedText lexed)
    : CudaText(text, std::move(lexed.tokens)),
      directives_(std::move(lexed.directives)),
      lines_(text, directives_),
      output_begins_(tokens_.size()) {}

void Rewriter::copy_until(std::size_t end) {
  for (; next_directive_ < directives_.size(); ++next_directive_) {
    const Directive& directive = directives_[next_directive_];
    if (directive.begin >= end) break;
    if (directive.begin < copied_ || !is_dropped(directive)) continue;
    output_ += text_.substr(copied_, directive.begin - copied_);
    copied_ = directive.end;
  }
  if (end > copied_) output_ += text_.substr(copied_, end - copied_);
  copied_ = std::max(copied_, end);
}

bool Rewriter::is_dropped(const Directive& directive) const {
  std::string_view line = text_.substr(directive.begin, directive.end - directive.begin);
  const auto next_word = [&line] {
    line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
    const std::string_view first = line.substr(0, line.find_first_of(" \t\r(", 0));
    line.remove_prefix(first.size());
    return first;
  };
  return next_word() == "pragma" && contains(dropped_pragmas, next_word());
}

bool Rewriter::resume_at(std::size_t offset, Origin origin) {
  const std::string marker = marker_for(lines_.position(offset), origin == Origin::generated);
  output_ += marker;
  return !marker.empty();
}

void Rewriter::resume_after(std::string_view left_out) {
  if (!resume_at(copied_, Origin::user)) keep_line_breaks(left_out);
}

void Rewriter::keep_line_breaks(std::string_view text) {
  const auto count = std::count(text.begin(), text.end(), '\n');
  output_.append(static_cast<std::size_t>(count), '\n');
}

std::string_view Rewriter::hoist_attributes(std::size_t i, const Declaration& declaration) {
  std::size_t end = i + 1;
  while (is(end, "alignas") || is_attribute(end)) {
    const std::size_t next = skip_attribute(end);
    if (next == end) break;
    end = next;
  }
  if (end > i + 1) {
    output_.insert(output_begins_[declaration.begin], on_one_line(i + 1, end) + ' ');
  }
  copied_ = tokens_[end - 1].end;
  return text_.substr(tokens_[i].begin, copied_ - tokens_[i].begin);
}

void Rewriter::fail(std::size_t i, std::string_view what) const {
  const Position position = lines_.position(tokens_[i].begin);
  std::string message;
  for (std::size_t at = 1; at + 1 < position.file.size(); ++at) {
    if (position.file[at] == '\\') ++at;
    message += position.file[at];
  }
  if (message.empty()) message = "input";
  message.append(1, ':').append(std::to_string(position.line)).append(": error: ").append(what);
  throw TranslationError(message);
}

}  // namespace emulator::compiler::translate
