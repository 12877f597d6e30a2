#include "host/build_lock.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>

#include "host/build.hpp"
#include "host/exercises/check_program.hpp"
#include "host/exercises/fake_course.hpp"
#include "host/process.hpp"
#include "processes/pipes.hpp"

using namespace course::tool;
using std::chrono::milliseconds;

namespace {

/// Another ./course: a process that has the lock for a while.
class Other {
 public:
  Other(const Checkout& checkout, milliseconds duration) : id_(fork()) {
    if (id_ != 0) {
      char byte = 0;
      [[maybe_unused]] const ssize_t size = read(locked_.read.number(), &byte, 1);
      return;
    }
    std::ostringstream nowhere;
    Progress progress(nowhere, false);
    const BuildLock lock = BuildLock::of_build(checkout, progress);
    processes::write_all(locked_.write.number(), "x");
    std::this_thread::sleep_for(duration);
    _exit(0);
  }
  ~Other() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  void end() const { kill(id_, SIGKILL); }

 private:
  processes::Pipe locked_;
  pid_t id_;
};

constexpr char waiting[] = "waiting for another ./course in this checkout ...\n";

}  // namespace

TEST_CASE("two builds in one folder come one after the other, and the second says that it waits") {
  FakeCourse course;
  const Other other(course.checkout, milliseconds(1000));
  CHECK(build_target(course.checkout, "x", course.progress).ok);
  CHECK(course.steps.str() == waiting);
  CHECK(build_target(course.checkout, "x", course.progress).ok);
  CHECK(course.steps.str() == waiting);
}

TEST_CASE("who was told of the waiting is not told again") {
  FakeCourse course;
  setenv("COURSE_TOLD_OF_WAITING", "1", 1);
  const Other other(course.checkout, milliseconds(300));
  CHECK(build_target(course.checkout, "x", course.progress).ok);
  unsetenv("COURSE_TOLD_OF_WAITING");
  CHECK(course.steps.str().find("waiting") == std::string::npos);
}

TEST_CASE("the lock goes with its holder, however that ends") {
  FakeCourse course;
  const Other other(course.checkout, std::chrono::seconds(60));
  other.end();
  CHECK(build_target(course.checkout, "x", course.progress).ok);
}

TEST_CASE("Ctrl-C ends the waiting") {
  FakeCourse course;
  const Other other(course.checkout, std::chrono::seconds(60));
  std::thread([] {
    std::this_thread::sleep_for(milliseconds(500));
    raise(SIGINT);
  }).detach();
  // Once the watch is over, another SIGINT would end this program: there is one only.
  CHECK_THROWS_AS(build_target(course.checkout, "x", course.progress), Interrupted);
}

TEST_CASE("exercises keep only themselves waiting, and no build") {
  FakeCourse course;
  const BuildLock build = BuildLock::of_build(course.checkout, course.progress);
  const BuildLock one = BuildLock::of_folder(
      student_folder(course.checkout, course.list.exercises[0]), course.progress);
  const BuildLock two = BuildLock::of_folder(
      student_folder(course.checkout, course.list.exercises[1]), course.progress);
  CHECK(course.steps.str().empty());
}

TEST_CASE("the script's lock counts too, where it has no flock; but not that of one who is gone") {
  FakeCourse course;
  const std::filesystem::path folder = course.checkout.build_dir / "course.lock.d";
  std::filesystem::create_directories(folder);
  course.folder.write("build/course.lock.d/pid", std::to_string(getpid()) + '\n');
  std::thread([folder] {
    std::this_thread::sleep_for(milliseconds(500));
    std::filesystem::remove_all(folder);
  }).detach();
  CHECK(build_target(course.checkout, "x", course.progress).ok);
  CHECK(course.steps.str() == waiting);
  course.folder.write("build/course.lock.d/pid", "999999999\n");
  CHECK(build_target(course.checkout, "x", course.progress).ok);
}
