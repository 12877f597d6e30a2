#include "host/build.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
using Lines = std::vector<std::string>;

TEST_CASE("of a failed build, its errors are shown and its commands are not") {
  // The noise speaks of errors as well.
  CHECK(relevant_lines({"[1/3] Building CXX object error.o", "FAILED: error.o",
                        "/usr/bin/g++-12 -Wall -Werror -c b.cpp -o error.o",
                        "In file included from b.cpp:1:", "b.cpp:2:1: error: 'x' is not a type",
                        "    2 | x;", "", "ninja: build stopped: subcommand failed."}) ==
        Lines{"b.cpp:2:1: error: 'x' is not a type", "    2 | x;"});
}

TEST_CASE("never more lines than asked for: the first ones of an error, else the last ones") {
  Lines output{"note", "error: one"};
  for (int k = 0; k < 50; ++k) output.push_back("line " + std::to_string(k));
  const Lines first = relevant_lines(output);
  CHECK(first.size() == 20);
  CHECK(first.front() == "error: one");
  CHECK(first.back() == "line 18");
  output.erase(output.begin() + 1);
  const Lines last = relevant_lines(output, 3);
  CHECK(last == Lines{"line 47", "line 48", "line 49"});
  CHECK(relevant_lines({}).empty());
}

TEST_CASE("a build asks CMake for the target, shows progress and keeps a log") {
  const TestFolder folder;
  Checkout checkout;
  checkout.build_dir = folder.path();
  checkout.cmake =
      folder.script("cmake", "echo \"$@\" >'" + (folder.path() / "called").string() +
                                 "'\nprintf '[1/2] Building a\\nwarning: b\\n[2/2] Linking\\n'");
  std::ostringstream shown;
  Progress progress(shown, false);
  const BuildOutcome built = build_target(checkout, "01_global", progress);
  CHECK(built.ok);
  CHECK(built.errors.empty());
  CHECK(shown.str() == "building 01_global\n");
  CHECK(folder.read("called").starts_with("--build " + folder.path().string() +
                                          " --target 01_global --parallel "));
  CHECK(folder.read("logs/build-01_global.log") == "[1/2] Building a\nwarning: b\n[2/2] Linking\n");
}

TEST_CASE("a build with nothing to do shows nothing") {
  const TestFolder folder;
  Checkout checkout;
  checkout.build_dir = folder.path();
  checkout.cmake = folder.script("cmake", "echo 'ninja: no work to do.'");
  std::ostringstream shown;
  Progress progress(shown, false);
  CHECK(build_target(checkout, "", progress).ok);
  CHECK(shown.str().empty());
  CHECK(folder.read("logs/build-all.log") == "ninja: no work to do.\n");
}

TEST_CASE("... however long that takes, and whatever is looked at meanwhile") {
  const TestFolder folder;
  Checkout checkout;
  checkout.build_dir = folder.path();
  checkout.cmake = folder.script(
      "cmake",
      "echo '[0/2] Re-checking globbed directories...'; echo '[100%] Built target x'\n"
      "sleep 1.2; echo 'ninja: no work to do.'");
  std::ostringstream shown;
  Progress progress(shown, false);
  CHECK(build_target(checkout, "x", progress).ok);
  CHECK(shown.str().empty());
}

TEST_CASE("ninja is asked as on a terminal, where it names what it begins: so does the progress") {
  const TestFolder folder;
  Checkout checkout;
  checkout.build_dir = folder.path();
  folder.write("build.ninja", "");
  checkout.cmake = folder.script(
      "cmake",
      "[ -t 1 ] && printf '\\r[0/2] Building CXX object CMakeFiles/x.dir/a.cpp.o\\033[K'\n"
      "sleep 0.3\nprintf '\\r[1/2] Building CXX object CMakeFiles/x.dir/a.cpp.o\\033[K'\n"
      "printf '\\n\\033[1mnote\\033[0m\\n'");
  std::ostringstream shown;
  Progress progress(shown, true);
  CHECK(build_target(checkout, "x", progress).ok);
  CHECK(shown.str() ==
        "\r\033[Kbuilding x [0/2] compiling a.cpp\r\033[Kbuilding x [1/2] compiling a.cpp"
        "\r\033[K");
  CHECK(folder.read("logs/build-x.log") ==
        "[0/2] Building CXX object CMakeFiles/x.dir/a.cpp.o\n"
        "[1/2] Building CXX object CMakeFiles/x.dir/a.cpp.o\n\nnote\n");
}

TEST_CASE("a build whose first step takes long is shown before that is done") {
  const TestFolder folder;
  Checkout checkout;
  checkout.build_dir = folder.path();
  checkout.cmake = folder.script("cmake", "sleep 1.3");
  std::ostringstream shown;
  Progress progress(shown, true);
  CHECK(build_target(checkout, "x", progress).ok);
  CHECK(shown.str() == "\r\033[Kbuilding x 1 s\r\033[K");
}

TEST_CASE("a build that fails gives its errors, and one that cannot log or start is a failure") {
  const TestFolder folder;
  Checkout checkout;
  checkout.build_dir = folder.path();
  checkout.cmake = folder.script("cmake", "echo 'a.cu:1: error: no' >&2; exit 1");
  std::ostringstream shown;
  Progress progress(shown, false);
  const BuildOutcome built = build_target(checkout, "x", progress);
  CHECK_FALSE(built.ok);
  CHECK(built.errors == Lines{"a.cu:1: error: no"});

  checkout.cmake = (folder.path() / "nothing").string();
  CHECK_THROWS_WITH_AS(build_target(checkout, "x", progress), doctest::Contains("cannot run"),
                       Failure);
  checkout.build_dir = folder.write("file", "");
  CHECK_THROWS_WITH_AS(build_target(checkout, "x", progress), doctest::Contains("COURSE_BUILD_DIR"),
                       Failure);
}

TEST_CASE("the number of jobs can be set from outside") {
  setenv("CMAKE_BUILD_PARALLEL_LEVEL", "7", 1);
  CHECK(parallel_level() == "7");
  for (const char* const wrong : {"abc", "-1", "0", "1.5", "99999999999"}) {
    CAPTURE(wrong);
    setenv("CMAKE_BUILD_PARALLEL_LEVEL", wrong, 1);
    CHECK_THROWS_WITH_AS(parallel_level(), doctest::Contains("from 1 to 9999, got '"), Failure);
  }
  unsetenv("CMAKE_BUILD_PARALLEL_LEVEL");
  CHECK(std::stoi(parallel_level()) >= 1);
}
