#include "processes/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "processes/pipes.hpp"
#include "processes/signal_watch.hpp"

namespace processes {
namespace {

std::system_error cannot_run(const Command& command, int error) {
  return {error, std::generic_category(), "cannot run '" + command.front() + "'"};
}

std::vector<char*> as_argv(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

// Our environment with some variables changed, as `NAME=value`.
std::vector<std::string> environment_of(const Start& how) {
  std::vector<std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    all.emplace_back(*entry);
  }
  for (const auto& [name, value] : how.environment) {
    const std::string head = name + '=';
    std::erase_if(all, [&](const std::string& entry) { return entry.starts_with(head); });
    if (!value.empty()) all.push_back(head + value);
  }
  return all;
}

}  // namespace

pid_t start(const Command& command, const Start& how) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (how.no_input) {
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  for (const auto& [ours, stream] :
       {std::pair{how.in, STDIN_FILENO}, {how.out, STDOUT_FILENO}, {how.err, STDERR_FILENO}}) {
    if (ours >= 0) posix_spawn_file_actions_adddup2(&files, ours, stream);
  }
  if (!how.folder.empty()) posix_spawn_file_actions_addchdir_np(&files, how.folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (how.own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);

  const std::vector<std::string> environment = environment_of(how);
  pid_t id = -1;
  const int error = posix_spawnp(&id, command.front().c_str(), &files, &attributes,
                                 as_argv(command).data(), as_argv(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw cannot_run(command, error);
  return id;
}

void Child::look(int options) {
  while (!ending_) {
    int status = 0;
    const pid_t found = waitpid(id_, &status, options);
    if (found == 0) return;
    if (found < 0 && errno == EINTR) continue;
    // Without a child of that id (SIGCHLD was ignored, say) status stays 0: an exit without fault.
    ending_ = WIFSIGNALED(status) ? ExitStatus{.signal = WTERMSIG(status)}
                                  : ExitStatus{.code = WEXITSTATUS(status)};
    keep_signals_from(*this);
  }
}

std::string ExitStatus::text() const {
  if (timed_out) return "out of time";
  if (signal == 0) return "exit status " + std::to_string(code);
  const char* const name = strsignal(signal);
  return "killed by signal " + std::to_string(signal) + " (" +
         (name == nullptr ? "unknown" : name) + ")";
}

ExitStatus Child::wait() {
  look(0);
  return *ending_;
}

bool Child::has_ended() {
  look(WNOHANG);
  return ending_.has_value();
}

Output output_of(const Command& command, int err) {
  Pipe output;
  Child child(start(command, {.out = output.write.number(), .err = err}));
  pass_signals_on(child);
  output.write.close();
  std::string text = read_all(output.read);
  return {std::move(text), child.wait()};
}

void become(const Command& command) {
  execvp(command.front().c_str(), as_argv(command).data());
  throw cannot_run(command, errno);
}

}  // namespace processes
