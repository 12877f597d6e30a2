#include "grader/sandbox/sandbox.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "grader/small_course.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
using namespace course::tool::grading;
namespace fs = std::filesystem;

namespace {

/// A static program, so that a cell need hold nothing else, made of a little C.
fs::path compiled(const TestFolder& folder, const std::string& body) {
  fs::permissions(folder.path(), fs::perms(0755));
  const fs::path source =
      folder.write("program.c",
                   "#define _GNU_SOURCE\n"
                   "#include <errno.h>\n#include <fcntl.h>\n#include <sched.h>\n"
                   "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                   "#include <sys/socket.h>\n#include <sys/wait.h>\n"
                   "#include <unistd.h>\nint main(void) {" +
                       body + "\nreturn 0; }\n");
  const fs::path program = folder.path() / "program";
  const std::string command = "gcc -w '" + source.string() + "' -o '" + program.string() + "'";
  REQUIRE(std::system(command.c_str()) == 0);
  return program;
}

struct CommandOutput {
  ExitStatus status;
  std::string text;
};

CommandOutput in_cell(const TestFolder& folder, const std::string& body,
                      RoomLimits limits = cell_limits(5)) {
  const Sandbox sandbox(false);
  CommandOutput said;
  RunOptions run_options;
  run_options.time_limit = std::chrono::seconds(20);
  said.status = run_process(
      sandbox.in_cell(compiled(folder, body), {}, limits),
      [&](Stream, std::string_view line) { said.text += std::string(line) + '\n'; }, {},
      run_options);
  return said;
}

/// What a shell says in a workshop.
CommandOutput in_workshop(const TestFolder& folder, const std::string& script) {
  fs::permissions(folder.path(), fs::perms(0755));
  const Sandbox sandbox(false);
  Workshop workshop;
  workshop.source = folder.write("source.cu", "int a;\n");
  workshop.output = folder.path() / "output";
  fs::create_directories(workshop.output);
  sandbox.give_away(workshop.output);
  folder.write("checkout/exercises/secret", "secret");
  workshop.to_see = {folder.write("checkout/common/seen", "seen").string()};
  workshop.hidden = {(folder.path() / "checkout").string()};
  CommandOutput said;
  said.status =
      run_process(sandbox.in_workshop(workshop, {"sh", "-c", script, folder.path().string()}),
                  [&](Stream, std::string_view line) { said.text += std::string(line) + '\n'; });
  return said;
}

}  // namespace

TEST_CASE("a cell: what a program can see is itself, its libraries and little more") {
  SKIP_UNLESS_ISOLATED();
  const TestFolder folder;
  const CommandOutput said = in_cell(folder, R"c(
    const char* paths[] = {"/proc/self/exe", "/proc/meminfo", "/submission/program", "/etc/passwd",
      "/proc/self/mem", "/proc/self/maps", "/proc/1", "/home", "/root", "/work", "/usr/bin/sh", "/bin/sh",
      "/sys", "/dev/mem", "/var", "/run", "/output"};
    for (int k = 0; k < 17; ++k) if (access(paths[k], F_OK) == 0) puts(paths[k]);
    puts(getenv("HOME") ? getenv("HOME") : "-");
    puts(getenv("COURSE_TEST_VARIABLE") ? "seen" : "unseen");
    char here[100]; puts(getcwd(here, 100));)c");
  CHECK(said.text == "/proc/self/exe\n/proc/meminfo\n/submission/program\n/tmp\nunseen\n/tmp\n");
  CHECK(said.status.ok());
}

TEST_CASE("a cell: no rights, and no other processes") {
  SKIP_UNLESS_ISOLATED();
  const TestFolder folder;
  setenv("COURSE_TEST_VARIABLE", "1", 1);
  const CommandOutput said = in_cell(folder, R"c(
    printf("%d %d\n", getuid() != 0, getpid() < 10);
    printf("%d\n", socket(AF_INET, SOCK_STREAM, 0) < 0 ? 1 : system("true") != 0);
    printf("%d\n", chroot("/tmp") != 0);
    printf("%d\n", open("/usr/lib/x", O_CREAT | O_WRONLY, 0600) < 0);
    printf("%d\n", open("/x", O_CREAT | O_WRONLY, 0600) < 0);
    printf("%d\n", open("/submission/program", O_WRONLY) < 0);)c");
  CHECK(said.text == "1 1\n1\n1\n1\n1\n1\n");
}

