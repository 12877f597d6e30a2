#include "grader/class.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "grader/report/report.hpp"
#include "grader/small_course.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"

using namespace course::tool;
using namespace course::tool::grading;
namespace fs = std::filesystem;

namespace {

/// A class of submissions of the small course, and what marks it.
struct Classroom {
  SmallCourse course;
  Sandbox sandbox{true};
  GradeOptions options;
  Shard shard;
  ClassFolder out{course.folder.path() / "marks of all"};

  void hand_in(const std::string& student, const std::string& text) const {
    course.folder.write("class/" + student + "/answer.cu", text);
  }

  std::vector<Marks> grade(std::uint64_t seed = 1, bool again = false, int jobs = 2) {
    options.time_limit = 3;
    options.without_witness = true;  // no program here is the emulator's
    Grader grader(course.checkout, course.list, {&course.list.exercises[0]}, options, seed,
                  sandbox);
    grader.prepare(course.screen);
    return grade_class(grader, submissions_in(course.folder.path() / "class", true), out, jobs,
                       again, course.screen, shard);
  }

  std::string told() {
    const std::string text = course.err.str();
    course.err.str("");
    return text;
  }
};

std::string in_short(const std::vector<Marks>& marks) {
  std::string text;
  for (const Marks& one : marks) {
    text += one.submission + ' ' + std::to_string(one.points().points) + ' ' +
            one.exercises.at(0).state + '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("submissions are the folders of a folder, and files if one exercise is asked for") {
  const TestFolder folder;
  folder.write("ben/x", "");
  folder.write("anna.cu", "");
  folder.write("list.txt", "");
  folder.write(".git/x", "");
  fs::create_directory_symlink(folder.path() / "ben", folder.path() / "cleo");
  const auto names = [&](bool files_too) {
    std::string text;
    for (const Submission& one : submissions_in(folder.path(), files_too)) text += one.name + ' ';
    return text;
  };
  CHECK(names(false) == "ben cleo ");
  CHECK(names(true) == "anna.cu ben cleo ");
  CHECK_THROWS_AS(submissions_in(folder.path() / "ben", false), const Failure&);
  CHECK_THROWS_AS(submissions_in(folder.path() / "nobody", false), const Failure&);
}

TEST_CASE("folders of marks are no submissions, and marks do not go into one") {
  SmallCourse course;
  const fs::path all = course.folder.path() / "class";
  course.folder.write("class/anna/x", "");
  course.folder.write("class/ben/x", "");
  course.folder.write("class/old/class.json", "{}");
  fs::create_directories(all / "old/marks");
  fs::create_directory_symlink(all, course.folder.path() / "link");
  const auto names = [&](const fs::path& out, const fs::path& folder) {
    std::string text;
    try {
      for (const Submission& one : submissions_beside({out}, folder, false, course.screen)) {
        text += one.name + ' ';
      }
    } catch (const Failure& failure) {
      CHECK(failure.status() == status_refused);
      return std::string(failure.what()).substr(0, 29);
    }
    return text;
  };
  CHECK(names(all / "new", all) == "anna ben ");
  CHECK(course.err.str() == "course: old holds marks of a class, and is not a submission\n");
  course.err.str("");
  CHECK(names(all / "old", all) == "anna ben ");
  CHECK(names(all / "old/", course.folder.path() / "link") == "anna ben ");
  CHECK(course.err.str().empty());
  fs::create_directories(all / "empty");
  CHECK(names(all / "empty", all / "") == "anna ben ");
  CHECK(names(course.folder.path(), all) == "anna ben empty ");
  CHECK(names(all, all) == "the marks cannot go to the fo");
  CHECK(names(all / ".", course.folder.path() / "link") == "the marks cannot go to the fo");
  CHECK(names(all / "anna", all) == "the marks cannot go into a su");
  CHECK(names(all / "anna/marks", all) == "the marks cannot go into a su");
  CHECK(names("/dev/null", all) == "--out wants a folder, and /de");
}

TEST_CASE("a name of a folder is one line, and unlike all others") {
  const TestFolder folder;
  for (const char* const name : {"a\nb", "a b", "a\\nb", "\xFF"}) {
    fs::create_directories(folder.path() / name);
  }
  std::string text;
  for (const Submission& one : submissions_in(folder.path(), false)) text += one.name + '|';
  CHECK(text == "\\xFF|a b|a\\\\nb|a\\nb|");
}

TEST_CASE("names of files are safe, and each is another") {
  std::vector<std::string> taken;
  CHECK(file_name_for("anna", taken) == "anna");
  CHECK(file_name_for("Anna", taken) == "Anna~2");
  CHECK(file_name_for("anna", taken) == "anna~3");
  CHECK(file_name_for("../../etc/passwd", taken) == "_.._.._etc_passwd");
  CHECK(file_name_for("a b\n<c>", taken) == "a_b__c_");
  CHECK(file_name_for("", taken) == "_");
  CHECK(file_name_for("--help", taken) == "_--help");
  CHECK(file_name_for(std::string(500, 'x'), taken).size() < 120);
}

TEST_CASE("a class is marked, and one bad submission stops none of the others") {
  SKIP_UNLESS_ISOLATED();
  Classroom room;
  room.hand_in("anna", SmallCourse::right);
  room.hand_in("ben", "int answer(int x) { return x == 20 ? 40 : 0; }");
  room.hand_in("cleo", "int answer(int");
  room.hand_in("dora", "#include <unistd.h>\nint answer(int) { return fork(); }");
  room.hand_in("emil", "int answer(int) { for (volatile int k = 0;;) k = k + 1; }");
  room.hand_in("fay", "#include <cstdlib>\nint answer(int) { std::exit(0); }");
  fs::create_directories(room.course.folder.path() / "class/gus");
  fs::create_directory_symlink("/etc", room.course.folder.path() / "class/hal");
  const std::vector<Marks> marks = room.grade();
  CHECK(in_short(marks) ==
        "anna 10 graded\nben 7 graded\ncleo 0 does not compile\ndora 0 refused\nemil 0 graded\n"
        "fay 0 graded\ngus 0 missing\nhal 0 not a file\n");
  CHECK(marks[0].isolation.level == "full");
  CHECK(marks[0].exercises[0].cases.size() == 3);

  write_class_reports(marks, room.out, "class");
  CHECK(read_file(room.out.path / "class.csv") == to_csv(marks));
  CHECK(fs::exists(room.out.path / "class.html"));
  CHECK(fs::exists(room.out.path / "class.junit.xml"));
  CHECK(read_file(room.out.marks("anna")) == to_json(marks[0]));
}

TEST_CASE("what is marked stays, unless what it depends on has changed") {
  SKIP_UNLESS_ISOLATED();
  Classroom room;
  room.hand_in("anna", SmallCourse::right);
  room.hand_in("ben", "int answer(int x) { return x; }");
  CHECK(in_short(room.grade()) == "anna 10 graded\nben 2 graded\n");
  CHECK(room.told().empty());

  // Marks that are found in place of those that would be made show that none were made.
  Marks forged = *marks_from_json(read_file(room.out.marks("anna")).value());
  forged.exercises[0].cases[0].points.points = 1;
  write_file(room.out.marks("anna"), to_json(forged));
  CHECK(in_short(room.grade()) == "anna 6 graded\nben 2 graded\n");
  CHECK(room.told().find("2 of 2 are already marked") != std::string::npos);

  room.hand_in("ben", SmallCourse::right);
  CHECK(in_short(room.grade()) == "anna 6 graded\nben 10 graded\n");
  CHECK(room.told().find("1 of 2 are already marked") != std::string::npos);

  CHECK(in_short(room.grade(2)) == "anna 10 graded\nben 10 graded\n");  // another seed
  write_file(room.out.marks("anna"), to_json(forged));
  CHECK(in_short(room.grade(1, true)) == "anna 10 graded\nben 10 graded\n");  // --again
  write_file(room.out.marks("anna"), "{");
  CHECK(in_short(room.grade()) == "anna 10 graded\nben 10 graded\n");
}

TEST_CASE("failures of ours are marked as such, and tried again") {
  SKIP_UNLESS_ISOLATED();
  Classroom room;
  room.hand_in("anna", SmallCourse::right);
  room.course.folder.script("judge", "exit 1");
  const std::vector<Marks> marks = room.grade();
  CHECK(in_short(marks) == "anna 0 not graded\n");
  CHECK(marks[0].has_failure_of_ours());
  CHECK(in_short(room.grade()) == "anna 0 not graded\n");
  CHECK(room.told().empty());
}

TEST_CASE("a judge that ends in a case, or says that it could not judge, fails nobody") {
  SKIP_UNLESS_ISOLATED();
  Classroom room;
  room.hand_in("anna", SmallCourse::right);
  const std::string tell =
      "printf '{\"case\": \"%s\", \"result\": \"%s\", \"message\": "
      "\"%s\"}\\n' >>\"$COURSE_CHECK_RESULTS\" ";
  room.course.folder.script("judge", tell + "'correct: of twenty' running ''; kill -SEGV $$");
  std::vector<Marks> marks = room.grade();
  CHECK(in_short(marks) == "anna 0 not graded\n");
  CHECK(marks[0].exercises[0].reason.starts_with(
      "the judge did not complete the case 'correct: of twenty': the program ended"));
  room.course.folder.script("judge",
                            tell + "'correct: of one' 'not judged' 'cannot start a process'");
  marks = room.grade();
  CHECK(in_short(marks) == "anna 0 not graded\n");
  CHECK(marks[0].exercises[0].cases[1].message == "cannot start a process");
}

TEST_CASE("a compiler that somebody kills costs no points: the next call grades anew") {
  SKIP_UNLESS_ISOLATED();
  Classroom room;
  room.hand_in("anna", SmallCourse::right);
  room.hand_in("ben", "int answer(int");
  const fs::path launcher = room.course.list.compile.front();
  write_file(launcher, "#!/bin/sh\nkill -KILL $$\n");
  CHECK(in_short(room.grade()) == "anna 0 not graded\nben 0 not graded\n");
  write_file(launcher, "#!/bin/sh\nexec \"$@\"\n");
  CHECK(in_short(room.grade()) == "anna 10 graded\nben 0 does not compile\n");
  CHECK(room.told().empty());
}

TEST_CASE("marks that cannot be written are not graded") {
  SKIP_UNLESS_ISOLATED();
  Classroom room;
  room.hand_in("anna", SmallCourse::right);
  fs::create_directories(room.out.marks("anna") / "in the way");
  const std::vector<Marks> marks = room.grade();
  CHECK(in_short(marks) == "anna 0 not graded\n");
  CHECK(marks[0].exercises[0].reason == "its marks could not be written");
}

TEST_CASE("Ctrl-C leaves what is finished, and nothing behind; the next call goes on") {
  SKIP_UNLESS_ISOLATED();
  Classroom room;
  room.hand_in("a", SmallCourse::right);
  for (const char* const name : {"b", "c", "d"}) {
    room.hand_in(name, "int answer(int) { for (volatile int k = 0;;) k = k + 1; }");
  }
  const pid_t child = fork();
  if (child == 0) {
    int status = 0;
    try {
      room.grade(1, false, 1);
    } catch (const Interrupted& interrupted) {
      status = 128 + interrupted.signal();
    }
    _exit(status);
  }
  for (int k = 0; k < 200 && !read_file(room.out.marks("a")); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // b is at work
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 128 + SIGINT);
  CHECK(read_file(room.out.marks("a")));
  CHECK_FALSE(read_file(room.out.marks("c")));
  for (const char* const name : {"b", "c", "d"}) room.hand_in(name, SmallCourse::right);
  CHECK(in_short(room.grade()) == "a 10 graded\nb 10 graded\nc 10 graded\nd 10 graded\n");
  CHECK(room.told().find("1 of 4 are already marked") != std::string::npos);
}

TEST_CASE("shards mark a class as one machine does, side by side, and a killed one is taken up") {
  SKIP_UNLESS_ISOLATED();
  Classroom room;
  for (const char* const name : {"anna", "ben", "cleo", "dora", "emil", "finn"}) {
    room.hand_in(name, name[0] == 'c' ? "int answer(int" : SmallCourse::right);
  }
  const std::string whole = in_short(room.grade(7));
  room.out.path = room.course.folder.path() / "of shards";
  room.shard = {2, 4};
  CHECK(in_short(room.grade(7)).substr(0, 4) == "ben ");
  CHECK(fs::exists(room.out.marks("finn")));
  CHECK_FALSE(fs::exists(room.out.marks("anna")));
  for (const int number : {1, 3, 4}) {
    room.shard = {number, 4};
    room.grade(7);
  }
  // One that was killed before it could write.
  fs::remove(room.out.marks("finn"));
  room.told();
  room.shard = {2, 4};
  room.grade(7);
  CHECK(room.told().find("1 of 2 are already marked") != std::string::npos);
  room.shard = {};
  CHECK(in_short(room.grade(7)) == whole);
  CHECK(room.told().find("6 of 6 are already marked") != std::string::npos);
}

TEST_CASE("a shard is a number of how many") {
  CHECK(shard_of("2/8")->number == 2);
  CHECK(shard_of("2/8")->of == 8);
  CHECK(shard_of("1/1"));
  for (const char* const text : {"", "2", "0/8", "9/8", "2/", "/8", "a/8", "2/8x", "-1/8", "2/0"}) {
    CHECK_FALSE(shard_of(text));
  }
}
