#include "host/characters.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace course::tool;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("text becomes UTF-8 without control characters") {
  CHECK(clean_utf8("a\tb\nc \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "a\tb\nc \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80");
  CHECK(clean_utf8("a\x1B[31m\r\n\x7F") == "a\xEF\xBF\xBD[31m\n\xEF\xBF\xBD");
  for (const char* const wrong :
       {"\xFF", "\x80", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xEF\xBF\xBF",
        "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xC2\x85", "\xE2\x82"}) {
    CHECK(has(clean_utf8(wrong), "\xEF\xBF\xBD"));
    CHECK_FALSE(has(clean_utf8(wrong), wrong));
  }
  CHECK(clean_utf8(std::string("\0", 1)) == "\xEF\xBF\xBD");
  // Characters that turn the order of others around.
  for (const std::string turning : {"\u202E", "\u202A", "\u2066", "\u2069", "\u200F", "\u061C"}) {
    CHECK(clean_utf8("a" + turning + "b") == "a\uFFFDb");
  }
  CHECK(clean_utf8("\u2029\u202F\u2065\u00DC") == "\u2029\u202F\u2065\u00DC");
}
