// The fast program: the same source, the same results, and nothing counted. One
// chapter stands for all.

#include <algorithm>

#include "testing/awkward_shapes.hpp"
#include "testing/chapter_run.hpp"
#include "testing/environment_variable.hpp"

using course::testing::EnvironmentVariable;
using course::testing::ProgramRun;
using course::testing::run_chapter;
using course::testing::run_program;

namespace {

void check_refused_in_one_line(const ProgramRun& run) {
  CHECK(run.status == 2);
  CHECK(run.out == "");
  CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
  CHECK(run.err.find("this program is fast") != std::string::npos);
}

}  // namespace

TEST_CASE("verifies at awkward shapes") {
  for (const auto& [m, n] : course::testing::awkward_shapes) {
    CAPTURE(m);
    CAPTURE(n);
    const ProgramRun run =
        run_chapter(CHAPTER_PROGRAM, {"--rows", std::to_string(m), "--cols", std::to_string(n)});
    CHECK(run.status == 0);
    CHECK(run.err == "");
    REQUIRE(run.report.is_object());
    CHECK(course::testing::row_of(run, "coalesced")["verified"] == true);
  }
}

TEST_CASE("says that it ran and what it took, and shows no traffic") {
  const ProgramRun run = run_chapter(CHAPTER_PROGRAM, {"--rows", "127", "--cols", "257"});
  CHECK(run.out.find("02_coalesced, 127 x 257, on the emulator, fast\n") == 0);
  CHECK(run.out.find("\ncoalesced                 yes ") != std::string::npos);
  CHECK(run.out.find("sectors") == std::string::npos);
  CHECK(run.out.find("Nothing was counted.\n") != std::string::npos);
  CHECK(run.out.find("./course run 02\n") != std::string::npos);
  REQUIRE(run.report.is_object());
  CHECK(run.report["counts_traffic"] == false);
  CHECK(course::testing::row_of(run, "coalesced")["global_load_sectors"].is_null());
}

TEST_CASE("refuses to be looked into, in one line and with status 2") {
  for (const char* const name : {"EMULATOR_TRAFFIC", "EMULATOR_CHECK"}) {
    CAPTURE(name);
    const EnvironmentVariable setting(name, "1");
    check_refused_in_one_line(run_program(CHAPTER_PROGRAM, {"--size", "64"}));
  }
  const course::testing::ScratchFolder scratch;
  {
    const EnvironmentVariable setting("EMULATOR_REPORT", scratch.file("report.json"));
    check_refused_in_one_line(run_program(CHAPTER_PROGRAM, {"--size", "64"}));
  }
  check_refused_in_one_line(run_program(CHAPTER_PROGRAM, {"--size", "64", "--traffic"}));
}
