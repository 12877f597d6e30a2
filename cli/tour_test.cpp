#include "tour.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
using doctest::Contains;

namespace {

/// A build folder whose CMake and chapters are shell scripts.
class Stage {
 public:
  Stage() {
    checkout.build_dir = folder.path();
    checkout.cmake = folder.script("cmake", "printf '[1/1] Building\\n'");
    setenv("CMAKE_BUILD_PARALLEL_LEVEL", "2", 1);
  }

  /// A chapter that runs this script; $json is the file that it is to write.
  void add(const std::string& number, bool ladder, const std::string& body) {
    Chapter chapter;
    chapter.number = number;
    chapter.name = number + "_name";
    chapter.title = "Title of " + number;
    chapter.target = chapter.name;
    chapter.ladder = ladder;
    chapter.program =
        folder.script(chapter.name, "echo \"$@\" >>'" + (folder.path() / "arguments").string() +
                                        "'\nfor json; do :; done\n" + body);
    chapters.push_back(chapter);
  }

  int run(const std::vector<std::string>& options = {}) {
    std::ostringstream shown;
    Progress progress(shown, false);
    std::ostringstream stream;
    try {
      const int status = run_tour(checkout, chapters, options, {stream, stream, progress});
      out = stream.str();
      steps = shown.str();
      return status;
    } catch (const Failure&) {
      steps = shown.str();
      throw;
    }
  }

  static std::string report(const std::string& kernel, bool verified = true) {
    return "cat >\"$json\" <<'END'\n{\"backend\": \"emulator\", \"device\": \"emulator\", "
           "\"rows\": 4, \"cols\": 4, \"ceiling\": null, \"results\": [{\"kernel\": \"" +
           kernel + "\", \"verified\": " + (verified ? "true" : "false") +
           ", \"bytes\": 96, \"operations\": 32, \"wall_ms\": 5, \"global_load_requests\": 2, "
           "\"global_load_sectors\": 8}]}\nEND\n";
  }

  TestFolder folder;
  Checkout checkout;
  std::vector<Chapter> chapters;
  std::string out;
  std::string steps;
};

}  // namespace

TEST_CASE("a tour runs 00 and the rungs in order, shows them, and ends with the table") {
  Stage stage;
  stage.add("00", false, Stage::report("saxpy") + "echo 'said by 00'");
  stage.add("01", true, Stage::report("global") + "echo 'said by 01'");
  stage.add("05", false, "exit 1");
  stage.add("02", true, Stage::report("coalesced"));
  CHECK(stage.run() == 0);
  CHECK(stage.steps.find("building 00_name\nrunning 00_name\nbuilding tour\nbuilding 01_name\n") ==
        0);
  CHECK(stage.steps.find("05_name") == std::string::npos);
  const std::size_t first = stage.out.find("00_name: Title of 00\n\n  said by 00\n");
  const std::size_t second = stage.out.find("  said by 01\n");
  const std::size_t table = stage.out.find("The ladder on the emulator");
  CHECK(first == 0);
  CHECK(second != std::string::npos);
  CHECK(table != std::string::npos);
  CHECK(second < table);
  CHECK(stage.out.find("Chapters: 3 verified, 0 failed, 0 skipped") > table);
  CHECK(stage.folder.read("results/01_name.json").find("global") != std::string::npos);
}

TEST_CASE("with many cores all is built at once") {
  Stage stage;
  setenv("CMAKE_BUILD_PARALLEL_LEVEL", "8", 1);
  stage.add("00", false, Stage::report("saxpy"));
  stage.add("01", true, Stage::report("global"));
  CHECK(stage.run() == 0);
  CHECK(stage.steps.find("building tour\nbuilding 00_name\nrunning 00_name\nbuilding 01_name\n") ==
        0);
}

TEST_CASE("options go to every chapter") {
  Stage stage;
  stage.add("00", false, Stage::report("saxpy"));
  stage.add("01", true, Stage::report("global"));
  CHECK(stage.run({"--size", "4096"}) == 0);
  const std::string results = (stage.folder.path() / "results").string();
  CHECK(stage.folder.read("arguments") == "--size 4096 --json " + results + "/00_name.json\n" +
                                              "--size 4096 --json " + results + "/01_name.json\n");
}

