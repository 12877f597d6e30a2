#include "measure_options.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace course::measure;

TEST_CASE("chapters of the bench") {
  CHECK(parse_measure_options({}).chapters.empty());
  const auto some = parse_measure_options({"--chapter", "06", "--chapter=10"}).chapters;
  CHECK(some == std::vector<std::string>{"06", "10"});
  CHECK_THROWS_AS(parse_measure_options({"--chapter", "6"}), BadOptions);
  CHECK_THROWS_AS(parse_measure_options({"--chapter", "1o"}), BadOptions);
  CHECK_THROWS_AS(parse_measure_options({"--chapter"}), BadOptions);
}

TEST_CASE("options of the bench") {
  const MeasureOptions none = parse_measure_options({});
  CHECK(none.out.empty());
  CHECK(none.repeat == 100);
  CHECK_FALSE(none.quick);
  const MeasureOptions all = parse_measure_options({"--out", "a b.json", "--repeat=30", "--quick"});
  CHECK(all.out == "a b.json");
  CHECK(all.repeat == 30);
  CHECK(all.quick);
  CHECK(parse_measure_options({"--quick"}).repeat == 20);
}

TEST_CASE("shapes drawn at random") {
  CHECK(parse_measure_options({}).random == 0);
  const MeasureOptions drawn = parse_measure_options({"--random", "200", "--seed=12345678901"});
  CHECK(drawn.random == 200);
  CHECK(drawn.seed == 12345678901U);
  CHECK(parse_measure_options({"--random", "200"}).seed == 1);
  CHECK_THROWS_AS(parse_measure_options({"--seed", "7"}), BadOptions);
  CHECK_THROWS_AS(parse_measure_options({"--random", "0"}), BadOptions);
  CHECK_THROWS_AS(parse_measure_options({"--random", "10001"}), BadOptions);
  CHECK_THROWS_AS(parse_measure_options({"--random", "5", "--seed", "-1"}), BadOptions);
  CHECK_THROWS_AS(parse_measure_options({"--random", "5", "--quick"}), BadOptions);
}

TEST_CASE("options that cannot be obeyed are one line") {
  using Words = std::vector<std::string>;
  for (const Words& words : {Words{"--fast"}, Words{"extra"}, Words{"--out"}, Words{"--out="},
                             Words{"--repeat"}, Words{"--repeat", "19"}, Words{"--repeat", "ten"},
                             Words{"--repeat", "10001"}, Words{"--quick=maybe"}, Words{"a\nb"}}) {
    CAPTURE(words.front());
    CAPTURE(words.back());
    try {
      parse_measure_options(words);
      FAIL_CHECK("accepted");
    } catch (const BadOptions& error) {
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
      CHECK(error.what()[0] != '\0');
    }
  }
}
