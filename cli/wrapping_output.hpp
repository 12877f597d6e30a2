/// @file
/// An output stream's lines, broken between words to fit the screen.
#pragma once

#include <cstddef>
#include <ostream>
#include <streambuf>
#include <string>

namespace course::tool {

/// What becomes of a word that is wider than the screen.
enum class LongWords {
  whole,  ///< it stays in one piece, which can be copied
  broken  ///< it is broken, best where a part of a path ends
};

/// As long as it lives, what goes to a stream comes out with no line wider than the screen, unless
/// a single word is and stays whole. The writing code need not think of it: a line is carried over
/// below where its text begins, so that lists, options and hints keep their shape. Source code that
/// a compiler quotes is cut into pieces, each with the carets that point into it.
class WrappingOutput : private std::streambuf {
 public:
  /// @param width any_width: nothing is changed
  WrappingOutput(std::ostream& stream, std::size_t width, LongWords words = LongWords::whole);
  ~WrappingOutput() override;
  WrappingOutput(const WrappingOutput&) = delete;
  WrappingOutput& operator=(const WrappingOutput&) = delete;

 private:
  int_type overflow(int_type character) override;
  int sync() override;

  bool put(const std::string& text);
  /// The line that is held back, if there is one, ready to go out.
  std::string released();

  std::ostream& stream_;
  std::size_t width_;
  LongWords words_;
  std::streambuf* const target_;
  std::string line_;    // what has come of it
  std::string held_;    // quoted source that is too wide, until one knows what points into it
  bool begun_ = false;  // whether some of it was handed on before its end
};

/// One line, without its break, as WrappingOutput hands it on.
std::string wrapped_line(const std::string& line, std::size_t width,
                         LongWords words = LongWords::whole);

}  // namespace course::tool
