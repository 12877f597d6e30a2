#include "checks/shown_errors.hpp"

#include <doctest/doctest.h>

using course::exercise::detail::expected_warnings;
using course::exercise::detail::most_output;
using course::exercise::detail::worth_showing;

namespace {

std::string finding(const std::string& kind, int line) {
  return "emulator: " + kind + ": something is wrong\n  kernel.cu:" + std::to_string(line) +
         ": read by thread (1,0,0)\n  to fix it: mend it\n\n";
}

}  // namespace

TEST_CASE("a check program: a finding is shown in full once, and then by its place") {
  const std::string first = finding("error: race", 14) + "emulator: 1 error\n";
  const std::string shown = worth_showing(first);
  CHECK(shown + "\n" == first);
  CHECK(worth_showing(first) ==
        "emulator: error: race again at kernel.cu:14, as described above\nemulator: 1 error");
  CHECK(worth_showing(finding("error: race", 14) + finding("error: race", 14)) ==
        "emulator: error: race again at kernel.cu:14, as described above");
  // Another line, another kind, another severity: those are new.
  for (const std::string& other : {finding("error: race", 15), finding("error: out-of-bounds", 14),
                                   finding("warning: race", 14)}) {
    CHECK(worth_showing(other) + "\n\n" == other);
  }
}

TEST_CASE(
    "a check program: what is no finding is shown as it is, but for calls that failed after") {
  CHECK(worth_showing("my own line\nwarning: cudaFree(p) at x:1: error\nanother\n") ==
        "my own line\nanother");
  const std::string much(2 * most_output, 'x');
  CHECK(worth_showing(much) == much.substr(0, most_output) + "\n...");
}

TEST_CASE("a check program: a finding is not cut, so that it can be referred to") {
  std::string many;
  int line = 100;
  for (; many.size() < most_output; ++line) many += finding("error: race", line);
  const std::string last = finding("error: race", line - 1);
  CHECK(worth_showing(many) == many.substr(0, many.size() - last.size() - 1) + "...");
  CHECK(worth_showing(last) + "\n\n" == last);
}

TEST_CASE("a check program: warnings that the right solution draws are left out") {
  const std::string errors = finding("warning: unrecorded-event", 7) + finding("error: race", 7);
  expected_warnings().insert("unrecorded-event");
  CHECK(worth_showing(errors) + "\n\n" == finding("error: race", 7));
  CHECK(worth_showing(finding("warning: unrecorded-event", 8) + "my own line\n") == "my own line");
  expected_warnings().clear();
  CHECK(
      worth_showing(finding("warning: unrecorded-event", 9)).starts_with("emulator: warning: un"));
}
