#include "exercises/watch.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;
using Event = SavedFile::Event;

namespace {

/// Watches while these keys are pressed, one at each look, and then stops.
int press(FakeCourse& course, std::string keys, const std::string& wanted = "",
          bool clear = false) {
  WatchSettings settings;
  settings.interval = std::chrono::milliseconds(1);
  settings.time_of_day = [] { return "14:03:22"; };
  settings.clear = clear;
  bool stop = false;
  settings.must_stop = [&] { return stop; };
  settings.key = [&](std::chrono::milliseconds time) -> char {
    if (time.count() == 0) return 0;  // while a check runs
    stop = keys.empty();
    if (stop) return 0;
    const char next = keys.front();
    keys.erase(0, 1);
    return next;
  };
  return watch_command(course.checkout, course.list, wanted, course.screen, settings);
}

/// Watches with one step of `steps` before each look, until they are used up.
int watch(FakeCourse& course, const std::vector<std::function<void()>>& steps,
          const std::string& wanted = "") {
  std::size_t step = 0;
  WatchSettings settings;
  settings.interval = std::chrono::milliseconds(1);
  settings.time_of_day = [] { return "14:03:22"; };
  settings.must_stop = [&] {
    if (step == steps.size()) return true;
    steps[step++]();
    return false;
  };
  return watch_command(course.checkout, course.list, wanted, course.screen, settings);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

const auto nothing = [] {};

}  // namespace

TEST_CASE("a file counts as saved when its new content stays for a look") {
  SavedFile file("a");
  CHECK(file.look("a") == Event::nothing);
  CHECK(file.look("a") == Event::nothing);
  CHECK(file.look("b") == Event::nothing);
  CHECK(file.look("bc") == Event::nothing);
  CHECK(file.look("bc") == Event::saved);
}

TEST_CASE("a file that is emptied or away for a moment is neither saved nor gone") {
  SavedFile file("a");
  CHECK(file.look("") == Event::nothing);
  CHECK(file.look(std::nullopt) == Event::nothing);
  CHECK(file.look("a") == Event::nothing);
  CHECK(file.look("a") == Event::nothing);
  CHECK(file.look("") == Event::nothing);
  CHECK(file.look("b") == Event::nothing);
  CHECK(file.look("b") == Event::saved);
}

TEST_CASE("a file that stays away is told once, and again when it was back") {
  SavedFile file("a");
  int told = 0;
  for (int k = 0; k < 20; ++k) told += file.look(std::nullopt) == Event::vanished ? 1 : 0;
  CHECK(told == 1);
  file.look("a");
  for (int k = 0; k < 20; ++k) told += file.look("") == Event::vanished ? 1 : 0;
  CHECK(told == 2);
}

TEST_CASE("a file that was not there at the check is saved as soon as it is") {
  SavedFile file(std::nullopt);
  for (int k = 0; k < 20; ++k) CHECK(file.look(std::nullopt) == Event::nothing);
  CHECK(file.look("a") == Event::nothing);
  CHECK(file.look("a") == Event::saved);
}

TEST_CASE("watching says what is watched, checks at once and after each save") {
  FakeCourse course;
  const auto fail = [&] { course.save("fails: correct: one\n"); };
  CHECK(watch(course, {nothing, nothing, fail, nothing, nothing}) == status_ok);
  const std::string text = course.shown();
  CHECK(
      text.starts_with("Watching exercises/01a_residual/residual.cu: it is checked whenever you "
                       "save it. Ctrl-C ends.\n\n"));
  CHECK(count(text, "01a is not solved yet") == 2);
  CHECK(count(text, "14:03:22  saved: checking again\n") == 1);
  CHECK(says(text, "\n14:03:22  checked in 0."));
  CHECK(says(text, " s: 3 of 3 cases failed.\n"));
  CHECK(says(text, " s: 1 of 3 cases failed.\n"));
  CHECK(count(text, "Waiting for exercises/01a_residual/residual.cu to be saved ...\n") == 2);
  CHECK(text.ends_with("\nNo longer watching.\n"));
}

TEST_CASE("when an exercise is solved watching goes on to the next") {
  FakeCourse course;
  const auto solve = [&](std::size_t k) { return [&course, k] { course.save("mine\n", k); }; };
  CHECK(watch(course, {solve(0), nothing, nothing, solve(1), nothing, nothing, solve(2), nothing,
                       nothing, nothing}) == status_ok);
  const std::string text = course.shown();
  CHECK(says(text, "01a is solved"));
  CHECK(says(text, "Watching exercises/01b_squares/squares.cu"));
  CHECK(says(text, "Well done: you have solved all of part 2"));
  CHECK(says(text, "Watching exercises/08a_tile/tile.cu"));
  CHECK(text.ends_with("All exercises are solved: there is nothing left to watch.\n"));
}

TEST_CASE("a chapter is watched to its end, an exercise for as long as one likes") {
  FakeCourse course;
  for (const std::size_t k : {0U, 1U}) course.save("mine\n", k);
  CHECK(watch(course, {nothing}, "01") == status_ok);
  CHECK(course.shown().ends_with(
      "All exercises of this chapter are solved: there is nothing left to watch.\n"));
  CHECK(watch(course, {nothing, nothing, nothing}, "01a") == status_ok);
  const std::string text = course.shown();
  CHECK(says(text, "01a is solved"));
  CHECK_FALSE(says(text, "01b_squares.cu"));
  CHECK(text.ends_with("No longer watching.\n"));
}

TEST_CASE("a file that has vanished is told once") {
  FakeCourse course;
  std::vector<std::function<void()>> steps(12, nothing);
  steps[0] = [&] { std::filesystem::remove(course.list.exercises[0].source()); };
  CHECK(watch(course, steps) == status_ok);
  CHECK(count(course.shown(), "residual.cu is gone, or empty: waiting for it to come back") == 1);
}

TEST_CASE("what is saved while a check runs is checked next") {
  FakeCourse course;
  // The compiler itself saves another text, after it has taken the first.
  const std::string file = course.list.exercises[0].source().string();
  course.save("SYNTAX\n");
  course.list.compile[0] = course.folder.script(
      "compile", "echo \"$4:1:1: error: $(cat \"$4\")\"; echo LATER >'" + file + "'; exit 1");
  CHECK(watch(course, {nothing, nothing, nothing, nothing}) == status_ok);
  const std::string text = course.shown();
  CHECK(says(text, "error: LATER"));
  // Either the save is noticed before the compiler has ended, and ends it, or the check is
  // complete.
  CHECK(count(text, "saved meanwhile") + count(text, "checking again") == 1);
  CHECK(says(text, "error: SYNTAX") == says(text, "checking again"));
}

TEST_CASE("a save ends a check that is running: a loop without end keeps nobody waiting") {
  FakeCourse course;
  course.save("hangs: correct: one\n");
  std::thread saving([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    course.save("mine\n");
  });
  const auto start = std::chrono::steady_clock::now();
  CHECK(watch(course, {nothing, nothing}) == status_ok);
  saving.join();
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  const std::string text = course.shown();
  CHECK(count(text, "14:03:22  saved meanwhile: checking that\n") == 1);
  CHECK(says(text, "01a is solved"));
  CHECK_FALSE(says(text, "01a is not solved yet"));
}

TEST_CASE("Ctrl-C ends the watch, with status 0, also while a check runs") {
  FakeCourse course;
  const auto interrupt = [] { kill(getpid(), SIGINT); };
  CHECK(watch(course, {interrupt, nothing, nothing}) == status_ok);
  CHECK(course.shown().ends_with("\nNo longer watching.\n"));
  course.list.compile[0] = course.folder.script("compile", "kill -INT $PPID; sleep 20");
  CHECK(watch(course, {nothing, nothing, nothing}) == status_ok);
  CHECK(course.shown().ends_with("\nNo longer watching.\n"));
  course.list.compile[0] = course.folder.script("compile", "kill -TERM $PPID; sleep 20");
  CHECK_THROWS(watch(course, {nothing, nothing, nothing}));
}

TEST_CASE("keys: a hint, the list, the next exercise, the end") {
  FakeCourse course;
  course.write("exercises/01a_residual/hints.md", "## 1. Begin\n\nWith the row.\n");
  CHECK(press(course, "xhlq") == status_ok);
  std::string text = course.shown();
  CHECK(says(text, "h hint   n next exercise   l list   q quit\n"));
  CHECK(says(text, "Hint 1 of 1: Begin\n\nWith the row.\n"));
  CHECK(says(text, "3 matrix products"));
  CHECK(says(text, "0 of 3 exercises solved, 0 of 30 points.\n"));
  CHECK(count(text, "Waiting for exercises/01a_residual/residual.cu") == 3);
  CHECK(text.ends_with("\nNo longer watching.\n"));

  CHECK(press(course, "nnnq") == status_ok);
  text = course.shown();
  for (const char* const file : {"01b_squares/squares.cu", "08a_tile/tile.cu"}) {
    CHECK(count(text, "Watching exercises/" + std::string(file)) == 1);
  }
  CHECK(count(text, "Watching exercises/01a_residual/residual.cu") == 2);
  // From one that was asked for it goes on as well; a chapter goes round.
  CHECK(press(course, "nnq", "01a") == status_ok);
  CHECK(says(course.shown(), "Watching exercises/08a_tile/tile.cu"));
  CHECK(press(course, "nnq", "01") == status_ok);
  text = course.shown();
  CHECK(count(text, "Watching exercises/01a_residual/residual.cu") == 2);
  CHECK_FALSE(says(text, "08a_tile"));
}

TEST_CASE("a key ends a check that is running") {
  FakeCourse course;
  course.save("hangs: correct: one\n");
  WatchSettings settings;
  settings.interval = std::chrono::milliseconds(1);
  settings.key = [&](std::chrono::milliseconds) { return 'q'; };
  const auto start = std::chrono::steady_clock::now();
  CHECK(watch_command(course.checkout, course.list, "01a", course.screen, settings) == status_ok);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  CHECK(course.shown().ends_with("\nNo longer watching.\n"));
}

TEST_CASE("on a terminal each check has a fresh screen, with how far one is at its top") {
  FakeCourse course;
  course.save("mine\n");
  CHECK(press(course, "yq", "", true) == status_ok);
  const std::string text = course.shown();
  const std::string wiped = "\033[H\033[2J";
  CHECK(text.starts_with(wiped + "[--------------------]  0 of 3 exercises solved, 0 of 30 points\n"
                                 "Watching exercises/01a_residual/residual.cu\n"));
  CHECK(says(text, "01a is solved"));
  CHECK(says(text, wiped + "[######--------------]  1 of 3 exercises solved, 10 of 30 points\n"
                           "Watching exercises/01b_squares/squares.cu\n"));
}
