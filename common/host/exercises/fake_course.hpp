/// @file
/// A checkout for tests, whose compiler, linker and CMake are shell scripts, and whose student
/// writes in a language of ours. A line of the student's file says what becomes of a case:
///
///     fails: correct: one        crashes: ...   hangs: ...   skips: ...
///     long: ...                  unlaunched: ...                repeats: ...   turns: ...
///
/// TODO anywhere makes all of them fail; SYNTAX does not compile, RENAMED does not link, UNUSED
/// gets a warning.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/progress.hpp"
#include "host/screen.hpp"
#include "host/test_files.hpp"

namespace course::tool {

class FakeCourse {
 public:
  /// Two exercises of chapter 01 and one of 08, not touched by the student.
  FakeCourse() {
    checkout.source_dir = folder.path() / "checkout";
    checkout.build_dir = folder.path() / "build";
    checkout.cmake = folder.script("cmake", "exit 0");
    std::filesystem::create_directories(checkout.build_dir);
    list.backend = "cuda";
    list.compile = {folder.script("compile", compile_script), "-common"};
    list.link = {folder.script("link", link_script)};
    list.parts = {{"first steps", {"00"}, "You can take a step."},
                  {"the ladder",
                   {"01", "02"},
                   "You can say what is asked of memory, and that at some length: "
                   "a line of this text would be wider than a terminal."},
                  {"matrix products", {"08"}, "You can multiply."}};
    folder.write("check.o", "");
    add("01a", "residual", "build");
    add("01b", "squares", "mend");
    add("08a", "tile", "build");
  }

  Exercise& add(const std::string& id, const std::string& stem, const std::string& kind) {
    Exercise made;
    made.id = id;
    made.name = id + '_' + stem;
    made.title = "About " + stem;
    made.kind = kind;
    made.chapter = id.substr(0, 2);
    made.points = 10;
    made.folder = checkout.source_dir / "exercises" / made.name;
    made.file = stem + ".cu";
    made.solution = checkout.source_dir / "solutions" / made.name;
    made.target = "exercise_" + id;
    made.objects = {(folder.path() / "check.o").string()};
    made.compile = {"-own"};
    made.cases = {"correct: one", "correct: two", "efficient: three"};
    list.exercises.push_back(made);
    write("solutions/" + made.name + '/' + made.file,
          "// head\n//@stub\n//@ // TODO ({lines} lines)\n//@solution\nint solved;\n//@end\n");
    write("exercises/" + made.name + '/' + made.file, stub);
    write("exercises/" + made.name + "/README.md", "# Exercise\n\n## How it is checked\n\nSo.\n");
    write("exercises/" + made.name + "/hints.md",
          "# Hints\n\n## 1. Where\n\nHere.\n\n## 2. How\n\nSo.\n\n## 3. Nearly\n\nThus.\n");
    return list.exercises.back();
  }

  /// The student saves the file of an exercise, counted from 0.
  void save(const std::string& text, std::size_t exercise = 0) const {
    const Exercise& one = list.exercises[exercise];
    write("exercises/" + one.name + '/' + one.file, text);
  }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return folder.write("checkout/" + name, text);
  }
  std::string read(const std::string& name) const { return folder.read("checkout/" + name); }

  /// What was shown since the last call.
  std::string shown() {
    const std::string text = out.str();
    out.str("");
    return text;
  }
  std::string complained() {
    const std::string text = err.str();
    err.str("");
    return text;
  }

  static constexpr char stub[] = "// head\n// TODO (1 lines)\n";
  static constexpr char solved[] = "// head\nint solved;\n";

  TestFolder folder;
  Checkout checkout;
  ExerciseList list;
  std::ostringstream out;
  std::ostringstream err;
  std::ostringstream steps;
  Progress progress{steps, false};
  Screen screen{out, err, progress, false};

 private:
  static constexpr char compile_script[] = R"sh(
[ "$1 $2 $3 $5" = "-common -own -c -o" ] || { echo "called with $*"; exit 9; }
if grep -q SYNTAX "$4"; then
  echo "$4: In function 'f':"
  echo "$4:3:1: error: expected ';'"
  exit 1
fi
if grep -q UNUSED "$4"; then echo "$4:4:1: warning: unused variable 'a'"; fi
cp "$4" "$6"
)sh";
  static constexpr char link_script[] = R"sh(
object=$1
[ "$3" = -o ] || exit 9
if grep -q RENAMED "$object"; then
  echo "check.cpp:(.text+0x1): undefined reference to \`launch_it(int)'"
  exit 1
fi
cat >"$4" <<'END'
#!/bin/sh
filter=
case ${1-} in --test-case=*) filter=,${1#*=}, ;; --in-process) shift; echo "alone: $*" ;; esac
tell() { printf '{"case": "%s", "result": "%s", "message": "%s"}\n' "$@" >>"$COURSE_CHECK_RESULTS"; }
for name in 'correct: one' 'correct: two' 'efficient: three'; do
  case $filter in '' | *",$name,"*) ;; *) continue ;; esac
  tell "$name" running ''
  if grep -q TODO "$0.o"; then tell "$name" failed 'nothing there'; continue; fi
  case $(sed -n "s/^\([a-z]*\): $name\$/\1/p" "$0.o") in
    fails) tell "$name" failed 'got 1\n\nexpected 2' ;;
    long) tell "$name" failed "with n = 1:\ngot 1$(printf '\\n %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13)" ;;
    unlaunched) tell "$name" failed "with $name, no kernel was launched" ;;
    repeats) tell "$name" failed 'error: race again at a.cu:1, as described above' ;;
    turns) tell "$name" failed 'got \u001B[2J1\u202E' ;;
    skips) tell "$name" skipped 'no GPU' ;;
    crashes) echo 'last words' >&2; kill -SEGV $$ ;;
    hangs) sleep 60 ;;
    *) tell "$name" passed '' ;;
  esac
done
END
chmod +x "$4"
cp "$object" "$4.o"
)sh";
};

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace course::tool
