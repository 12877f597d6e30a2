#include "picture.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
using Words = std::vector<std::string>;

namespace {

/// A checkout whose CMake, chapter and python3 are shell scripts, and a PATH that holds this
/// python3 alone.
class Stage {
 public:
  Stage() {
    checkout.source_dir = folder.path() / "checkout";
    checkout.build_dir = folder.path();
    checkout.cmake = folder.script("cmake", "echo \"$@\" >'" + file("built") + "'");
    chapter.name = chapter.target = "04_shared";
    // The report says where it is and what the chapter was called with.
    chapter_is(
        "echo noise; echo more >&2\n"
        "echo \"$@\" >\"${EMULATOR_REPORT:-${EMULATOR_TIMELINE:-$COURSE_TIMELINE}}\"");
    python_is(
        "[ \"$1\" = -c ] && exit 0\n[ -z \"$EMULATOR_REPORT\" ] || exit 9\n"
        "read -r options <\"$3\"\necho \"$options; $1 $2 $4 $5 $6 $7\"; echo \"$3\" >'" +
        file("report") + "'");
    const char* const old = std::getenv("PATH");
    old_path_ = old == nullptr ? "" : old;
    setenv("PATH", (folder.path() / "bin").c_str(), 1);
  }
  ~Stage() { setenv("PATH", old_path_.c_str(), 1); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  void chapter_is(const std::string& body) { chapter.program = folder.script("chapter", body); }
  void python_is(const std::string& body) { folder.script("bin/python3", body); }
  std::string file(const std::string& name) const { return (folder.path() / name).string(); }

  int run(const Words& options = {}, const Words& chapter_options = {}) {
    return run(Picture{Picture::Subject::accesses, options}, chapter_options);
  }
  int run(const Picture& picture, const Words& chapter_options = {}) {
    std::ostringstream steps;
    Progress progress(steps, false);
    std::ostringstream out_stream;
    std::ostringstream err_stream;
    try {
      const int status = draw_picture(checkout, chapter, picture, chapter_options, out_stream,
                                      err_stream, progress);
      out = out_stream.str();
      err = err_stream.str();
      return status;
    } catch (const Failure& failure) {
      out = out_stream.str();
      err = err_stream.str() + failure.what();
      return failure.status();
    }
  }

  TestFolder folder;
  Checkout checkout;
  Chapter chapter;
  std::string out;
  std::string err;

 private:
  std::string old_path_;
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string refusal(const Words& options, Picture::Subject subject = Picture::Subject::accesses) {
  try {
    check_picture_options({subject, options});
  } catch (const Failure& failure) {
    CHECK(failure.status() == status_refused);
    CHECK(std::string(failure.what()).find('\n') == std::string::npos);
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a picture's chapter is built and run, quietly, and its report drawn and removed") {
  Stage stage;
  CHECK(stage.run({"--line", "a b"}, {"--size", "5"}) == status_ok);
  CHECK(stage.out == "--size 5; -B " + stage.file("checkout") +
                         "/emulator/tools/picture/access_picture.py --line a b --folder " +
                         stage.file("pictures") + "\n");
  CHECK(stage.err == "");
  CHECK(stage.folder.read("built").find("--target 04_shared ") != std::string::npos);
  std::string report = stage.folder.read("report");
  report.pop_back();
  REQUIRE(report.ends_with("/report.json"));
  CHECK_FALSE(std::filesystem::exists(report));
  CHECK_FALSE(std::filesystem::exists(std::filesystem::path(report).parent_path()));
  CHECK(std::getenv("EMULATOR_REPORT") == nullptr);
}

TEST_CASE("a timeline is written by the program itself, or on a GPU by a library that records it") {
  Stage stage;
  const std::string drawn = "-B " + stage.file("checkout") +
                            "/emulator/tools/picture/timeline_picture.py --to 9 --name 04_shared" +
                            "\n";
  stage.chapter_is("echo \"$EMULATOR_REPORT$CUDA_INJECTION64_PATH;\" >\"$EMULATOR_TIMELINE\"");
  Picture picture{Picture::Subject::timeline, {"--to", "9"}};
  CHECK(stage.run(picture) == status_ok);
  CHECK(stage.out == ";; " + drawn);
  stage.chapter_is("echo \"$EMULATOR_TIMELINE$CUDA_INJECTION64_PATH;\" >\"$COURSE_TIMELINE\"");
  picture.recorder = "/lib/recorder.so";
  CHECK(stage.run(picture) == status_ok);
  CHECK(stage.out == "/lib/recorder.so;; " + drawn);
}

TEST_CASE("a program that writes nothing is said to, and a written timeline is drawn as it is") {
  Stage stage;
  stage.chapter_is("exit 0");
  CHECK(stage.run() == status_failed);
  CHECK(says(stage.err, "04_shared wrote nothing that could be drawn"));
  stage.python_is("echo \"$2 $3\"");
  std::ostringstream out;
  CHECK(draw_file(stage.checkout, "run.json", {Picture::Subject::timeline, {}}, out, out) ==
        status_ok);
  CHECK(out.str() ==
        stage.file("checkout") + "/emulator/tools/picture/timeline_picture.py run.json\n");
  CHECK(names_timeline("a/run.json"));
  CHECK_FALSE(names_timeline("04"));
  CHECK_FALSE(names_timeline(".json"));
}

TEST_CASE("what the drawing refuses is passed on with its status") {
  Stage stage;
  stage.python_is("[ \"$1\" = -c ] && exit 0\necho 'no such line' >&2; exit 2");
  CHECK(stage.run() == 2);
  CHECK(stage.out == "");
  CHECK(stage.err == "picture: no such line");
}

TEST_CASE("a chapter that fails is shown, with its status, and nothing is drawn") {
  Stage stage;
  stage.chapter_is("echo out; echo err >&2; exit 77");
  CHECK(stage.run() == 77);
  CHECK(stage.out == "out\n");
  CHECK(stage.err == "err\n04_shared did not end well, and nothing was drawn: exit status 77");
  stage.chapter_is("kill -9 $$");
  CHECK(stage.run() == status_failed);
  CHECK(says(stage.err, "killed by signal 9"));
  stage.checkout.cmake = stage.folder.script("cmake", "echo 'a.cu:1: error: no'; exit 1");
  CHECK(stage.run() == status_failed);
  CHECK(says(stage.err, "a.cu:1: error: no\n04_shared failed; the whole log: "));
}

TEST_CASE("without Python, or with an old one, nothing is built") {
  Stage stage;
  stage.python_is("exit 1");
  CHECK(stage.run() == status_refused);
  CHECK(stage.err == "picture needs python3, version 3.9 or newer, in PATH (Debian: python3)");
  std::filesystem::remove(stage.file("bin/python3"));
  CHECK(stage.run() == status_refused);
  CHECK(says(stage.err, "picture needs python3"));
  CHECK_FALSE(std::filesystem::exists(stage.file("built")));
}

TEST_CASE("a slip in the options of picture is refused at once") {
  CHECK(refusal({}) == "");
  CHECK(refusal({"--line", "42", "--file=a b.cu", "--kernel", "k<1, 2>", "--kind", "shared_load",
                 "--instruction=2", "--out", "-"}) == "");
  CHECK(refusal({"--size", "5"}) ==
        "picture: unknown option '--size' (see ./course picture --help)");
  CHECK(says(refusal({"42"}), "unknown option '42'"));
  CHECK(says(refusal({"--line"}), "--line wants a value"));
  for (const std::string number : {"", "0", "-3", "x", "1.5", "99999999999"}) {
    CHECK(says(refusal({"--line", number}),
               "--line wants a whole number from 1 on, got '" + number + "'"));
    CHECK(says(refusal({"--instruction=" + number}), "--instruction wants a whole number"));
  }
  CHECK(says(refusal({"--kind", "load"}), "--kind wants global_load, "));
  CHECK(says(refusal({"--file="}), "--file wants a value"));
  CHECK(says(refusal({"--out", "x.svg"}), "--out wants a --line"));
}

TEST_CASE("a timeline has options of its own") {
  const auto of_timeline = [](const Words& options) {
    return refusal(options, Picture::Subject::timeline);
  };
  CHECK(of_timeline({"--from", "1.5", "--to=20", "--out", "x.svg"}) == "");
  CHECK(says(of_timeline({"--line", "3"}), "--line is not for a --timeline"));
  CHECK(says(refusal({"--from", "3"}), "--from wants a --timeline"));
  CHECK(says(of_timeline({"--size", "5"}), "unknown option '--size'"));
  for (const std::string number : {"", "-3", "x", ".", "1.2.3", "1e3"}) {
    CHECK(says(of_timeline({"--from", number}),
               "--from wants a number from 0 on, got '" + number + "'"));
  }
}
