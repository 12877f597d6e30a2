#include "ctest_options.hpp"

#include <doctest/doctest.h>

using course::tool::selects_tests;
using course::tool::unknown_option;

namespace {

constexpr char help[] =
    "Usage\n\n  ctest [options]\n\nOptions\n"
    "  -N,--show-only[=format]      = Disable actual execution of tests. Not --frob.\n"
    "  -R <regex>, --tests-regex <regex>\n"
    "                               = Run tests matching regular expression.\n"
    "  --output-on-failure          = Output anything outputted by the test program.\n"
    "  --timeout <seconds>          = Set the default test timeout.\n"
    "  --repeat until-fail:<n>, --repeat until-pass:<n>\n"
    "                               = Allow each test to run up to <n> times.\n";

}  // namespace

TEST_CASE("an option that ctest does not know is found before anything is built") {
  CHECK(unknown_option({"--frob"}, help) == "--frob");
  CHECK(unknown_option({"-L", "chapter01", "--frob=3"}, help) == "--frob");
  CHECK(unknown_option({"--timeout", "3", "--tests-regex", "a", "--repeat", "until-fail:2"}, help)
            .empty());
  CHECK(unknown_option({"-j4", "-LE", "gpu", "--output-on-failure", "--show-only=human"}, help)
            .empty());
}

TEST_CASE("without a help nothing is said of options") {
  CHECK(unknown_option({"--frob"}, "").empty());
}

TEST_CASE("options of ctest's that select tests") {
  CHECK(selects_tests({"-L", "chapter03"}));
  CHECK(selects_tests({"-j", "2", "--tests-regex", "x"}));
  CHECK_FALSE(selects_tests({"-j", "2", "--output-on-failure"}));
}
