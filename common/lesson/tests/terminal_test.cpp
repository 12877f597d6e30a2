#include "console/terminal.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <string>

using course::any_width;
using course::line_width;
using course::wrapped;

TEST_CASE("COLUMNS says how wide a line may be, also where no terminal is") {
  const char* const before = getenv("COLUMNS");
  const std::string kept = before == nullptr ? "" : before;
  setenv("COLUMNS", "72", 1);
  CHECK(line_width() == 72);
  for (const char* const useless : {"", "wide", "7", "80x", "-80"}) {
    setenv("COLUMNS", useless, 1);
    CAPTURE(useless);
    CHECK(line_width(99) == any_width);  // which is not a terminal
  }
  unsetenv("COLUMNS");
  CHECK(line_width(99) == any_width);
  if (before != nullptr) setenv("COLUMNS", kept.c_str(), 1);
}

TEST_CASE("a line is broken between words, and never is one lost") {
  CHECK(wrapped("one two three", any_width) == "one two three");
  CHECK(wrapped("one two three", 13) == "one two three");
  CHECK(wrapped("one two three", 12) == "one two\nthree");
  CHECK(wrapped("one two three\n", 7, 2) == "one two\n  three\n");
  CHECK(wrapped("  one two\n\n  three four", 6) == "  one\ntwo\n\n  three\nfour");
}

TEST_CASE("a word that is too long stays whole") {
  CHECK(wrapped("see /a/long/path/to/a/file now", 10) == "see\n/a/long/path/to/a/file\nnow");
  CHECK(wrapped("/a/long/path/to/a/file", 10) == "/a/long/path/to/a/file");
  CHECK(wrapped("    /a/long/path now", 8, 4) == "    /a/long/path\n    now");
}

TEST_CASE("colours take no room, and a character of several bytes takes one column") {
  CHECK(wrapped("\033[31mred\033[0m µµµ", 7) == "\033[31mred\033[0m µµµ");
  CHECK(wrapped("µµµ µµµ", 6) == "µµµ\nµµµ");
}
