#include "wrapping_output.hpp"

#include <algorithm>
#include <sstream>

#include "console/terminal.hpp"

namespace course::tool {
namespace {

/// "   17 |   sum += x[j];" and "      |          ^": what a compiler quotes.
bool quotes_source(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" 0123456789");
  return first != std::string::npos && first > 0 && line[first] == '|' && line[first - 1] == ' ';
}

/// Where the text of a line begins: after its indentation, and after what is set apart from it by
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

/// Whether a quoted line has a number before its bar; else it points into the one above.
bool has_number(const std::string& quoted) {
  return quoted.find_first_of("0123456789") < quoted.find('|');
}

/// Where the first piece of a text of source code ends that is no wider than `width`: after a gap
/// between words, if there is one in its second half.
std::size_t piece_end(const std::string& code, std::size_t width) {
  std::size_t end = 0;
  std::size_t gap = 0;
  while (end < code.size() && display_width(code.substr(0, end + 1)) <= width) {
    ++end;
    if (code[end - 1] == ' ' && end > width / 2) gap = end;
  }
  return end == code.size() || gap == 0 ? end : gap;
}

/// A quoted line in pieces that fit, each with what points into it (if anything does) below it.
std::string quoted_pieces(const std::string& line, const std::string& pointing, std::size_t width) {
  const std::string room = line.substr(0, line.find('|') + 1);
  const std::string below = std::string(room.size() - 1, ' ') + '|';
  const auto behind = [](const std::string& text) {
    return text.empty() ? text : text.substr(text.find('|') + 1);
  };
  std::string code = behind(line);
  std::string marks = behind(pointing);
  std::string result;
  std::string begin = room;
  std::string indent;
  const auto take = [](std::string& text, std::size_t count) {
    const std::string piece = text.substr(0, count);
    text.erase(0, piece.size());
    return piece;
  };
  const auto blank = [](const std::string& text) {
    return text.find_first_not_of(' ') == std::string::npos;
  };
  while (!code.empty() || !marks.empty()) {
    const std::size_t there = begin.size() + indent.size();
    const std::size_t fitting = std::max(width, there + 10) - there;
    const std::size_t end = piece_end(code.empty() ? marks : code, fitting);
    const std::string piece = take(code, end);
    const std::string pointers = take(marks, code.empty() ? fitting : end);
    if (!blank(piece)) result += begin + indent + piece + '\n';
    if (!blank(pointers)) result += below + indent + pointers + '\n';
    begin = below;
    indent = "    ";
  }
  if (!result.empty()) result.pop_back();  // the last line break
  return result;
}

/// A line that is too wide, with as much less indentation as it takes and has.
std::string further_left(const std::string& line, std::size_t width) {
  const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t columns = display_width(line);
  return line.substr(columns <= width ? 0 : std::min(blanks, columns - width));
}

/// A line that is too wide, in pieces: of a path they end with a slash, if they can.
std::string broken(const std::string& line, std::size_t width) {
  std::string result;
  std::string piece;
  std::size_t after_slash = 0;
  for (std::size_t k = 0; k < line.size();) {
    std::size_t end = k + 1;  // of a character, or of a code that sets a colour
    if (line[k] == '\033') end = std::min(line.find('m', k), line.size() - 1) + 1;
    while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) ++end;
    const std::string next = line.substr(k, end - k);
    if (width != any_width && display_width(piece + next) > width) {
      const std::size_t cut = after_slash > 0 ? after_slash : piece.size();
      result += piece.substr(0, cut) + '\n';
      piece.erase(0, cut);
      after_slash = 0;
    }
    piece += next;
    if (next == "/") after_slash = piece.size();
    k = end;
  }
  return result + piece;
}

}  // namespace

std::string wrapped_line(const std::string& line, std::size_t width, LongWords words) {
  if (quotes_source(line)) {
    return width == any_width || display_width(line) <= width ? line
                                                              : quoted_pieces(line, "", width);
  }
  std::istringstream lines(wrapped(line, width, text_begins(line)));
  std::string text;
  for (std::string one; std::getline(lines, one);) {
    if (width != any_width) one = further_left(one, width);
    text += (text.empty() ? "" : "\n") + (words == LongWords::broken ? broken(one, width) : one);
  }
  return text;
}

WrappingOutput::WrappingOutput(std::ostream& stream, std::size_t width, LongWords words)
    : stream_(stream), width_(width), words_(words), target_(stream.rdbuf()) {
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
  std::string text;
  if (!held_.empty() && !begun_ && quotes_source(line_) && !has_number(line_)) {
    text = quoted_pieces(held_, line_, width_) + '\n';
    held_.clear();
  } else {
    text = released();
    if (!begun_ && quotes_source(line_) && display_width(line_) > width_) {
      held_ = line_;
    } else {
      text += (begun_ ? line_ : wrapped_line(line_, width_, words_)) + '\n';
    }
  }
  line_.clear();
  begun_ = false;
  return put(text) ? character : traits_type::eof();
}

bool WrappingOutput::put(const std::string& text) {
  const auto size = static_cast<std::streamsize>(text.size());
  return target_->sputn(text.data(), size) == size;
}

std::string WrappingOutput::released() {
  if (held_.empty()) return "";
  const std::string text = wrapped_line(held_, width_, words_) + '\n';
  held_.clear();
  return text;
}

// Progress is shown without a line break. It fits the screen by itself.
int WrappingOutput::sync() {
  if (!line_.empty()) begun_ = !line_.ends_with("\033[K");  // which leaves the line empty
  const bool failed = !put(released() + line_);
  line_.clear();
  return target_->pubsync() != 0 || failed ? -1 : 0;
}

}  // namespace course::tool
