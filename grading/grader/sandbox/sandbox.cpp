#include "grader/sandbox/sandbox.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <thread>

#include "host/checkout.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr uid_t nobody = 65534;
constexpr long long mebi = 1024LL * 1024;

void add(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// What a program needs of the system in order to start: its libraries, and nothing to read.
Words system_libraries() {
  Words words;
  for (const char* const folder :
       {"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/lib", "/lib32", "/lib64"}) {
    add(words, {"--ro-bind-try", folder, folder});
  }
  // Debian's choice among several builds of a library goes through links there.
  for (const char* const path : {"/etc/ld.so.cache", "/etc/alternatives"}) {
    add(words, {"--ro-bind-try", path, path});
  }
  return words;
}

/// The first line of what a command says on stderr, and how it ended.
std::pair<ExitStatus, std::string> try_out(const Words& command) {
  std::string first;
  RunOptions run_options;
  run_options.time_limit = std::chrono::seconds(20);
  const ExitStatus status = run_process(
      command,
      [&](Stream stream, std::string_view line) {
        if (stream == Stream::err && first.empty()) first = line;
      },
      {}, run_options);
  return {status, first};
}

/// What to do about a bubblewrap that does not work.
std::string advice(const std::string& complaint) {
  const bool permission = complaint.find("ermission denied") != std::string::npos ||
                          complaint.find("not permitted") != std::string::npos;
  const bool limit = complaint.find("No space left") != std::string::npos;
  if (!permission && !limit) return "";
  return "; allow user namespaces (kernel.unprivileged_userns_clone=1, "
         "kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces; in a container "
         "--security-opt seccomp=unconfined, or --privileged)";
}

}  // namespace

std::string find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(std::string(path == nullptr ? "" : path) +
                             ":/usr/bin:/bin:/usr/sbin:/sbin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / name;
    std::error_code error;
    if (file.is_absolute() && fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0) {
      return file.string();
    }
  }
  return "";
}

RoomLimits workshop_limits() {
  return {.cpu_seconds = 60,
          .data_bytes = 3072 * mebi,
          .file_bytes = 128 * mebi,
          .files = 256,
          .processes = 64};
}

RoomLimits cell_limits(int seconds) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return {.cpu_seconds = seconds,
          .data_bytes = 2048 * mebi,
          .file_bytes = mebi,
          .files = 64,
          .processes = cores + 16};
}

Sandbox::Sandbox(bool trust)
    : bwrap_(find_program("bwrap")),
      prlimit_(find_program("prlimit")),
      setpriv_(find_program("setpriv")),
      env_(find_program("env")),
      is_root_(geteuid() == 0) {
  std::string missing;
  if (bwrap_.empty()) missing = "bubblewrap (its program is bwrap)";
  if (prlimit_.empty() || (is_root_ && setpriv_.empty())) {
    missing += std::string(missing.empty() ? "" : " and ") + "util-linux (prlimit, setpriv)";
  }
  std::string problem;
  if (!missing.empty()) {
    problem = "install " + missing;
  } else if (problem = try_rooms(); !problem.empty()) {
    // An older bubblewrap does not know --size. Then a cell has no folder to write in.
    has_sizes_ = false;
    if (try_rooms().empty()) problem.clear();
  }
  if (problem.empty()) {
    // In some containers no /proc can be mounted: there ours is shown.
    Words command = before_walls();
    append(command, system_libraries());
    add(command, {"--ro-bind", find_program("true"), "/true", "--proc", "/proc", "--", "/true"});
    has_own_proc_ = try_out(command).first.ok();
    return;
  }
  if (!trust) {
    throw Failure("submissions cannot be isolated here: " + problem +
                      "; or use --trust, which does not confine them",
                  status_refused);
  }
  bwrap_.clear();
  isolation_.level = prlimit_.empty() ? "none" : "partial";
  isolation_.not_enforced = {"files: submissions can read and write what you can",
                             "network: submissions can use it",
                             "processes: submissions see yours, and may leave some behind"};
  if (prlimit_.empty()) isolation_.not_enforced.emplace_back("limits of memory, time and files");
  if (is_root_ && setpriv_.empty()) {
    isolation_.not_enforced.emplace_back("rights: submissions run as root");
  }
}

/// Runs a program that does nothing in both rooms. Returns what is wrong with one of them.
std::string Sandbox::try_rooms() const {
  const std::string nothing = find_program("true");
  const ScratchFolder scratch("course-grade");
  std::error_code error;
  fs::permissions(scratch.path(), fs::perms(0755), error);
  for (const char* const name : {"program", "source.cu"}) {
    fs::copy_file(nothing, scratch.path() / name, fs::copy_options::overwrite_existing, error);
    if (!error) fs::permissions(scratch.path() / name, fs::perms(0755), error);
    if (error) {
      throw Failure("cannot write to " + scratch.path().string() + ": " + error.message());
    }
  }
  fs::create_directories(scratch.path() / "output", error);
  give_away(scratch.path() / "output");
  Workshop workshop;
  workshop.source = scratch.path() / "source.cu";
  workshop.output = scratch.path() / "output";
  for (const Words& command : {in_workshop(workshop, {nothing}),
                               in_cell(scratch.path() / "program", {}, cell_limits(10))}) {
    const auto [status, complaint] = try_out(command);
    if (!status.ok()) {
      const std::string text = complaint.empty() ? status.text() : complaint;
      return bwrap_ + " does not work (" + text + ")" + advice(text);
    }
  }
  return "";
}