TEST_CASE("a cell: there is no network") {
  SKIP_UNLESS_ISOLATED();
  const TestFolder folder;
  const CommandOutput said = in_cell(folder, R"c(
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    struct { unsigned short family, port; unsigned char ip[4]; char rest[8]; } to =
      {AF_INET, 0x3500, {8, 8, 8, 8}, {0}};
    if (s >= 0 && connect(s, (struct sockaddr*)&to, sizeof to) == 0) puts("connected");
    else puts(strerror(errno));)c");
  CHECK(said.text == "Network is unreachable\n");
}

TEST_CASE("a cell: memory, files, processes and time are limited") {
  SKIP_UNLESS_ISOLATED();
  const TestFolder folder;
  RoomLimits limits = cell_limits(5);
  limits.cpu_seconds = 1;
  limits.processes = 8;
  SUBCASE("memory") {
    const CommandOutput said = in_cell(folder, R"c(
      long blocks = 0; while (blocks < 64 && malloc(64l << 20)) ++blocks;
      printf("%d\n", blocks >= 16 && blocks <= 32);)c",
                                       limits);
    CHECK(said.text == "1\n");
  }
  SUBCASE("the size of a file") {
    const CommandOutput said = in_cell(folder, R"c(
      static char block[1 << 16]; FILE* f = fopen("/tmp/f", "w");
      for (int k = 0; k < 64; ++k) fwrite(block, 1, sizeof block, f);)c",
                                       limits);
    CHECK_FALSE(said.status.ok());
  }
  SUBCASE("all files together") {
    const CommandOutput said = in_cell(folder, R"c(
      static char block[1 << 19]; int full = 0;
      for (int k = 0; k < 100 && !full; ++k) { char name[20]; sprintf(name, "/tmp/%d", k);
        int f = open(name, O_CREAT | O_WRONLY, 0600); full = write(f, block, sizeof block) < (int)sizeof block; close(f); }
      printf("%d\n", full);)c",
                                       limits);
    CHECK(said.text == "1\n");
  }
  SUBCASE("processes") {
    const CommandOutput said = in_cell(folder, R"c(
      int made = 0; for (int k = 0; k < 100; ++k) { int p = fork(); if (p == 0) { pause(); } if (p > 0) ++made; }
      printf("%d\n", made > 0 && made < 10); fflush(stdout);)c",
                                       limits);
    CHECK(said.text == "1\n");
  }
  SUBCASE("time") {
    const CommandOutput said = in_cell(folder, "for (;;) {}", limits);
    CHECK_FALSE(said.status.ok());
    CHECK_FALSE(said.status.timed_out);
  }
}

TEST_CASE("a cell: a descriptor goes through, and what it leaves behind ends with it") {
  SKIP_UNLESS_ISOLATED();
  const TestFolder folder;
  const fs::path program = compiled(folder, R"c(
    if (fork() == 0) { setsid(); sleep(2); dprintf(3, "late"); _exit(0); }
    dprintf(3, "early");)c");
  const Sandbox sandbox(false);
  std::string command;
  for (const std::string& word : sandbox.in_cell(program, {}, cell_limits(5)))
    command += '\'' + word + "' ";
  const fs::path file = folder.path() / "said";
  REQUIRE(std::system((command + "3>'" + file.string() + "'").c_str()) == 0);
  std::this_thread::sleep_for(std::chrono::seconds(3));
  CHECK(read_file(file) == "early");
}

