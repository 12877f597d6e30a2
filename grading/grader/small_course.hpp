/// @file
/// A course for tests whose exercises are real C++ but small: the student writes `int answer(int)`,
/// which must double its argument, and the judge is a shell script.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/sandbox/sandbox.hpp"
#include "host/checkout.hpp"
#include "host/errors.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/progress.hpp"
#include "host/screen.hpp"
#include "host/test_files.hpp"

namespace course::tool::grading {

/// Whether submissions can be isolated here. Tests that need it are not to be trusted elsewhere;
/// they say so and end.
inline bool can_isolate() {
  static const bool can = [] {
    try {
      const Sandbox sandbox(false);
      return true;
    } catch (const Failure&) {
      return false;
    }
  }();
  return can;
}

/// Ends a test case that cannot be made without.
#define SKIP_UNLESS_ISOLATED()                                                                  \
  if (!course::tool::grading::can_isolate()) {                                                  \
    MESSAGE("SKIPPED: bubblewrap is not here or may not make namespaces (Debian: bubblewrap)"); \
    return;                                                                                     \
  }

class SmallCourse {
 public:
  SmallCourse() {
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    checkout.source_dir = folder.path() / "checkout";
    checkout.build_dir = folder.path() / "build";
    checkout.cmake = folder.script("cmake", "exit 0");
    std::filesystem::create_directories(checkout.source_dir);
    std::filesystem::create_directories(checkout.build_dir);
    const auto compile = folder.script("compile", "exec \"$@\"");
    std::filesystem::permissions(compile, std::filesystem::perms(0755));
    folder.write("include/given.hpp", "#pragma once\ninline int given() { return 2; }\n");
    folder.write("include/cuda_runtime.h", "#pragma once\n");  // what is a .cu begins with
    list.backend = "emulator";
    list.compile = {compile,
                    "g++",
                    "-x",
                    "c++",
                    "-std=c++20",
                    "-Wall",
                    "-I" + (folder.path() / "include").string()};
    list.link = {"g++"};
    folder.write("boundary.cpp", boundary);
    const std::string object = (folder.path() / "boundary.o").string();
    if (std::system(("g++ -std=c++20 -c '" + (folder.path() / "boundary.cpp").string() + "' -o '" +
                     object + "'")
                        .c_str()) != 0) {
      throw std::runtime_error("no g++");
    }
    for (const char* const id : {"01a", "01b"}) {
      Exercise exercise;
      exercise.id = id;
      exercise.name = std::string(id) + "_answer";
      exercise.title = "The answer";
      exercise.chapter = "01";
      exercise.points = 10;
      exercise.folder = checkout.source_dir / "exercises" / exercise.name;
      exercise.file = "answer.cu";
      exercise.solution = checkout.source_dir / "solutions" / exercise.name;
      exercise.cases = {"correct: of twenty", "correct: of one", "safe: of nothing"};
      exercise.case_points = {5, 3, 2};
      exercise.judge = folder.script("judge", judge);
      exercise.judge_target = "judge";
      exercise.submission_objects = {object};
      folder.write("checkout/exercises/" + exercise.name + "/check.cpp", "int secret;\n");
      folder.write("checkout/solutions/" + exercise.name + "/answer.cu", right);
      list.exercises.push_back(exercise);
    }
  }

  static constexpr char right[] = "int answer(int x) { return 2 * x; }\n";

  TestFolder folder;
  Checkout checkout;
  ExerciseList list;
  std::ostringstream out;
  std::ostringstream err;
  std::ostringstream steps;
  Progress progress{steps, false};
  Screen screen{out, err, progress, false};

 private:
  static constexpr char boundary[] = R"cpp(
#include <cstdio>
#include <cstdlib>
#include <cstring>
    int answer(int);
    // In every object that has it, so that the linker keeps one.
    inline __attribute__((noinline)) int shared_by_all() {
      return 7;
    }
    int main() {
      char* text = static_cast<char*>(std::malloc(100));
      std::FILE* pipe = fdopen(3, "w");
      std::snprintf(text, 100, "%d %d %d %d %d", answer(20), answer(1), answer(0), shared_by_all(),
                    static_cast<int>(std::strlen("four")));
      std::fputs(text, pipe);
      return std::fclose(pipe);
    }
  )cpp";
  static constexpr char judge[] = R"sh(
filter=
case ${1-} in --test-case=*) filter=,${1#*=}, ;; esac
tell() { printf '{"case": "%s", "result": "%s", "message": "%s"}\n' "$@" >>"$COURSE_CHECK_RESULTS"; }
said=$COURSE_CHECK_RESULTS.said
for entry in 'correct: of twenty=40 * * 7 4' 'correct: of one=* 2 * 7 4' 'safe: of nothing=* * 0 7 4'; do
  name=${entry%=*}
  case $filter in '' | *",$name,"*) ;; *) continue ;; esac
  tell "$name" running ''
  sed 's/^\[//; s/\]$//; s/","/" "/g' "$COURSE_SUBMISSION" |
    timeout -s KILL "$COURSE_CHECK_TIMEOUT" xargs sh -c 'exec "$@" 3>"$0"' "$said" >/dev/null 2>&1
  case $(cat "$said") in
    ${entry#*=}) tell "$name" passed '' ;;
    *) tell "$name" failed "it said $(tr -dc '0-9 ' <"$said")" ;;
  esac
done
)sh";
};

}  // namespace course::tool::grading
