#include "console/table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

using course::Align;
using course::display_width;
using course::Table;

TEST_CASE("a table aligns its columns and puts short headers next to them") {
  Table table({{"kernel", Align::left}, {"load\nsectors", Align::right}, {"ok", Align::left}});
  table.add({"global", "33", "yes"});
  table.add({"coalesced", "5", ""});
  CHECK(table.text() ==
        "              load\n"
        "kernel     sectors  ok\n"
        "---------  -------  ---\n"
        "global          33  yes\n"
        "coalesced        5\n");
}

TEST_CASE("a table counts characters, not bytes") {
  CHECK(display_width("µs") == 2);
  Table table({{"a", Align::left}, {"b", Align::right}});
  table.add({"µµµ", "1"});
  table.add({"abc", "2"});
  CHECK(table.text() == "a    b\n---  -\nµµµ  1\nabc  2\n");
}

namespace {

std::size_t widest_line(const std::string& text) {
  std::size_t width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) width = std::max(width, display_width(line));
  return width;
}

/// A table as `./course list` shows one.
Table wide_table() {
  Table table({{"name", Align::left},
               {"hints\nseen", Align::right, 2},
               {"done/\nall", Align::right, 1},
               {"title", Align::left}});
  table.add({"01a", "3", "1", "A title of several words, one after the other"});
  table.add({"01b", "", "", "Short"});
  return table;
}

}  // namespace

TEST_CASE("without a width a table keeps everything, however wide it is") {
  Table table({{"name", Align::left}, {"title", Align::left, 1}});
  table.add({"a", std::string(150, 'x') + " y"});
  CHECK(widest_line(table.text()) == 1 + 4 + 152);
}

TEST_CASE("a table that is too wide moves its columns together, then breaks the widest text") {
  CHECK(widest_line(wide_table().text(65)) == 65);
  CHECK(widest_line(wide_table().text(64)) == 62);
  CHECK(wide_table().text(64).find("01a      3     1 A title of") != std::string::npos);
  const std::string narrow = wide_table().text(48);
  CHECK(widest_line(narrow) <= 48);
  CHECK(narrow.find("01a      3     1 A title of several words, one\n"
                    "                 after the other\n"
                    "01b              Short\n") != std::string::npos);
}

TEST_CASE("what is left out of a narrow table is named") {
  CHECK(wide_table().text(36) ==
        "     done/\n"
        "name   all title\n"
        "---- ----- -------------------------\n"
        "01a      1 A title of several words,\n"
        "           one after the other\n"
        "01b        Short\n"
        "(not shown in 36 columns: hints\n"
        " seen)\n");
  CHECK_FALSE(wide_table().shows(1, 36));
  CHECK(wide_table().shows(2, 36));
  CHECK(wide_table().shows(1, course::any_width));
}

TEST_CASE("no table is wider than the screen, as long as its words fit") {
  for (std::size_t width = 11; width < 100; ++width) {
    CAPTURE(width);
    CHECK(widest_line(wide_table().text(width)) <= width);
  }
  CHECK(wide_table().text(14) ==
        "name title\n"
        "---- ---------\n"
        "01a  A title\n"
        "     of\n"
        "     several\n"
        "     words,\n"
        "     one after\n"
        "     the other\n"
        "01b  Short\n"
        "(not shown in\n"
        " 14 columns:\n"
        " hints seen,\n"
        " done/all)\n");
  // No room for a name beside the longest word of a title.
  CHECK(
      wide_table().text(11).starts_with("01a, A\n"
                                        "  title of\n"
                                        "  several\n"
                                        "  words,\n"
                                        "  one after\n"
                                        "  the other\n"
                                        "01b, Short\n"));
}

TEST_CASE("a row must have a cell a column") {
  Table table({{"a", Align::left}, {"b", Align::right}});
  CHECK_THROWS_AS(table.add({"1"}), std::logic_error);
}
