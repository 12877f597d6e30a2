#include "host/process.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

namespace {

struct OutputRecord {
  std::vector<std::string> out;
  std::vector<std::string> err;
  ExitStatus status;
};

OutputRecord run_shell(const std::string& script) {
  OutputRecord heard;
  heard.status = run_process({"sh", "-c", script}, [&](Stream stream, std::string_view line) {
    (stream == Stream::out ? heard.out : heard.err).emplace_back(line);
  });
  return heard;
}

/// Whether a process of this id runs; a zombie, which nothing has waited for yet, does not.
bool is_alive(const std::string& id) {
  const std::filesystem::path file = "/proc/" + id + "/stat";
  std::ifstream stream(file);
  std::string text;
  std::getline(stream, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text[name_end + 2] != 'Z';
}

/// The same, given a moment: what was ended a moment ago may still be on its way out.
bool is_gone(const std::string& id) {
  const auto deadline = steady_clock::now() + seconds(2);
  while (is_alive(id) && steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  return !is_alive(id);
}

}  // namespace

TEST_CASE("a child's lines arrive by stream, the last one too if nothing ends it") {
  const OutputRecord heard = run_shell("echo a; echo b >&2; echo; printf c; printf d >&2");
  CHECK(heard.status.ok());
  CHECK(heard.out == std::vector<std::string>{"a", "", "c"});
  CHECK(heard.err == std::vector<std::string>{"b", "d"});
}

TEST_CASE("much output on both streams neither blocks nor tears lines") {
  const OutputRecord heard = run_shell(
      "k=0; while [ $k -lt 20000 ]; do echo \"line $k\"; echo \"error $k\" >&2; k=$((k+1)); done");
  REQUIRE(heard.out.size() == 20000);
  REQUIRE(heard.err.size() == 20000);
  CHECK(heard.out[12345] == "line 12345");
  CHECK(heard.err[19999] == "error 19999");
}

TEST_CASE("how a child ended is told") {
  CHECK(run_shell("exit 77").status.code == 77);
  CHECK_FALSE(run_shell("exit 77").status.ok());
  CHECK(run_shell("exit 77").status.text() == "exit status 77");
  const ExitStatus killed = run_shell("kill -SEGV $$").status;
  CHECK(killed.signal == SIGSEGV);
  CHECK_FALSE(killed.ok());
  CHECK(killed.text() == "killed by signal 11 (Segmentation fault)");
}

TEST_CASE("a child reads nothing") {
  CHECK(run_shell("cat; echo end").out == std::vector<std::string>{"end"});
}

TEST_CASE("a program that is not there is a failure that names it") {
  CHECK_THROWS_WITH_AS(run_process({"/no/such/program"}, [](Stream, std::string_view) {}),
                       "cannot run /no/such/program: No such file or directory", Failure);
}

TEST_CASE("something left in the background does not hold us up, and is left alone") {
  const auto start = steady_clock::now();
  const OutputRecord heard = run_shell("sleep 20 & echo $!");
  CHECK(steady_clock::now() - start < seconds(5));
  REQUIRE(heard.out.size() == 1);
  CHECK(is_alive(heard.out[0]));
  kill(std::stoi(heard.out[0]), SIGKILL);
}

TEST_CASE("a child runs where and with what it is told to") {
  setenv("COURSE_TEST_OURS", "ours", 1);
  setenv("COURSE_TEST_GONE", "ours", 1);
  RunOptions run_options;
  run_options.folder = "/usr";
  run_options.environment = {{"COURSE_TEST_NEW", "a b"}, {"COURSE_TEST_GONE", ""}};
  std::vector<std::string> lines;
  run_process(
      {"sh", "-c",
       "pwd; echo $COURSE_TEST_OURS; echo $COURSE_TEST_NEW; echo ${COURSE_TEST_GONE-no}"},
      [&](Stream, std::string_view line) { lines.emplace_back(line); }, {}, run_options);
  CHECK(lines == std::vector<std::string>{"/usr", "ours", "a b", "no"});
  unsetenv("COURSE_TEST_OURS");
  unsetenv("COURSE_TEST_GONE");
  run_options.folder = "/no/such/folder";
  CHECK_THROWS_AS(run_process(
                      {"true"}, [](Stream, std::string_view) {}, {}, run_options),
                  Failure);
}

TEST_CASE("a child whose time is up is ended with all that it started") {
  std::vector<std::string> ids;
  RunOptions run_options;
  run_options.time_limit = milliseconds(200);
  const auto start = steady_clock::now();
  const ExitStatus status = run_process(
      {"sh", "-c", "sleep 30 & echo $!; sleep 30"},
      [&](Stream, std::string_view line) { ids.emplace_back(line); }, {}, run_options);
  CHECK(steady_clock::now() - start < seconds(5));
  CHECK(status.timed_out);
  CHECK_FALSE(status.ok());
  CHECK(status.text() == "out of time");
  REQUIRE(ids.size() == 1);
  CHECK(is_gone(ids[0]));
}

TEST_CASE("time is told while a child runs") {
  milliseconds last{-1};
  run_process(
      {"sleep", "0.3"}, [](Stream, std::string_view) {},
      [&](milliseconds elapsed) { last = elapsed; });
  CHECK(last >= milliseconds(200));
}

TEST_CASE("an interrupt ends the child with all that it started, stubborn ones too") {
  const TestFolder folder;
  struct Case {
    int signal;
    std::string trap;
  };
  for (const Case& way :
       {Case{SIGINT, ""}, Case{SIGTERM, ""}, Case{SIGINT, "trap '' INT TERM; "}}) {
    CAPTURE(way.signal);
    CAPTURE(way.trap);
    std::string ids;
    std::thread interrupter;
    const auto on_line = [&](Stream, std::string_view line) {
      ids = line;
      interrupter = std::thread([number = way.signal] {
        std::this_thread::sleep_for(milliseconds(50));
        kill(getpid(), number);
      });
    };
    int seen = 0;
    try {
      run_process({"sh", "-c", way.trap + "sleep 30 & echo $$ $!; wait; sleep 30"}, on_line);
    } catch (const Interrupted& interrupted) {
      seen = interrupted.signal();
    }
    interrupter.join();
    CHECK(seen == way.signal);
    const std::size_t space = ids.find(' ');
    CHECK(is_gone(ids.substr(0, space)));
    CHECK(is_gone(ids.substr(space + 1)));
  }
}

TEST_CASE("a handler that fails leaves no child behind") {
  std::string id;
  CHECK_THROWS_AS(run_process({"sh", "-c", "echo $$; exec sleep 30"},
                              [&](Stream, std::string_view line) {
                                id = line;
                                throw Failure("enough");
                              }),
                  Failure);
  CHECK(is_gone(id));
}
