#include "base/listing_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace emulator::base;

TEST_CASE("listing text: counts fit 6 characters") {
  CHECK(short_count(0) == "0");
  CHECK(short_count(1234) == "1234");
  CHECK(short_count(99999) == "99999");
  CHECK(short_count(100000) == "100.0k");
  CHECK(short_count(999949) == "999.9k");
  CHECK(short_count(999951) == "1.0M");
  CHECK(short_count(16777216) == "16.8M");
  CHECK(short_count(276824064) == "276.8M");
  CHECK(short_count(1000000000000) == "1.0T");
  CHECK(short_count(std::numeric_limits<std::uint64_t>::max()) == "18.4E");
}

TEST_CASE("listing text: means and shares") {
  CHECK(mean(33, 2) == "16.5");
  CHECK(mean(32, 1) == "32.0");
  CHECK(mean(1, 0) == "");
  CHECK(plain_mean(32, 1) == "32");
  CHECK(plain_mean(319, 10) == "31.9");
  CHECK(percent(1, 8) == "12%");
  CHECK(percent(1, 1000) == "<1%");
  CHECK(percent(0, 1000) == "0%");
  CHECK(percent(1000, 1000) == "100%");
  CHECK(percent(999, 1000) == "99%");
  CHECK(plain_percent(1, 8) == "12.5 %");
  CHECK(plain_percent(1, 2) == "50 %");
  CHECK(plain_percent(99999, 100000) == "99.9 %");
  CHECK(plain_percent(1, 100000) == "less than 0.1 %");
  CHECK(counted("1", "sector") == "1 sector");
  CHECK(counted("1.5", "sector") == "1.5 sectors");
}

TEST_CASE("listing text: what is printed") {
  CHECK(printable("\tint a;\t// b \r") == "    int a;  // b");
  CHECK(printable("a\x1b[31mb") == "a?[31mb");
  CHECK(printable("größer") == "größer");
  CHECK(printable("a\xFFz\xC3") == "a?z?");
  CHECK(printable("\xC0\xAF\xED\xA0\x80") == "?????");  // overlong, and half of a pair
  CHECK(printable("\xE0\x80\xAF") == "???");
  CHECK(printable("\xC3z") == "?z");
  CHECK(printable("\xC2\x9B") == "?");  // a control character of Latin-1
  CHECK(printable("ö\tx") == "ö   x");
  CHECK(columns("größer") == 6);
  CHECK(columns("表") == 2);
  CHECK(columns("e\xCC\x81") == 1);
}

TEST_CASE("listing text: wrapping") {
  using Pieces = std::vector<std::string>;
  CHECK(wrap("", 10, 2) == Pieces{""});
  CHECK(wrap("one two", 7, 2) == Pieces{"one two"});
  CHECK(wrap("one two", 6, 2) == Pieces{"one", "  two"});
  CHECK(wrap("one two three", 10, 2) == Pieces{"one two", "  three"});
  CHECK(wrap("abcdefghij", 4, 1) == Pieces{"abcd", " efg", " hij"});
  CHECK(wrap("    code here", 8, 6) == Pieces{"    code", "    here"});  // half the width at most
  CHECK(wrap("表表表", 5, 0) == Pieces{"表表", "表"});
  CHECK(wrap("ööö", 2, 0) == Pieces{"öö", "ö"});
  for (std::size_t width = 5; width < 30; ++width) {
    for (const std::string& piece : wrap("  für größere Felder 表表表表 x", width, 3)) {
      CHECK(columns(piece) <= width);
      CHECK(printable(piece) == piece);
    }
  }
}
