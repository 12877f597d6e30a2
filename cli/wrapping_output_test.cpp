#include "wrapping_output.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "console/terminal.hpp"

using course::any_width;
using course::tool::LongWords;
using course::tool::wrapped_line;
using course::tool::WrappingOutput;

TEST_CASE("a line is carried over below where its text begins") {
  CHECK(wrapped_line("one two three", 8) == "one two\nthree");
  CHECK(wrapped_line("  one two three", 10) == "  one two\n  three");
  CHECK(wrapped_line("  hint    one two three", 20) == "  hint    one two\n          three");
  CHECK(wrapped_line("passed   correct: one two", 21) == "passed   correct: one\n         two");
}

TEST_CASE("a word that would be too wide below the text begins further to the left") {
  CHECK(wrapped_line("  read     chapters/01/README.md", 24) == "  read\n   chapters/01/README.md");
  CHECK(wrapped_line("  read     chapters/01/README.md", 12) == "  read\nchapters/01/README.md");
}

TEST_CASE("a word that is wider than the screen is broken, if that is wanted") {
  const auto list = [](const std::string& line, std::size_t width) {
    return wrapped_line(line, width, LongWords::broken);
  };
  CHECK(list("  read     chapters/01/README.md", 15) == "  read\nchapters/01/\nREADME.md");
  CHECK(list("abcdefgh", 3) == "abc\ndef\ngh");
  CHECK(list("\033[1mabcd\033[0m", 4) == "\033[1mabcd\033[0m");
  CHECK(list("\u00E4\u00F6\u00FC", 2) == "\u00E4\u00F6\n\u00FC");
  CHECK(list("abcdefgh", any_width) == "abcdefgh");
}

TEST_CASE("what a compiler quotes is cut into pieces, each with what points into it") {
  const std::string code = "   17 |   sum += A[row * n + j] * x[j];";
  CHECK(wrapped_line(code, 40) == code);
  CHECK(wrapped_line(code, 30) == "   17 |   sum += A[row * n + \n      |    j] * x[j];");
  const auto shown = [&](const std::string& text, std::size_t width) {
    std::ostringstream stream;
    {
      const WrappingOutput wrapping(stream, width);
      stream << text;
    }
    return stream.str();
  };
  const std::string before = "a.cu:17:24: error: no x\n";
  CHECK(shown(before + code + "\n      |                             ^~~~\nend\n", 30) ==
        before +
            "   17 |   sum += A[row * n + \n      |    j] * x[j];\n      |           ^~~~\nend\n");
  CHECK(shown(code + "\n      |          ^~\n", 30) ==
        "   17 |   sum += A[row * n + \n      |          ^~\n      |    j] * x[j];\n");
  CHECK(shown(code + "\n" + code + "\nend\n", 30) ==
        wrapped_line(code, 30) + "\n" + wrapped_line(code, 30) + "\nend\n");
  CHECK(shown(code + "\n", 30) == wrapped_line(code, 30) + "\n");
  CHECK(shown("   17 | abcdefghijklmnopqrstuvwxyz\n      |                     ^\n", 21) ==
        "   17 | abcdefghijklm\n      |    nopqrstuvw\n      |           ^\n      |    xyz\n");
  CHECK(wrapped_line("      |                    ^~~~", 20) == "      |    ^~~~");
}

TEST_CASE("a stream's lines are broken as they end, and progress goes out at once") {
  std::ostringstream stream;
  {
    const WrappingOutput wrapping(stream, 8);
    stream << "one two"
           << " three\n"
           << "\rcompiling a long name" << std::flush;
    stream << "\r\n"
           << "four five six" << '\n'
           << "the end of it";
  }
  stream << " is not broken";
  CHECK(stream.str() ==
        "one two\nthree\n\rcompiling a long name\r\nfour\nfive six\nthe end of it is not broken");
}

TEST_CASE("after progress was wiped away lines are broken again") {
  std::ostringstream stream;
  {
    const WrappingOutput wrapping(stream, 8);
    stream << "\r\033[Kcompiling a long name" << std::flush << "\r\033[K" << std::flush;
    stream << "one two three\n";
  }
  CHECK(stream.str() == "\r\033[Kcompiling a long name\r\033[Kone two\nthree\n");
}

TEST_CASE("without a width nothing is changed") {
  std::ostringstream stream;
  {
    const WrappingOutput wrapping(stream, any_width);
    stream << "one two three four five six\n";
  }
  CHECK(stream.str() == "one two three four five six\n");
}
