#include "exercises/student_record.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "host/exercises/fake_course.hpp"
#include "host/files.hpp"

using namespace course::tool;

namespace {

namespace fs = std::filesystem;
const std::string file = ".course/progress.json";

ExerciseRecord work_on(FakeCourse& course, std::size_t k) {
  return read_student_record(course.checkout, course.err).of(course.list.exercises[k]);
}

}  // namespace

TEST_CASE("what was done is remembered, each exercise for itself") {
  FakeCourse course;
  CHECK(work_on(course, 0).attempts == 0);
  CHECK_FALSE(fs::exists(course.checkout.source_dir / file));
  change_student_record(course.checkout, course.err, [&](StudentRecord& record) {
    ExerciseRecord& work = record.work["01a_residual"];
    work.attempts = 3;
    work.hints = 2;
    work.solved = true;
    work.last = "x";
    record.congratulated = {"part"};
  });
  CHECK(work_on(course, 0).attempts == 3);
  CHECK(work_on(course, 0).hints == 2);
  CHECK(work_on(course, 0).solved);
  CHECK(work_on(course, 0).last == "x");
  CHECK(work_on(course, 1).attempts == 0);
  CHECK(read_student_record(course.checkout, course.err).congratulated ==
        std::vector<std::string>{"part"});
  CHECK(course.complained() == "");
}

TEST_CASE("a damaged record is kept aside, told once, and counts for nothing") {
  FakeCourse course;
  for (const std::string text : {"{", "[]", "", "{\"exercises\": {}}",
                                 "{\"exercises\": {\"01a\": 3}, \"congratulated\": []}",
                                 "{\"exercises\": {\"01a\": {\"attempts\": -1, \"hints\": 0, "
                                 "\"solved\": true, \"last\": \"\"}}, \"congratulated\": []}"}) {
    CAPTURE(text);
    course.write(file, text);
    CHECK(work_on(course, 0).attempts == 0);
    CHECK(says(course.complained(), "is damaged: it is now "));
    CHECK(course.read(file + ".bad") == text);
    CHECK_FALSE(fs::exists(course.checkout.source_dir / file));
    CHECK(work_on(course, 0).attempts == 0);
    CHECK(course.complained() == "");
  }
}

TEST_CASE("programs that change the record at the same time lose nothing") {
  FakeCourse course;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&course] {
      std::ostringstream err;
      for (int i = 0; i < 25; ++i) {
        change_student_record(course.checkout, err, [](StudentRecord& record) {
          ++record.work["01a_residual"].attempts;
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(work_on(course, 0).attempts == 100);
}

TEST_CASE("an attempt is a check of a file that is not the stub and not the one before") {
  FakeCourse course;
  StudentRecord record;
  const Exercise& exercise = course.list.exercises[0];
  note_attempt(record, exercise, FakeCourse::stub);
  CHECK(record.of(exercise).attempts == 0);
  note_attempt(record, exercise, "one\n");
  note_attempt(record, exercise, "one\n");
  CHECK(record.of(exercise).attempts == 1);
  note_attempt(record, exercise, "two\n");
  CHECK(record.of(exercise).attempts == 2);
}

TEST_CASE("in a read-only checkout the build folder remembers") {
  FakeCourse course;
  CHECK(student_record_folder(course.checkout) == course.checkout.source_dir / ".course");
  course.checkout.source_dir = "/proc";  // where nobody can write, not even root
  change_student_record(course.checkout, course.err,
                        [](StudentRecord& record) { record.work["01a_residual"].solved = true; });
  CHECK(student_record_folder(course.checkout) == course.checkout.build_dir / ".course");
  CHECK(work_on(course, 0).solved);
  CHECK(course.complained() == "");
  course.checkout.build_dir = "/proc";
  change_student_record(course.checkout, course.err,
                        [](StudentRecord& record) { record.work["01a_residual"].solved = true; });
  CHECK(says(course.complained(), "your progress cannot be remembered: cannot write "));
}
