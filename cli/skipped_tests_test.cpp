#include "skipped_tests.hpp"

#include <doctest/doctest.h>

#include <string>

using course::tool::skipped_tests;

namespace {

/// A test in ctest's log.
std::string test(const std::string& output) {
  return "1/9 Testing: name\nOutput:\n--------\n" + output +
         "<end of output>\nTest time =   0.02 sec\n--------\nTest Pass Reason:\n"
         "Skip regular expression found in output. Regex=[MESSAGE: SKIPPED: ]\n";
}

}  // namespace

TEST_CASE("where no test was skipped nothing is said") {
  CHECK(skipped_tests("") == "");
  CHECK(skipped_tests(test("all is well\n") + test("")) == "");
  CHECK(skipped_tests(test("the program said 'SKIPPED: no GPU'\n")) == "");
}

TEST_CASE("skipped tests are counted by reason, in one line") {
  CHECK(skipped_tests(test("SKIPPED: no GPU\n")) == "1 test was left out; 1: no GPU");
  CHECK(skipped_tests(test("one\nSKIPPED: no GPU\n") + test("fine\n") +
                      test("a_test.cpp:12: MESSAGE: SKIPPED: bwrap is not here (Debian: b)\n") +
                      test("SKIPPED: no GPU\n")) ==
        "3 tests were left out; 2: no GPU; 1: bwrap is not here (Debian: b)");
}

TEST_CASE("a test that says it twice is one, with the first reason") {
  CHECK(skipped_tests(test("SKIPPED: first\nSKIPPED: second\n")) ==
        "1 test was left out; 1: first");
}