TEST_CASE("a cell ends with its parent, and when it is killed") {
  SKIP_UNLESS_ISOLATED();
  const TestFolder folder;
  const fs::path program = compiled(folder, "dprintf(3, \"a\"); sleep(2); dprintf(3, \"late\");");
  const Sandbox sandbox(false);
  std::string command;
  for (const std::string& word : sandbox.in_cell(program, {}, cell_limits(5)))
    command += '\'' + word + "' ";
  const fs::path file = folder.path() / "said";
  // A parent that is killed at once, without a chance to tidy up.
  const std::string parent = command + "3>'" + file.string() + "' & child=$!; sleep 1; kill -KILL ";
  SUBCASE("killed") {
    CHECK(std::system((parent + "$child").c_str()) == 0);
  }
  SUBCASE("its parent killed") {
    const int status = std::system(("( " + parent + "$$ ) & sleep 1.5; kill -KILL $!").c_str());
    CHECK(WIFSIGNALED(status));  // $$ is the shell that system() started
  }
  std::this_thread::sleep_for(std::chrono::seconds(3));
  CHECK(read_file(file) == "a");
}

TEST_CASE("a workshop: compilers, our headers, and a folder to write in") {
  SKIP_UNLESS_ISOLATED();
  const TestFolder folder;
  const CommandOutput said = in_workshop(folder, R"sh(
pwd; ls; cat "$0/checkout/common/seen"; echo; ls "$0" "$0/checkout"; ls /etc /home /root /work 2>/dev/null
echo x >/output/made && echo written; echo x >"$0/checkout/x"; echo x >x; echo x >/usr/x
g++ --version >/dev/null && echo compiler; cat "$0/checkout/exercises/secret")sh");
  CHECK(said.text.find("/submission\nsource.cu\nseen\n") == 0);
  CHECK(said.text.find("written\n") != std::string::npos);
  CHECK(said.text.find("compiler\n") != std::string::npos);
  CHECK(said.text.find("passwd") == std::string::npos);
  CHECK(said.text.find("secret\n") == std::string::npos);
  CHECK_FALSE(fs::exists(folder.path() / "checkout/x"));
  CHECK(fs::exists(folder.path() / "output/made"));
}

TEST_CASE("without the tools nothing is run, unless whoever calls trusts the submissions") {
  const TestFolder folder;
  const std::string path = std::getenv("PATH");
  const fs::path broken =
      folder.script("bwrap", "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1");
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(broken, fs::perms(0755));
  setenv("PATH", (folder.path().string() + ':' + path).c_str(), 1);
  std::string refusal;
  try {
    const Sandbox sandbox(false);
  } catch (const Failure& failure) {
    refusal = failure.what();
    CHECK(failure.status() == status_refused);
  }
  CHECK(refusal.find("submissions cannot be isolated here") == 0);
  CHECK(refusal.find("setting up uid map: Permission denied") != std::string::npos);
  CHECK(refusal.find("allow user namespaces") != std::string::npos);
  CHECK(refusal.find('\n') == std::string::npos);
  const Sandbox trusting(true);
  CHECK_FALSE(trusting.has_walls());
  CHECK(trusting.isolation().level == "partial");
  CHECK(trusting.isolation().not_enforced.size() >= 3);
  setenv("PATH", path.c_str(), 1);
}

TEST_CASE("a watched cell starts the witness, which is told where its map and its report are") {
  const Sandbox sandbox(true);
  const std::vector<std::string> words = sandbox.in_watched_cell(
      "/made/program", {}, cell_limits(1), {"/tools", "/made/map", "/made/report"});
  REQUIRE(words.size() > 4);
  CHECK(words.back() == "--witnessed");
  const auto after = [&](const std::string& word) {
    const auto found = std::find(words.begin(), words.end(), word);
    return found == words.end() || found + 1 == words.end() ? "" : *(found + 1);
  };
  const bool walls = sandbox.has_walls();
  CHECK(std::find(words.begin(), words.end(),
                  walls ? "--report=/submission/report" : "--report=/made/report") != words.end());
  // Only the report can be written to.
  if (walls) CHECK(after("--bind") == "/made/report");
}
