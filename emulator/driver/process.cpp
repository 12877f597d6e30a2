#include "process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace emucc {
namespace {

constexpr std::array<int, 4> ending_signals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t child = 0;

// What a terminal sends goes to the child, too; only what is meant for emucc alone is passed on.
void remember_signal(int signal, siginfo_t* info, void*) {
  if (received == 0) received = signal;
  if (child > 0 && info->si_code <= 0) kill(child, signal);
}

sigset_t signal_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : ending_signals) sigaddset(&set, signal);
  return set;
}

std::runtime_error failed(const std::string& what) {
  return std::runtime_error(what + ": " + std::strerror(errno));
}

// Starts the program; no signal may come between its start and the note of its number.
void start(const Arguments& command, int stream, int pipe_end) {
  std::vector<char*> argv;
  Arguments copy = command;
  for (std::string& argument : copy) argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (pipe_end >= 0) posix_spawn_file_actions_adddup2(&actions, pipe_end, stream);
  const sigset_t endings = signal_set();
  sigset_t mask;
  sigprocmask(SIG_BLOCK, &endings, &mask);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &mask);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  if (error == 0) child = pid;
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw std::runtime_error("cannot run '" + command[0] + "': " + std::strerror(error));
  }
}

Ending finish() {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

// Reads to the end, and gives away what comes as soon as it comes.
void read_all(int file, const std::function<void(const char*, std::size_t)>& take) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t size = read(file, buffer.data(), buffer.size());
    if (size > 0) {
      take(buffer.data(), static_cast<std::size_t>(size));
    } else if (size == 0 || errno != EINTR) {
      return;
    }
  }
}

Ending run_with_pipe(const Arguments& command, int stream,
                     const std::function<void(const char*, std::size_t)>& take) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw failed("cannot make a pipe");
  try {
    start(command, stream, ends[1]);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  read_all(ends[0], take);
  close(ends[0]);
  return finish();
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_sigaction = remember_signal;
  action.sa_flags = SA_SIGINFO;  // without SA_RESTART: a read that waits must return
  action.sa_mask = signal_set();
  for (const int signal : ending_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

int received_signal() {
  return received;
}

void die_by(int signal) {
  const rlimit none{};  // the program has left a core already, if it was to leave one
  setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);
}

Ending run(const Arguments& command, const std::function<void(const std::string&)>& on_error_line) {
  if (!on_error_line) {
    start(command, -1, -1);
    return finish();
  }
  std::string line;
  const Ending ending =
      run_with_pipe(command, STDERR_FILENO, [&](const char* text, std::size_t size) {
        for (std::size_t done = 0; done < size;) {
          const ssize_t written = write(STDERR_FILENO, text + done, size - done);
          if (written < 0 && errno != EINTR) break;
          if (written > 0) done += static_cast<std::size_t>(written);
        }
        for (std::size_t i = 0; i < size; ++i) {
          if (text[i] != '\n') {
            line += text[i];
            continue;
          }
          on_error_line(line);
          line.clear();
        }
      });
  if (!line.empty()) on_error_line(line);
  return ending;
}

std::string output_of(const Arguments& command) {
  std::string output;
  try {
    run_with_pipe(command, STDOUT_FILENO,
                  [&](const char* text, std::size_t size) { output.append(text, size); });
  } catch (const std::runtime_error&) {
    return "";
  }
  return output;
}

std::string as_line(const Arguments& command) {
  std::string line;
  for (const std::string& argument : command) {
    if (!line.empty()) line += ' ';
    const bool plain = !argument.empty() && argument.find_first_not_of(
                                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU"
                                                "VWXYZ0123456789_-+=./:,@%") == std::string::npos;
    if (plain) {
      line += argument;
      continue;
    }
    line += '\'';
    for (const char c : argument) {
      if (c == '\'') {
        line += "'\\''";
      } else {
        line += c;
      }
    }
    line += '\'';
  }
  return line;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  path_ = ((error ? "/tmp" : folder) / "emucc-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) throw failed("cannot make a folder " + path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace emucc
