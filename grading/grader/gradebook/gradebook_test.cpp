#include "grader/gradebook/gradebook.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "grader/gradebook/times.hpp"
#include "grader/report/report.hpp"
#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;
using namespace course::tool::grading;
namespace fs = std::filesystem;

namespace {

/// A class of FakeCourse's exercises 01a and 01b whose points are given, not graded.
struct Classroom {
  FakeCourse course;
  GradebookFiles files;
  std::vector<Submission> submissions;
  std::vector<Marks> marks;

  Classroom() { files.manual = course.folder.path() / "marks/manual.csv"; }

  fs::path hand_in(const std::string& student, int points) {
    const fs::path folder = course.folder.path() / "class" / student;
    if (marks.empty() || marks.back().submission != student) {
      submissions.push_back({student, folder, false});
      Marks one;
      one.submission = student;
      one.isolation.level = "full";
      for (const char* const id : {"01a", "01b"}) {
        ExerciseMark mark;
        mark.id = id;
        mark.title = "About it";
        mark.cases = {{"correct: all", "passed", {points, 10}, ""}};
        one.exercises.push_back(mark);
      }
      marks.push_back(one);
    }
    course.folder.write("class/" + student + "/squares.cu", "int b;\n");
    return course.folder.write("class/" + student + "/residual.cu", "int a;\n");
  }

  void roster(const std::string& text) { files.roster = course.folder.write("roster.csv", text); }
  void manual(const std::string& text) const { course.folder.write("marks/manual.csv", text); }

  void deadlines(const std::string& clock, const std::string& deadline) {
    files.deadlines = course.folder.write(
        "deadlines.json", R"({"time": ")" + clock +
                              R"(", "percent_per_day": 10, "grace_days": 1, "labs": [)"
                              R"({"lab": "Lab 1", "exercises": ["01a"], "deadline": ")" +
                              deadline + "\"}]}");
  }

  /// Settles, and returns class.csv.
  std::string settle() {
    const Gradebook gradebook(files, course.list, submissions);
    std::vector<Marks> settled = marks;
    gradebook.settle(settled, course.screen);
    last = settled;
    return to_csv(settled);
  }

  std::string refusal() {
    try {
      settle();
    } catch (const Failure& failure) {
      CHECK(failure.status() == status_refused);
      return failure.what();
    }
    return "";
  }

  std::string told() {
    const std::string text = course.err.str();
    course.err.str("");
    return text;
  }

  std::vector<Marks> last;
};

