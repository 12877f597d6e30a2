// What becomes of the cases of a check program: cases.cu has one of every kind.

#include <map>

#include "testing/chapter_run.hpp"

namespace {

struct CaseOutcome {
  std::string result;
  std::string message;
};

/// Runs the program as a shell would, with variables before it.
course::testing::ProgramRun run(const std::string& variables, const std::string& arguments) {
  return course::testing::run_program(
      "/bin/sh", {"-c", variables + " exec \"$0\" " + arguments, CASES_PROGRAM});
}

/// The outcome of every case, by its name without the category; they are run once.
const std::map<std::string, CaseOutcome>& outcomes() {
  static const std::map<std::string, CaseOutcome> all = [] {
    const course::testing::ScratchFolder scratch;
    const std::string file = scratch.file("results");
    const auto ended = run("COURSE_CHECK_TIMEOUT=2 COURSE_CHECK_RESULTS=" + file, "");
    CHECK(ended.status == 1);
    std::map<std::string, CaseOutcome> found;
    std::istringstream lines(course::testing::read_file(file));
    for (std::string line; std::getline(lines, line);) {
      const auto json = course::testing::JsonValue::parse(line);
      const std::string name = json["case"].text();
      found[name.substr(name.find(' ') + 1)] = {json["result"].text(), json["message"].text()};
    }
    return found;
  }();
  return all;
}

void check_outcome(const std::string& name, const std::string& result,
                   const std::vector<std::string>& parts) {
  CAPTURE(name);
  REQUIRE(outcomes().count(name) == 1);
  const CaseOutcome& outcome = outcomes().at(name);
  CAPTURE(outcome.message);
  CHECK(outcome.result == result);
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(outcome.message.find(part) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("a check program: cases that pass") {
  check_outcome("passes", "passed", {});
  CHECK(outcomes().at("passes").message == "");
  check_outcome("passes with a note", "passed", {"worth knowing"});
  check_outcome("no launch but a library", "passed", {});
  check_outcome("within the limit", "passed", {});
  check_outcome("any exception tells", "passed", {});
  check_outcome("failures are noticed", "passed", {});
  check_outcome("skipped", "skipped", {"for want of a reason"});
}

TEST_CASE("a check program: wrong results") {
  check_outcome("half is not written", "failed",
                {"with n = 64:", "32 of 64 are wrong", "never written", "the ragged edge"});
  check_outcome("too short", "failed", {"with n = 2", "1 elements instead of 2"});
  check_outcome("no launch", "failed", {"no kernel was launched"});
  check_outcome("plain assertion", "failed", {"rows == 4", "3 == 4", "rows := 3"});
  check_outcome("throws", "failed", {"thrown by hand"});
  check_outcome("a program that ended tells nothing", "failed", {"ended there"});
  check_outcome("a term needs a kernel", "failed", {"no kernel was launched"});
  check_outcome("text that was chosen", "failed", {"1 alone", "2 more"});
}

TEST_CASE("a check program: what a wrong result usually means") {
  check_outcome("a mistake that is known", "failed", {"likely cause: doubled twice"});
  check_outcome("nothing written yet", "failed", {"in the order of issue it is right: so a wait"});
  CHECK(outcomes().at("nothing written yet").message.find("launched") == std::string::npos);
  check_outcome("nothing written in the order of issue", "failed", {"Was the kernel launched?"});
}

TEST_CASE("a check program: copies and atomics are counted") {
  check_outcome("copies are counted", "passed", {});
  check_outcome("atomics are counted lane by lane", "passed", {});
}

TEST_CASE("a check program: a pipeline, whose pieces wait for nothing of each other") {
  check_outcome("pipeline of two streams", "passed", {});
  check_outcome("pipeline in one stream", "failed",
                {"the copy in of piece 1", "cannot begin before", "of piece 0",
                 "both are in the same stream", "read again: what a pipeline is"});
  check_outcome("pipeline of other pieces", "failed",
                {"2 copies go to the device, and there are 3 pieces"});
}

TEST_CASE("a check program: a graph that is made once and launched again and again") {
  check_outcome("graph repeated", "passed", {});
  check_outcome("graph too often", "failed",
                {"launched 3 times, for 2 rounds", "read again: what a graph is"});
  check_outcome("graph and a kernel beside it", "failed",
                {"4 kernels ran", "account for 3", "one by one"});
  check_outcome("graph that works once", "failed", {"do not all do the same"});
  check_outcome("graph never made", "failed", {"no graph was instantiated"});
}

TEST_CASE("a check program: who forgets to wait is right as issued, and wrong in another order") {
  check_outcome("in every order", "passed", {});
  check_outcome("as issued only", "failed", {"with n = 64, EMULATOR_ORDER=late:"});
}

TEST_CASE("a check program: failures of the device, with what the emulator found") {
  check_outcome("out of bounds", "failed",
                {"a kernel failed while it ran: cudaErrorIllegalAddress", "out-of-bounds",
                 "cases.cu:", "y[i] = static_cast<float>(n);"});
  check_outcome("refused launch", "failed", {"kernel launch at cases.cu:", "invalid-launch"});
  // What only follows from the failure is left out.
  CHECK(outcomes().at("out of bounds").message.find("cudaFree") == std::string::npos);
}

TEST_CASE("a check program: cases that do not come back") {
  check_outcome("crashes", "failed", {"crashed", "Segmentation fault"});
  check_outcome("aborts", "failed", {"crashed", "Aborted"});
  check_outcome("exits", "failed", {"ended before the check did"});
  check_outcome("exits at once", "failed", {"ended before the check did"});
  check_outcome("never ends", "failed", {"did not end within 2 s"});
}

TEST_CASE("a check program: what a case writes to stderr is cut") {
  check_outcome("talks a lot", "failed", {"after all that", "line 1 of many", "\n..."});
  CHECK(outcomes().at("talks a lot").message.size() < 5000);
}

TEST_CASE("a check program: safety") {
  check_outcome("race", "failed", {"3 errors (race, uninitialised)", "values[63 - threadIdx.x]"});
  check_outcome("leak", "failed", {"errors when the program ended", "leak"});
  check_outcome("clean", "passed", {});
}

TEST_CASE("a check program: what is found in another case is no safety") {
  check_outcome("clean here and not before", "failed",
                {"nothing was found here, but in the case \"correct: ", "error",
                 "described below. What each kind means"});
  check_outcome("a race at a size of its own", "failed",
                {"the result is right, but the emulator's checks found 1 error (race)",
                 "at a size that no safe case has"});
}

TEST_CASE("a check program: a finding is shown in full by the first case whose message is shown") {
  check_outcome("passes in spite of a race", "passed", {});
  CHECK(outcomes().at("passes in spite of a race").message == "");
  check_outcome("a race that a case before had, too", "failed",
                {"1 error (race), described below", "y[threadIdx.x] = first;", "to fix it"});
  check_outcome("and again", "failed", {"race again at", "as described above"});
}

TEST_CASE("a check program: the message of a limit") {
  check_outcome(
      "beyond the limit", "failed",
      {"sectors loaded from global memory: 8, and at most 7 pass (the model solution: 5, "
       "the naive version: 1 234)",
       "Because of the idea.", "the line that costs most: cases.cu:", "if (i < n) y[i] = 2 * x[i];",
       "2 requests of 4.0 sectors each", "./course picture 00z --line", "read again: somewhere"});
}

TEST_CASE("a check program: the model's figures are checked where they are asked for") {
  const std::string one = "--test-case='efficient: within the limit'";
  CHECK(run("", one).status == 0);
  const auto strict = run("COURSE_CHECK_MODEL=1", one);
  CHECK(strict.status == 1);
  CHECK(strict.out.find("says that the model solution needs 1, and 2 were counted") !=
        std::string::npos);
}

TEST_CASE("a check program: one case, its exit status, and where to go on") {
  CHECK(run("", "--test-case='correct: passes'").status == 0);
  CHECK(run("", "--test-case='efficient: skipped'").status == 77);
  const auto failed = run("COURSE_CHECK_SOURCE=my/file.cu", "--test-case='correct: too short'");
  CHECK(failed.status == 1);
  CHECK(failed.out.starts_with("FAILED   correct: too short\n    with n = 2"));
  CHECK(failed.out.find("exercises/00z_cases/README.md") != std::string::npos);
  CHECK(failed.out.find("./course hint 00z") != std::string::npos);
  const auto none = run("", "--test-case='correct: nothing of the kind'");
  CHECK(none.status == 2);
  CHECK(none.err.find("no such case") != std::string::npos);
}

TEST_CASE("a check program: the list of its cases, and a case without a process of its own") {
  const auto list = run("", "--list-test-cases");
  CHECK(list.status == 0);
  CHECK(list.out.starts_with("correct: passes\ncorrect: passes with a note\n"));
  const auto one = run("", "--in-process --test-case='correct: passes'");
  CHECK(one.status == 0);
  CHECK(one.out == "passed   correct: passes\n");
}
