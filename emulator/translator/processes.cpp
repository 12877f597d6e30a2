#include "processes.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>

#include "compile_failure.hpp"

namespace emulator {
namespace {

using Arguments = std::vector<std::string>;

// Signals that end a build. The launcher outlives them for as long as it takes to clean up.
constexpr std::array<int, 3> ending_signals = {SIGHUP, SIGINT, SIGTERM};
volatile sig_atomic_t received = 0;
volatile sig_atomic_t child = 0;

void remember_signal(int signal) {
  received = signal;
  if (child > 0) kill(child, signal);
}

sigset_t signal_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : ending_signals) sigaddset(&set, signal);
  return set;
}

std::vector<char*> as_argv(Arguments& arguments) {
  std::vector<char*> result;
  for (std::string& argument : arguments) result.push_back(argument.data());
  result.push_back(nullptr);
  return result;
}

LauncherError cannot_run(const std::string& program, int error) {
  return LauncherError("cannot run '" + program + "': " + std::strerror(error));
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = remember_signal;  // without SA_RESTART: a read that waits must return
  action.sa_mask = signal_set();
  for (const int signal : ending_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);  // if g++ stops reading early, its exit status says why
}

int received_signal() {
  return received;
}

void FileDescriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw LauncherError(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  read.set(ends[0]);
  write.set(ends[1]);
}

void start(Arguments arguments, int pipe_end, int stream) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_end, stream);

  // No signal may come between the start of the child and the note of its number.
  const sigset_t endings = signal_set();
  sigset_t mask;
  sigprocmask(SIG_BLOCK, &endings, &mask);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &mask);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);

  pid_t pid = 0;
  const int error = posix_spawnp(&pid, arguments[0].c_str(), &actions, &attributes,
                                 as_argv(arguments).data(), environ);
  if (error == 0) child = pid;
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw cannot_run(arguments[0], error);
}

int finish() {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_all(int file) {
  std::string result;
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const ssize_t size = read(file, buffer.data(), buffer.size());
    if (size > 0) {
      result.append(buffer.data(), static_cast<std::size_t>(size));
    } else if (size == 0 || errno != EINTR) {
      return result;
    }
  }
}

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(file, text.data(), text.size());
    if (size >= 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      return;
    }
  }
}

[[noreturn]] void become(Arguments command) {
  execvp(command[0].c_str(), as_argv(command).data());
  throw cannot_run(command[0], errno);
}

}  // namespace emulator