void set_time(const fs::path& file, std::int64_t seconds) {
  const timespec times[2] = {{seconds, 0}, {seconds, 0}};
  REQUIRE(utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
}

bool git(const fs::path& folder, const std::string& words) {
  const std::string command = "git -C '" + folder.string() + "' -c user.name=x -c user.email=x " +
                              words + " >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

}  // namespace

TEST_CASE("without files of the teacher's nothing changes") {
  Classroom room;
  room.hand_in("anna", 8);
  CHECK(room.settle() == "student,01a,01b,total,of,remarks\nanna,8,8,16,20,\n");
  CHECK(room.told().empty());
}

TEST_CASE("gradebooks have the roster's ids; who is unknown or missing is named") {
  Classroom room;
  room.hand_in("101", 8);
  room.hand_in("nobody", 3);
  room.hand_in("kim@x.org", 5);
  room.marks[2].exercises[1].state = "not graded";
  room.roster(
      "name,id,email\n\"=Berg, \"\"A\"\"\",101,a@x.org\nKim,102,kim@x.org\nJ\xC3\xB6,103,\n");
  CHECK(room.settle() ==
        "student,id,01a,01b,total,of,remarks\n101,101,8,8,16,20,\nnobody,,3,3,6,20,\n"
        "kim@x.org,102,5,?,?,20,\"01b not graded: \"\n");
  CHECK(room.told() ==
        "course: not in roster.csv, without a row in moodle.csv and canvas.csv: nobody\n"
        "course: no submission, without a row in moodle.csv and canvas.csv: J\xC3\xB6 (103)\n"
        "course: not graded, without a row in moodle.csv and canvas.csv: Kim (102)\n");
  CHECK(to_moodle_csv(room.last) ==
        "ID number,Email address,Name,01a,\"01a feedback\",01b,\"01b feedback\",Total\n"
        "101,a@x.org,\"'=Berg, \"\"A\"\"\",8,,8,,16\n");
  CHECK(to_canvas_csv(room.last) ==
        "Student,ID,SIS User ID,SIS Login ID,Section,01a,01b\nPoints Possible,,,,,10,10\n"
        "\"'=Berg, \"\"A\"\"\",,101,a@x.org,,8,8\n");
}

TEST_CASE("a file that is too late costs a share of its points, and the report says how") {
  Classroom room;
  room.deadlines("file", "2026-11-20T00:00Z");
  const std::int64_t deadline = *parse_time("2026-11-20T00:00Z");
  set_time(room.hand_in("anna", 7), deadline);
  set_time(room.hand_in("ben", 7), deadline + 86401);
  CHECK(room.settle() ==
        "student,01a,01b,deduction,total,of,remarks\nanna,7,7,0,14,20,\n"
        "ben,6.3,7,0.7,13.3,20,\"01a: 7 points of the checks, 2 days late, 1 grace day: 10% off, "
        "makes 6.3\"\n");
  const std::string page = to_html(room.last, "class");
  CHECK(says(page,
             "01a About it: 6.3 of 10</h3>\n<p>Lab 1: 2026-11-21T00:00:01Z by the time of "
             "its file; the deadline was 2026-11-20T00:00Z</p>\n<p>7 points of the checks"));
  // Others' grace days.
  room.roster("name,id,grace_days\nben,2,0\nanna,1,\n");
  CHECK(says(room.settle(), "ben,2,5.6,7,1.4,12.6,20"));
}

TEST_CASE("the time of a commit is that of the file's last change, if it is what was committed") {
  Classroom room;
  room.deadlines("commit", "2026-11-20T00:00Z");
  const fs::path file = room.hand_in("anna", 10);
  const fs::path folder = file.parent_path();
  if (!git(folder, "init")) {
    MESSAGE("SKIPPED: there is no git");
    return;
  }
  CHECK(says(room.settle(), "anna,10,10,0,20,20,\"01a: when it was handed in is not known"));
  setenv("GIT_COMMITTER_DATE", "2026-11-21T00:00:00Z", 1);
  REQUIRE(git(folder, "add ."));
  REQUIRE(git(folder, "commit -m one"));
  setenv("GIT_COMMITTER_DATE", "2026-11-29T00:00:00Z", 1);
  REQUIRE(git(folder, "commit --allow-empty -m two"));
  unsetenv("GIT_COMMITTER_DATE");
  CHECK(says(room.settle(), "01a: 1 day late, 1 grace day: 0% off"));
  CHECK(says(to_html(room.last, ""), "Lab 1: 2026-11-21T00:00:00Z by its last commit"));
  // What a student's settings would run is not run.
  const fs::path trap = room.course.folder.path() / "trapped";
  for (const char* const setting :
       {"core.fsmonitor", "gpg.program", "core.pager", "uploadpack.packObjectsHook",
        "core.alternateRefsCommand", "core.sshCommand"}) {
    REQUIRE(
        git(folder, "config " + std::string(setting) + " \"touch '" + trap.string() + "';true\""));
  }
  REQUIRE(git(folder, "config log.showSignature true"));
  CHECK(says(room.settle(), "1 day late"));
  CHECK_FALSE(fs::exists(trap));
  room.course.folder.write("class/anna/residual.cu", "int changed;\n");
  CHECK(says(room.settle(), "when it was handed in is not known: nothing off"));
}

TEST_CASE("the roster may say when a lab was handed in") {
  Classroom room;
  room.deadlines("roster", "2026-11-20T00:00Z");
  room.hand_in("anna", 10);
  room.hand_in("ben", 10);
  room.hand_in("cleo", 10);
  CHECK(room.refusal() ==
        "deadlines.json: \"time\": \"roster\" wants --roster FILE, with a column 'Lab 1'");
  room.roster("name,id,lab 1\nanna,1,2026-11-22T23:00+01:00\nben,2,\n");
  const std::string csv = room.settle();
  CHECK(says(csv, "anna,1,8,10,2,18,20,\"01a: 10 points of the checks, 3 days late, 1 grace day"));
  CHECK(says(csv, "ben,2,10,10,0,20,20,\"01a: when it was handed in is not known: nothing off\""));
  CHECK(says(csv, "cleo,,10,10,0,20,20,\"01a: when it was handed in is not known: nothing off\""));
  room.roster("name,id,Lab 1\nanna,1,yesterday\n");
  CHECK(room.refusal() ==
        "roster.csv:2: the time of Lab 1 wants the form 2026-11-20T23:59+01:00 (or Z for UTC), got "
        "'yesterday'");
}

TEST_CASE("what is marked by hand counts, with its comment, and is never written to") {
  Classroom room;
  room.deadlines("file", "2026-11-20T00:00Z");
  set_time(room.hand_in("anna", 8), *parse_time("2026-11-25T00:00Z"));
  room.hand_in("ben", 8);
  room.marks[1].exercises[1].state = "not graded";
  set_time(room.course.folder.path() / "class/ben/residual.cu", 0);
  room.roster("name,id\nben,=\n");
  room.files.roster.clear();
  const std::string text =
      "student,exercise,points,comment\nanna,01a,\"9,5\",\"Explained it well, <b>=now</b>\"\n"
      "anna,1b,,Neat\nben,01b,7.25,\n";
  room.manual(text);
  const std::string csv = room.settle();
  CHECK(csv ==
        "student,01a,01b,deduction,total,of,remarks\n"
        "anna,9.5,8,0,17.5,20,\"01a: 8 points of the checks, 5 days late, 1 grace day: 40% off, "
        "marked by hand: 9.5: Explained it well, <b>=now</b>; 01b: Neat\"\n"
        "ben,8,7.25,0,15.25,20,\"01b not graded: : not graded, marked by hand: 7.25\"\n");
  CHECK(says(to_html(room.last, ""), "Explained it well, &lt;b&gt;=now&lt;/b&gt;</p>"));
  CHECK(room.course.folder.read("marks/manual.csv") == text);
  // The marks that are kept have the checks' points.
  CHECK(says(to_json(room.last[0]), "\"points\": 16"));
}

TEST_CASE("a line by hand that means nobody is refused") {
  Classroom room;
  room.hand_in("anna", 8);
  room.roster("name,id\nanna,101\n");
  const std::string head = "student,exercise,points,comment\n";
  room.manual(head + "101,01a,7,\n");
  CHECK(says(room.settle(), "anna,101,7,8,"));
  for (const auto& [line, said] : std::vector<std::pair<std::string, std::string>>{
           {"nobody,01a,7,", "manual.csv:2: there is no submission 'nobody'"},
           {",01a,7,", "manual.csv:2: the student is missing"},
           {"anna,01a,11,", "manual.csv:2: points want a number from 0 to 10, as 7.5, got '11'"},
           {"anna,01a,-1,", "manual.csv:2: points want a number from 0 to 10, as 7.5, got '-1'"},
           {"anna,01a,1.234,",
            "manual.csv:2: points want a number from 0 to 10, as 7.5, got '1.234'"},
           {"anna,01a,7,\nanna,1a,8,", "manual.csv:3: there is a line for anna and 01a already"},
           {"anna,01a,7,\n101,01a,8,", "manual.csv:3: there is a line for anna and 01a already"}}) {
    room.manual(head + line + '\n');
    CHECK(room.refusal() == said);
  }
  room.manual(head + "anna,99a,7,\n");
  CHECK(says(room.refusal(), "manual.csv:2: there is no exercise '99a'"));
  room.manual("student,exercise,points\n");
  CHECK(room.refusal() == "manual.csv: the first line must name a column 'comment'");
}
