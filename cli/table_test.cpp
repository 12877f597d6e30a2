#include "table.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>
#include <string>

using course::tool::Align;
using course::tool::display_width;
using course::tool::Table;

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

TEST_CASE("a table that is too wide moves its columns together, then cuts the widest text") {
  Table table({{"name", Align::left}, {"number", Align::right}});
  table.add({"µbcdefghij", "123456"});
  const auto widest = [](const std::string& text) {
    std::size_t width = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) width = std::max(width, display_width(line));
    return width;
  };
  CHECK(widest(table.text(18)) == 18);
  CHECK(widest(table.text(17)) == 17);
  CHECK(table.text(17).find("µbcdefghij 123456") != std::string::npos);
  CHECK(widest(table.text(14)) == 14);
  CHECK(table.text(14).find("µbcdef~ 123456") != std::string::npos);
}

TEST_CASE("a row must have a cell a column") {
  Table table({{"a", Align::left}, {"b", Align::right}});
  CHECK_THROWS_AS(table.add({"1"}), std::logic_error);
}
