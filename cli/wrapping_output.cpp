#include "wrapping_output.hpp"

#include "common/terminal.hpp"

namespace course::tool {
namespace {

/// "   17 |   sum += x[j];" and "      |          ^": what a compiler quotes.
bool quotes_source(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" 0123456789");
  return first != std::string::npos && first > 0 && line[first] == '|' && line[first - 1] == ' ';
}

/// Where the text of a line begins: behind its indentation, and behind what is set apart from it by
/// several spaces, as a name from what it means.
std::size_t text_begins(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string::npos) return 0;
  constexpr std::size_t longest_name = 34;
  const std::size_t gap = line.find("  ", first);
  if (gap == std::string::npos) return first;
  const std::size_t text = line.find_first_not_of(' ', gap);
  const std::size_t column = text == std::string::npos ? 0 : display_width(line.substr(0, text));
  return column == 0 || column > longest_name ? first : column;
}

}  // namespace

std::string wrapped_line(const std::string& line, std::size_t width) {
  if (quotes_source(line)) return line;
  return wrapped(line, width, text_begins(line));
}

WrappingOutput::WrappingOutput(std::ostream& stream, std::size_t width)
    : stream_(stream), width_(width), target_(stream.rdbuf()) {
  if (width_ != any_width) stream_.rdbuf(this);
}

WrappingOutput::~WrappingOutput() {
  sync();
  if (width_ != any_width) stream_.rdbuf(target_);
}

WrappingOutput::int_type WrappingOutput::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return 0;
  const char next = traits_type::to_char_type(character);
  if (next != '\n') {
    line_ += next;
    return character;
  }
  const std::string text = (begun_ ? line_ : wrapped_line(line_, width_)) + '\n';
  line_.clear();
  begun_ = false;
  const auto size = static_cast<std::streamsize>(text.size());
  return target_->sputn(text.data(), size) == size ? character : traits_type::eof();
}

// Progress is shown without a line break. It fits the screen by itself.
int WrappingOutput::sync() {
  const auto size = static_cast<std::streamsize>(line_.size());
  if (!line_.empty()) begun_ = !line_.ends_with("\033[K");  // which leaves the line empty
  const bool failed = target_->sputn(line_.data(), size) != size;
  line_.clear();
  return target_->pubsync() != 0 || failed ? -1 : 0;
}

}  // namespace course::tool