Words Sandbox::before_walls() const {
  // Nothing of our environment goes in. g++'s messages are cut down by what they say: one language.
  // What the emulator finds is broken into lines where it is shown: on a screen, or in a browser.
  Words words{env_,
              "-i",
              "LC_ALL=C",
              "COLUMNS=99999",
              "HOME=/tmp",
              "TMPDIR=/tmp",
              "PATH=/usr/local/bin:/usr/bin:/bin",
              "OPENBLAS_NUM_THREADS=1"};
  if (is_root_ && !setpriv_.empty()) {
    add(words, {setpriv_, "--reuid=" + std::to_string(nobody), "--regid=" + std::to_string(nobody),
                "--clear-groups"});
  }
  if (!has_walls()) return words;
  add(words, {bwrap_, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"});
  return words;
}

Words Sandbox::limited(const RoomLimits& limits) const {
  if (prlimit_.empty()) return {};
  Words words{
      prlimit_, "--core=0",
      // First a signal that nobody else sends, by which one knows what it was.
      "--cpu=" + std::to_string(limits.cpu_seconds) + ':' + std::to_string(limits.cpu_seconds + 2),
      "--data=" + std::to_string(limits.data_bytes), "--fsize=" + std::to_string(limits.file_bytes),
      "--nofile=" + std::to_string(limits.files)};
  // Inside the walls the room's own processes are counted; outside them all of the user's.
  if (has_walls()) words.push_back("--nproc=" + std::to_string(limits.processes));
  words.emplace_back("--");
  return words;
}

Words Sandbox::in_workshop(const Workshop& workshop, const Words& command) const {
  return in_workshop(workshop, command, workshop_limits());
}

Words Sandbox::in_workshop(const Workshop& workshop, const Words& command,
                           const RoomLimits& limits) const {
  Words words = before_walls();
  if (has_walls()) {
    for (const char* const folder :
         {"/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache"}) {
      add(words, {"--ro-bind-try", folder, folder});
    }
    // First, as some of what follows may be below it.
    if (has_sizes_) add(words, {"--size", std::to_string(512 * mebi)});
    add(words, {"--tmpfs", "/tmp"});
    for (const std::string& folder : workshop.hidden) add(words, {"--tmpfs", folder});
    for (const std::string& path : workshop.to_see) add(words, {"--ro-bind-try", path, path});
    for (const std::string& folder : workshop.hidden) add(words, {"--remount-ro", folder});
    add(words, {"--dev-bind-try", "/dev/null", "/dev/null"});
    if (!workshop.compiler_wrapper.empty()) {
      // It asks for its own path, and so does not need all of /proc.
      add(words, {"--symlink", workshop.compiler_wrapper, "/proc/self/exe"});
    }
    add(words, {"--ro-bind", workshop.source.string(),
                std::string(source_folder) + '/' + workshop.source.filename().string(), "--bind",
                workshop.output.string(), output_folder, "--chdir", source_folder, "--remount-ro",
                "/", "--"});
  }
  append(words, limited(limits));
  append(words, command);
  return words;
}

void Sandbox::add_cell(Words& words, const fs::path& program, const Words& libraries) const {
  append(words, system_libraries());
  if (has_sizes_) {
    add(words, {"--size", std::to_string(16 * mebi), "--tmpfs", "/tmp"});
  } else {
    add(words, {"--dir", "/tmp"});
  }
  for (const std::string& library : libraries) add(words, {"--ro-bind", library, library});
  add(words, {"--ro-bind", prlimit_, prlimit_, "--ro-bind", program.string(), program_file,
              "--dev-bind-try", "/dev/null", "/dev/null", "--chdir", "/tmp"});
}

Words Sandbox::in_cell(const fs::path& program, const Words& libraries,
                       const RoomLimits& limits) const {
  Words words = before_walls();
  if (has_walls()) {
    add_cell(words, program, libraries);
    // Of /proc no more than the emulator reads: by /proc/self/mem a program could write to its own
    // memory where it must not.
    add(words, {"--ro-bind", program.string(), "/proc/self/exe", "--ro-bind", "/proc/meminfo",
                "/proc/meminfo", "--remount-ro", "/", "--"});
  }
  append(words, limited(limits));
  words.push_back(has_walls() ? program_file : program.string());
  return words;
}

Words Sandbox::in_watched_cell(const fs::path& program, const Words& libraries,
                               const RoomLimits& limits, const Watch& watch) const {
  const std::string tool = has_walls() ? "/witness" : watch.tool.string();
  const std::string map = has_walls() ? "/submission/map" : watch.map.string();
  const std::string report = has_walls() ? "/submission/report" : watch.report.string();
  Words words = before_walls();
  // Not by way of the program valgrind, which looks for its tools where it was installed.
  words.insert(words.begin() + 2, {"VALGRIND_LIB=" + tool, "VALGRIND_LAUNCHER=/usr/bin/valgrind"});
  if (has_walls()) {
    add_cell(words, program, libraries);
    // Valgrind reads what /proc says of it. The program cannot: it makes no system calls unseen.
    append(words, has_own_proc_ ? Words{"--proc", "/proc"} : Words{"--ro-bind", "/proc", "/proc"});
    add(words, {"--ro-bind", watch.tool.string(), tool, "--ro-bind", watch.map.string(), map,
                "--bind", watch.report.string(), report, "--remount-ro", "/", "--"});
  }
  append(words, limited(limits));
  add(words, {tool + "/witness-amd64-linux", "--tool=witness", "-q", "--vgdb=no",
              "--vex-guest-chase=no", "--map=" + map, "--report=" + report,
              has_walls() ? program_file : program.string(), "--witnessed"});
  return words;
}

void Sandbox::give_away(const fs::path& folder) const {
  if (!is_root_ || setpriv_.empty()) return;
  if (chown(folder.c_str(), nobody, nobody) != 0) {
    throw Failure("cannot give " + shown_path(folder) + " to nobody: set TMPDIR to another folder",
                  status_refused);
  }
}

}  // namespace course::tool::grading
