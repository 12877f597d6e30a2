#include "grader/options.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "host/errors.hpp"

using namespace course::tool;
using namespace course::tool::grading;

TEST_CASE("an empty name is a variable that is not set, and no default") {
  for (const char* const option : {"--class", "--submission", "--json", "--junit", "--allow",
                                   "--out", "--roster", "--deadlines"}) {
    CAPTURE(option);
    std::vector<std::string> words{"01a", option, ""};
    if (words[1] == "--out" || words[1] == "--roster" || words[1] == "--deadlines")
      words.insert(words.end(), {"--class", "all"});
    CHECK_THROWS_WITH_AS(parse_grade_options(words),
                         (words[1] + ": wants a name, got nothing: is a variable not set? (see "
                                     "./course grade --help)")
                             .c_str(),
                         Failure);
  }
  CHECK_THROWS_AS(parse_grade_options({""}), const Failure&);
  CHECK_THROWS_AS(parse_grade_options({"--class="}), const Failure&);
}

TEST_CASE("grade takes exercises and chapters, and options anywhere") {
  GradeOptions options = parse_grade_options({});
  CHECK(options.exercises.empty());
  CHECK(options.time_limit == 10);
  CHECK_FALSE(options.seed);
  CHECK_FALSE(options.min_points);
  CHECK_FALSE(options.trust);
  options =
      parse_grade_options({"--submission", "anna", "01a", "--json", "a.json", "--junit", "a.xml",
                           "02", "--seed", "18446744073709551615", "--time-limit", "3", "--allow",
                           "fork", "--allow", "kill", "--trust", "--min-points", "7"});
  CHECK(options.exercises == std::vector<std::string>{"01a", "02"});
  CHECK(options.submission == "anna");
  CHECK(options.json == "a.json");
  CHECK(options.junit == "a.xml");
  CHECK(options.seed == 18446744073709551615ULL);
  CHECK(options.time_limit == 3);
  CHECK(options.allow == std::vector<std::string>{"fork", "kill"});
  CHECK(options.trust);
  CHECK(options.min_points == 7);
  options = parse_grade_options({"01a", "--class", "all", "--out", "o", "--jobs", "4", "--again"});
  CHECK(options.class_folder == "all");
  CHECK(options.out == "o");
  CHECK(options.jobs == 4);
  CHECK(options.again);
  CHECK(options.shard.empty());
  CHECK(parse_grade_options({"--class", "all", "--shard", "2/8"}).shard == "2/8");
}

TEST_CASE("grade says in a short line which numbers it takes") {
  for (const char* const seed :
       {"-1", "99999999999999999999999", "18446744073709551616", "x", ""}) {
    CAPTURE(seed);
    CHECK_THROWS_WITH_AS(parse_grade_options({"--seed", seed}),
                         ("--seed: wants a whole number from 0 to 18446744073709551615, got '" +
                          std::string(seed) + "' (see ./course grade --help)")
                             .c_str(),
                         Failure);
  }
  for (const char* const points : {"-1", "99999999999999999999999"}) {
    CHECK_THROWS_WITH_AS(
        parse_grade_options({"--min-points", points}),
        doctest::Contains("--min-points: wants a whole number from 0 to 2147483647, got"), Failure);
  }
}

TEST_CASE("grade refuses what does not go together") {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--class", "a", "--submission", "b"},
                                             {"--class", "a", "--json", "b"},
                                             {"--out", "a"},
                                             {"--jobs", "2"},
                                             {"--again"},
                                             {"--roster", "r.csv"},
                                             {"--gradescope", "g.zip", "--class", "a"},
                                             {"--gradescope", "g.zip", "--submission", "a"},
                                             {"--gradescope", "g.zip", "--min-points", "1"},
                                             {"--gradescope", "g.zip", "--trust"},
                                             {"--gradescope", ""},
                                             {"--deadlines", "d.json"},
                                             {"--shard", "1/2"},
                                             {"--class", "a", "--shard", "3/2"},
                                             {"--class", "a", "--jobs", "0"},
                                             {"--time-limit", "0"},
                                             {"--time-limit", "x"},
                                             {"--seed", "-1"},
                                             {"--min-points", "-1"},
                                             {"--seed"},
                                             {"--what"}}) {
    CAPTURE(words[0]);
    CHECK_THROWS_AS(parse_grade_options(words), const Failure&);
  }
}
