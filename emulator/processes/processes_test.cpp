#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "processes/child.hpp"
#include "processes/pipes.hpp"
#include "processes/signal_watch.hpp"
#include "processes/temporary_folder.hpp"

using namespace processes;

TEST_CASE("lines are cut out of a text that comes in pieces") {
  LineCutter cutter;
  std::vector<std::string> lines;
  const auto take = [&](std::string_view line) { lines.emplace_back(line); };
  for (const char* const piece : {"a", "b\n\nc", "", "d\ne"}) cutter.add(piece, take);
  CHECK(lines == std::vector<std::string>{"ab", "", "cd"});
  cutter.finish(take);
  cutter.finish(take);
  CHECK(lines.size() == 4);
  CHECK(lines.back() == "e");
}

TEST_CASE("a program's output is read to its end, and how it ended is told") {
  const Output output = output_of({"sh", "-c", "head -c 200000 /dev/zero; exit 3"});
  CHECK(output.text == std::string(200000, '\0'));
  CHECK(output.ending.code == 3);
  CHECK(output.ending.status() == 3);
  const ExitStatus killed = output_of({"sh", "-c", "kill -KILL $$"}).ending;
  CHECK(killed.signal == SIGKILL);
  CHECK(killed.status() == 128 + SIGKILL);
  CHECK_THROWS_WITH_AS(output_of({"no-such-program"}),
                       "cannot run 'no-such-program': No such file or directory",
                       std::system_error);
}

TEST_CASE("a program starts where and with what it is told to") {
  setenv("PROCESSES_TEST_GONE", "ours", 1);
  Pipe in;
  Pipe out;
  Child child(start({"sh", "-c", "pwd; echo $NEW ${PROCESSES_TEST_GONE-gone}; cat; cat out >&2"},
                    {.in = in.read.number(),
                     .out = out.write.number(),
                     .err = out.write.number(),
                     .folder = "/",
                     .environment = {{"NEW", "a b"}, {"PROCESSES_TEST_GONE", ""}}}));
  unsetenv("PROCESSES_TEST_GONE");
  CHECK_FALSE(child.has_ended());
  write_all(in.write.number(), "input\n");
  for (FileDescriptor* const end : {&in.read, &in.write, &out.write}) end->close();
  CHECK(read_all(out.read).starts_with("/\na b gone\ninput\ncat: "));
  CHECK(child.wait().code == 1);
  CHECK(child.has_ended());
  CHECK(child.ending()->code == 1);
}

TEST_CASE("no input, and a group of its own") {
  Pipe out;
  Child child(start({"sh", "-c", "cat; cut -d' ' -f5 /proc/$$/stat"},
                    {.no_input = true, .out = out.write.number(), .own_group = true}));
  out.write.close();
  CHECK(read_all(out.read) == std::to_string(child.id()) + '\n');
  child.wait();
}

TEST_CASE("a watch notes signals, for itself and for as long as it lives") {
  std::signal(SIGUSR2, SIG_IGN);
  const SignalWatch outer{SIGUSR1, SIGUSR2};
  {
    SignalWatch inner{SIGUSR1};
    CHECK(inner.received() == 0);
    raise(SIGUSR1);
    CHECK(inner.received() == SIGUSR1);
    inner.forget();
    CHECK(inner.received() == 0);
    raise(SIGUSR1);
  }
  CHECK(outer.received() == 0);
  raise(SIGUSR1);
  raise(SIGUSR2);
  CHECK(outer.received() == SIGUSR1);
  const SignalWatch again{SIGUSR1, SIGUSR2};
  CHECK(again.received() == 0);
  std::signal(SIGUSR2, SIG_DFL);
}

TEST_CASE("a child is passed on what comes, and what came before it") {
  const SignalWatch watch{SIGTERM};
  SUBCASE("before") {
    raise(SIGTERM);
    Child child(start({"sleep", "20"}));
    pass_signals_on(child);
    CHECK(child.wait().signal == SIGTERM);
  }
  SUBCASE("while it runs") {
    Child child(start({"sleep", "20"}));
    pass_signals_on(child);
    raise(SIGTERM);
    CHECK(child.wait().signal == SIGTERM);
  }
  SUBCASE("from itself") {
    CHECK(output_of({"sh", "-c", "kill -TERM $PPID; sleep 20"}).ending.signal == SIGTERM);
  }
  CHECK(watch.received() == SIGTERM);
}

TEST_CASE("who dies by a signal is seen to") {
  const pid_t id = fork();
  if (id == 0) {
    const SignalWatch watch{SIGTERM};
    die_by(SIGTERM);
  }
  CHECK(Child(id).wait().signal == SIGTERM);
}

TEST_CASE("a temporary folder is gone with its object") {
  namespace fs = std::filesystem;
  fs::path path;
  {
    const TemporaryFolder folder(fs::temp_directory_path(), "processes test");
    path = folder.path();
    CHECK(path.filename().string().starts_with("processes test-"));
    CHECK(fs::create_directories(path / "a/b"));
  }
  CHECK_FALSE(fs::exists(path));
  CHECK_THROWS_AS(TemporaryFolder("/no/such/folder", "x"), std::system_error);
}