TEST_CASE("a chapter that fails is shown with the reason, and the tour goes on") {
  struct Case {
    std::string body;
    std::string reason;
  };
  for (const Case& broken : {
           Case{"echo 'all fine'; echo 'global: wrong result' >&2; echo more >&2; exit 1",
                "exit status 1: global: wrong result"},
           Case{"echo note >&2; echo 'error: cudaMalloc at x.cu:1' >&2; exit 1",
                "exit status 1: error: cudaMalloc at x.cu:1"},
           Case{"echo 'no memory' >&2; exit 2", "exit status 2: no memory"},
           Case{"echo 'last words'; exit 3", "exit status 3: last words"},
           Case{"kill -SEGV $$", "killed by signal 11 (Segmentation fault)"},
           Case{Stage::report("global", false), "kernel 'global' is not verified"},
           Case{"exit 0", "it wrote no results"},
           Case{"echo '{' >\"$json\"", "its results cannot be read"},
           Case{"echo '{\"backend\":\"emulator\",\"device\":\"e\",\"rows\":1,\"cols\":1,"
                "\"results\":[]}' >\"$json\"",
                "its results are empty"},
       }) {
    CAPTURE(broken.reason);
    Stage stage;
    stage.add("01", true, broken.body);
    stage.add("02", true, Stage::report("coalesced"));
    CHECK(stage.run() == 1);
    CHECK(stage.out.find("FAILED  01_name: " + broken.reason) != std::string::npos);
    CHECK(stage.out.find("coalesced") != std::string::npos);
    CHECK(stage.out.find("Chapters: 1 verified, 1 failed, 0 skipped") != std::string::npos);
  }
}

TEST_CASE("an old file of results does not pass for this run's") {
  Stage stage;
  stage.add("01", true, Stage::report("global"));
  CHECK(stage.run() == 0);
  stage.chapters.clear();
  stage.add("01", true, "exit 0");
  CHECK(stage.run() == 1);
}

TEST_CASE("a chapter that does not compile or is not there fails alone") {
  Stage stage;
  stage.checkout.cmake = stage.folder.script(
      "cmake", "case $* in *01_name*) echo 'x.cu:1: error: no such kernel'; exit 1;; esac");
  stage.add("01", true, Stage::report("global"));
  stage.add("02", true, Stage::report("coalesced"));
  stage.add("03", true, "");
  std::filesystem::remove(stage.chapters.back().program);
  CHECK(stage.run() == 1);
  CHECK(stage.out.find("  x.cu:1: error: no such kernel\n") != std::string::npos);
  CHECK(stage.out.find("FAILED  01_name: it does not compile; the log: ") != std::string::npos);
  CHECK(stage.out.find("FAILED  03_name: cannot run ") != std::string::npos);
  CHECK(stage.out.find("Chapters: 1 verified, 2 failed") != std::string::npos);
}

TEST_CASE("a chapter that lacks something is skipped, which is no failure") {
  Stage stage;
  stage.add("12", true, "echo 'SKIPPED: no tensor cores on the emulator'; exit 77");
  stage.add("01", true, Stage::report("global"));
  CHECK(stage.run() == 0);
  CHECK(stage.out.find("SKIPPED 12_name: SKIPPED: no tensor cores") == std::string::npos);
  CHECK(stage.out.find("SKIPPED 12_name: no tensor cores on the emulator\n") != std::string::npos);
}

TEST_CASE("options that the first rung refuses end the tour with its line and status 2") {
  Stage stage;
  stage.add("01", true, "echo \"01_name: --size wants a number, got 'abc'\" >&2; exit 2");
  stage.add("02", true, Stage::report("coalesced"));
  try {
    stage.run({"--size", "abc"});
    FAIL_CHECK("accepted");
  } catch (const Failure& failure) {
    CHECK(failure.status() == 2);
    CHECK(std::string(failure.what()) == "01_name: --size wants a number, got 'abc'");
  }
}

TEST_CASE("options that the first rung refuses do so before all other chapters are built") {
  for (const char* const cores : {"2", "8"}) {
    Stage stage;
    setenv("CMAKE_BUILD_PARALLEL_LEVEL", cores, 1);
    stage.add("00", false, "echo '00_name: unknown option' >&2; exit 2");
    stage.add("01", true, "echo '01_name: unknown option' >&2; exit 2");
    stage.add("02", true, Stage::report("coalesced"));
    CHECK_THROWS_WITH_AS(stage.run({"--frob"}), "01_name: unknown option", Failure);
    CHECK(stage.steps.find("building tour") == std::string::npos);
  }
}

TEST_CASE("options that 00 alone refuses skip it, and a later rung that refuses them fails") {
  Stage stage;
  stage.add("00", false, "echo '00_name: unknown option' >&2; exit 2");
  stage.add("01", true, Stage::report("global"));
  stage.add("02", true, "echo '02_name: too large' >&2; exit 2");
  CHECK(stage.run({"--rows", "4"}) == 1);
  CHECK(stage.out.find("SKIPPED 00_name: it does not take these options: 00_name: unknown") !=
        std::string::npos);
  CHECK(stage.out.find("FAILED  02_name: it refuses these options: 02_name: too large") !=
        std::string::npos);
}

TEST_CASE("the tour keeps the results to itself, and needs a chapter") {
  Stage stage;
  CHECK_THROWS_WITH_AS(stage.run(), "there is no chapter on the tour yet", Failure);
  stage.add("01", true, Stage::report("global"));
  CHECK_THROWS_WITH_AS(stage.run({"--json", "x"}), Contains("./course run NN --json FILE"),
                       Failure);
  CHECK_THROWS_WITH_AS(stage.run({"--csv=x"}), Contains("./course run NN --csv FILE"), Failure);
}
