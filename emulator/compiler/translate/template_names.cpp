#include "compiler/translate/template_names.hpp"

#include <array>
#include <string_view>

#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::translate {
namespace {

using text::CudaText;
using text::DeviceFunctions;
using text::nowhere;

// Whether the angle brackets hold arguments, and are not comparisons: `X<T>::n < 3 && k > (2)`.
bool holds_arguments(const CudaText& text, std::size_t open, std::size_t close) {
  for (std::size_t i = open + 1; i < close; ++i) {
    if (text.is(i, "&&") || text.is(i, "||") || text.is_one_of(i, ";{}?")) return false;
    if (text.is_one_of(i, "&|") && text.is(i + 1, text.word(i))) return false;
  }
  return true;
}

// Words that a type follows, or another such word.
constexpr std::array<std::string_view, 9> before_types = {"__device__", "inline",  "static",
                                                          "constexpr",  "const",   "friend",
                                                          "extern",     "virtual", "volatile"};
constexpr std::array<std::string_view, 4> casts = {"static_cast", "reinterpret_cast", "const_cast",
                                                   "dynamic_cast"};

// Whether token i, a `>`, ends `template <...>`.
bool ends_template_header(const CudaText& text, std::size_t i) {
  std::size_t depth = 0;
  for (; i > 0; --i) {
    if (text.is(i, ">")) ++depth;
    if (text.is_one_of(i, ";{}")) return false;
    if (text.is(i, "<") && --depth == 0) return text.is(i - 1, "template");
  }
  return false;
}

// The last token of the qualified name `A<T>::b::c` from token i on; nowhere if that is not one.
std::size_t end_of_member(const CudaText& text, std::size_t i) {
  const std::size_t close = text.is(i + 1, "<") ? text.closing_angle(i + 1) : nowhere;
  if (close == nowhere || !text.is(close + 1, "::")) return nowhere;
  std::size_t last = close;
  while (text.is(last + 1, "::") && text.is_identifier(last + 2)) {
    if (text.is(last + 2, "operator") || text.is(last + 2, "template")) return nowhere;
    last += 2;
  }
  return last == close ? nowhere : last;
}

}  // namespace

std::vector<std::size_t> missing_typename_words(const CudaText& text) {
  std::vector<std::size_t> result;
  const DeviceFunctions functions(text);
  for (std::size_t i = 3; i + 1 < text.tokens().size(); ++i) {
    if (!text.is(i + 1, "<") || !text.is_identifier(i) || !functions.is_user_code(i)) continue;
    const std::size_t last = end_of_member(text, i);
    if (last == nowhere) continue;
    std::size_t before = i - 1;
    while (before > 2 && text.is(before, "::")) before -= text.is_identifier(before - 1) ? 2 : 1;
    const bool declares = text.is_identifier(last + 1) || text.is_one_of(last + 1, "*&");
    const bool is_type = text::contains(before_types, text.word(before)) ||
                         (text.is(before, "=") && text.is(before - 2, "using")) ||
                         (text.is(before, "<") && text::contains(casts, text.word(before - 1))) ||
                         (text.is(before, "->") && text.is(last + 1, "{")) ||
                         (text.is(before, ">") && declares && ends_template_header(text, before));
    if (is_type) result.push_back(before);
  }
  return result;
}

std::vector<std::size_t> missing_template_words(const CudaText& text) {
  std::vector<std::size_t> result;
  const DeviceFunctions functions(text);
  for (std::size_t i = 2; i + 1 < text.tokens().size(); ++i) {
    if (!text.is(i + 1, "<") || !text.is(i - 1, "::") || !text.is(i - 2, ">") ||
        !text.is_identifier(i) || text.is(i, "template") || !functions.is_user_code(i)) {
      continue;
    }
    const std::size_t close = text.closing_angle(i + 1);
    if (close == nowhere || !text.is(close + 1, "(")) continue;
    if (holds_arguments(text, i + 1, close)) result.push_back(i - 1);
  }
  return result;
}

}  // namespace emulator::compiler::translate
