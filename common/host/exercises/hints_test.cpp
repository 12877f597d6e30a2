#include "host/exercises/hints.hpp"

#include <doctest/doctest.h>

using namespace course::tool;

TEST_CASE("hints are the numbered sections, in order, without blank lines around them") {
  const auto hints = parse_hints(
      "# Hints\n\nFor readers.\n\n## 1. Where to start\n\nLook.\n\nTwice.\n\n\n## 2\n\n"
      "## Not a step\nText\n## 3: Nearly\r\n\r\ncode;\r\n");
  REQUIRE(hints.size() == 3);
  CHECK(hints[0].title == "Where to start");
  CHECK(hints[0].text == "Look.\n\nTwice.");
  CHECK(hints[1].title == "");
  CHECK(hints[1].text == "## Not a step\nText");
  CHECK(hints[2].title == "Nearly");
  CHECK(hints[2].text == "code;");
}

TEST_CASE("a step out of order, or with a longer number, is none") {
  CHECK(parse_hints("## 2. Later\ntext\n").empty());
  CHECK(parse_hints("## 10. Much later\ntext\n").empty());
  CHECK(parse_hints("## 1. One\na\n## 3. Three\nb\n").size() == 1);
  CHECK(parse_hints("").empty());
}

TEST_CASE("a paragraph becomes one line, and code stays as it is") {
  CHECK(with_whole_paragraphs("One\ntwo.\n\nThree\n  four.") == "One two.\n\nThree four.");
  CHECK(with_whole_paragraphs("So:\n\n    int a;\n    int b;\n\nThen\nmore.") ==
        "So:\n\n    int a;\n    int b;\n\nThen more.");
  CHECK(with_whole_paragraphs("```\na\nb\n```\nc\nd") == "```\na\nb\n```\nc d");
  CHECK(with_whole_paragraphs("- one\n  two\n- three\n1. four\n12. five") ==
        "- one two\n- three\n1. four\n12. five");
  CHECK(with_whole_paragraphs("| a |\n| b |") == "| a |\n| b |");
  CHECK(with_whole_paragraphs("").empty());
}
