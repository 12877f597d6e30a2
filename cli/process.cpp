#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "errors.hpp"

namespace course::tool {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long a child that was told to stop may take to tidy up (ninja removes what it was writing)
/// before it is told again, by SIGTERM, and how long then before it is ended.
constexpr milliseconds patience{1000};
/// How long we read on after a child's end, for what is still in its pipes. Something that it left
/// running in the background may hold them open for ever.
constexpr milliseconds last_words{200};

// The last signal of each kind. Plain variables of this type are all that a handler may write.
volatile std::sig_atomic_t stop_signal = 0;
volatile std::sig_atomic_t suspended = 0;

extern "C" void note_signal(int signal) {
  if (signal == SIGTSTP) {
    suspended = 1;
  } else {
    stop_signal = signal;
  }
}

/// While a child runs, signals that would end us are noted instead: the child is in a process
/// group of its own, so they reach it through us alone. Handlers that someone had set to 'ignore'
/// (nohup does) stay so.
class SignalWatch {
 public:
  SignalWatch() {
    stop_signal = 0;
    suspended = 0;
    for (std::size_t k = 0; k < signals.size(); ++k) {
      sigaction(signals[k], nullptr, &before_[k]);
      if (before_[k].sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_handler = note_signal;
      sigemptyset(&action.sa_mask);
      sigaction(signals[k], &action, nullptr);
    }
  }
  ~SignalWatch() {
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before_[k], nullptr);
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  static constexpr std::array<int, 4> signals{SIGINT, SIGTERM, SIGHUP, SIGTSTP};

 private:
  std::array<struct sigaction, signals.size()> before_{};
};

/// One end of a pipe, closed at the end of its life.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Failure(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

/// Cuts what comes out of a pipe into lines.
class LineReader {
 public:
  LineReader(Descriptor source, Stream stream) : source_(std::move(source)), stream_(stream) {}

  const Descriptor& source() const { return source_; }

