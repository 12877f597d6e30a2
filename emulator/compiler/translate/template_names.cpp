#include "compiler/translate/template_names.hpp"

#include "compiler/text/device_functions.hpp"

namespace emulator::compiler::translate {
namespace {

using text::CudaText;
using text::DeviceFunctions;
using text::nowhere;

// Whether the angle brackets hold arguments, and are no comparisons: `X<T>::n < 3 && k > (2)`.
bool holds_arguments(const CudaText& text, std::size_t open, std::size_t close) {
  for (std::size_t i = open + 1; i < close; ++i) {
    if (text.is(i, "&&") || text.is(i, "||") || text.is_one_of(i, ";{}?")) return false;
    if (text.is_one_of(i, "&|") && text.is(i + 1, text.word(i))) return false;
  }
  return true;
}

}  // namespace

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