  /// Reads what is there; closes the source at its end.
  void read(const LineHandler& on_line) {
    std::array<char, 1 << 14> buffer{};
    const ssize_t count = ::read(source_.number(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
      finish(on_line);
      return;
    }
    pending_.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end; (end = pending_.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      on_line(stream_, std::string_view(pending_).substr(begin, end - begin));
    }
    pending_.erase(0, begin);
  }

  /// Hands over a last line that has no line break, and closes the source.
  void finish(const LineHandler& on_line) {
    if (!pending_.empty()) on_line(stream_, pending_);
    pending_.clear();
    source_.close();
  }

 private:
  Descriptor source_;
  Stream stream_;
  std::string pending_;
};

std::vector<char*> as_argv(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

Failure cannot_start(const std::vector<std::string>& command, int error) {
  return Failure("cannot run " + command.front() + ": " + std::strerror(error));
}

/// Our environment with some variables changed, as `NAME=value`.
std::vector<std::string> environment_with(const Surroundings& surroundings) {
  std::vector<std::string> all;
  const auto is_changed = [&](std::string_view entry) {
    return std::any_of(surroundings.environment.begin(), surroundings.environment.end(),
                       [&](const auto& change) { return entry.starts_with(change.first + '='); });
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (!is_changed(*entry)) all.emplace_back(*entry);
  }
  for (const auto& [name, value] : surroundings.environment) {
    if (!value.empty()) all.push_back(name + '=' + value);
  }
  return all;
}

/// Starts the command in a process group of its own, its output going into the two pipes.
pid_t spawn(const std::vector<std::string>& command, const Descriptor& out, const Descriptor& err,
            const Surroundings& surroundings) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err.number(), STDERR_FILENO);
  if (!surroundings.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&files, surroundings.folder.c_str());
  }
  const std::vector<std::string> environment = environment_with(surroundings);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = -1;
  const int error = posix_spawnp(&child, command.front().c_str(), &files, &attributes,
                                 as_argv(command).data(), as_argv(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw cannot_start(command, error);
  return child;
}

ExitStatus decode(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {0, WTERMSIG(wait_status)};
  return {WEXITSTATUS(wait_status), 0};
}

/// A child and its process group. Whatever happens, none of it outlives this object.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() {
    if (!ended_) stop(SIGTERM, [] { return false; });
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Looks whether it has ended by now.
  bool has_ended() {
    int wait_status = 0;
    if (!ended_ && waitpid(id_, &wait_status, WNOHANG) == id_) {
      ended_ = true;
      status_ = decode(wait_status);
    }
    return ended_;
  }
  ExitStatus status() const { return status_; }

  void signal(int number) const { ::kill(-id_, number); }

  /// Asks the whole group to end, waits, asks again, and ends what is still there.
  /// @param all_quiet whether nobody is left who could write into our pipes
  void stop(int number, const std::function<bool()>& all_quiet) {
    for (const int asking : {number, SIGTERM}) {
      signal(asking);
      signal(SIGCONT);  // one that is suspended must wake up to hear it
      const auto deadline = Clock::now() + patience;
      while (Clock::now() < deadline) {
        // The group may stay for a while after its last member: until its zombies are buried.
        if (has_ended() && (all_quiet() || ::kill(-id_, 0) != 0)) {
          signal(SIGKILL);
          return;
        }
        std::this_thread::sleep_for(milliseconds(10));
      }
    }
    signal(SIGKILL);
    if (!ended_) {
      waitpid(id_, nullptr, 0);
      ended_ = true;
    }
  }

 private:
  pid_t id_;
  bool ended_ = false;
  ExitStatus status_;
};

}  // namespace

std::string ExitStatus::text() const {
  if (timed_out) return "out of time";
  if (signal == 0) return "exit status " + std::to_string(code);
  const char* const name = strsignal(signal);
  return "killed by signal " + std::to_string(signal) + " (" + (name ? name : "unknown") + ")";
}

ExitStatus run_process(const std::vector<std::string>& command, const LineHandler& on_line,
                       const TickHandler& on_tick, const Surroundings& surroundings) {
  SignalWatch watch;
  Pipe out;
  Pipe err;
  const auto start = Clock::now();
  Child child(spawn(command, out.write, err.write, surroundings));
  out.write.close();
  err.write.close();
  std::array<LineReader, 2> readers{LineReader(std::move(out.read), Stream::out),
                                    LineReader(std::move(err.read), Stream::err)};

  const auto all_quiet = [&] {
    for (LineReader& reader : readers) {
      pollfd waiting{reader.source().number(), POLLIN, 0};
      // Not for ever: it may be a child that writes and writes.
      for (int k = 0; k < 100 && reader.source().is_open() && poll(&waiting, 1, 0) > 0; ++k) {
        reader.read([](Stream, std::string_view) {});
        waiting.fd = reader.source().number();
      }
      if (reader.source().is_open()) return false;
    }
    return true;
  };

  auto reading_ends = Clock::time_point::max();
  const auto is_open = [](const LineReader& reader) { return reader.source().is_open(); };
  while (true) {
    std::array<pollfd, 2> waiting{};
    for (std::size_t k = 0; k < 2; ++k) {
      waiting[k] = {readers[k].source().number(), POLLIN, 0};  // poll() passes over closed ones
    }
    // A tenth of a second is soon enough for signals and for the clock on the screen.
    const bool any_open = is_open(readers[0]) || is_open(readers[1]);
    const int ready = poll(waiting.data(), waiting.size(), any_open ? 100 : 1);
    if (stop_signal != 0) {
      const int signal = static_cast<int>(stop_signal);
      child.stop(signal, all_quiet);
      throw Interrupted(signal);
    }
    if (suspended != 0) {
      suspended = 0;
      child.signal(SIGSTOP);
      raise(SIGSTOP);
      child.signal(SIGCONT);
    }
    for (std::size_t k = 0; k < 2 && ready > 0; ++k) {
      if (waiting[k].revents != 0) readers[k].read(on_line);
    }
    if (on_tick) on_tick(std::chrono::duration_cast<milliseconds>(Clock::now() - start));
    if (surroundings.time_limit.count() > 0 && Clock::now() - start > surroundings.time_limit &&
        !child.has_ended()) {
      child.stop(SIGTERM, all_quiet);
      ExitStatus status = child.status();
      status.timed_out = true;
      return status;
    }
    if (child.has_ended()) {
      if (!is_open(readers[0]) && !is_open(readers[1])) break;
      if (reading_ends == Clock::time_point::max()) reading_ends = Clock::now() + last_words;
      if (Clock::now() > reading_ends) break;
    }
  }
  for (LineReader& reader : readers) reader.finish(on_line);
  return child.status();
}

void replace_process(const std::vector<std::string>& command) {
  execvp(command.front().c_str(), as_argv(command).data());
  throw cannot_start(command, errno);
}

}  // namespace course::tool
