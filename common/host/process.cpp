#include "host/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>

#include <array>
#include <system_error>
#include <thread>
#include <utility>

#include "host/errors.hpp"
#include "processes/pipes.hpp"
#include "processes/signal_watch.hpp"

namespace course::tool {
namespace {

using Clock = std::chrono::steady_clock;
using processes::FileDescriptor;
using processes::Pipe;
using std::chrono::milliseconds;

/// How long a child that was told to stop may take to tidy up (ninja removes what it was writing)
/// before it is told again, by SIGTERM, and how long then before it is ended.
constexpr milliseconds grace_period{1000};
/// How long we read on after a child's end, for what is still in its pipes. Something that it left
/// running in the background may hold them open forever.
constexpr milliseconds last_words{200};

/// Both ends of a terminal that nobody sits at; closed if none can be opened. It changes
/// nothing of what is written to it.
struct Terminal {
  Terminal() : read(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (!read.is_open() || grantpt(read.number()) != 0 || unlockpt(read.number()) != 0) return;
    std::array<char, 128> name{};
    if (ptsname_r(read.number(), name.data(), name.size()) != 0) return;
    write = FileDescriptor(open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios settings{};
    if (write.is_open() && tcgetattr(write.number(), &settings) == 0) {
      cfmakeraw(&settings);
      tcsetattr(write.number(), TCSANOW, &settings);
    }
  }
  FileDescriptor read;
  FileDescriptor write;
};

/// Makes lines of what a program writes for a terminal: a line that is written over, or whose rest
/// is cleared, ends there.
class TerminalText {
 public:
  std::string lines_of(std::string_view text) {
    std::string lines;
    for (const char c : text) {
      if (in_sequence_) {
        in_sequence_ = c == '[' || c == ';' || c == '?' || (c >= '0' && c <= '9');
        if (c == 'K') end_line(lines);
      } else if (c == '\033') {
        in_sequence_ = true;
      } else if (c == '\r') {
        end_line(lines);
      } else {
        lines += c;
        in_line_ = c != '\n';
      }
    }
    return lines;
  }

 private:
  void end_line(std::string& lines) {
    if (in_line_) lines += '\n';
    in_line_ = false;
  }

  bool in_sequence_ = false;
  bool in_line_ = false;
};

/// Reads what comes out of a pipe, or a terminal, line by line.
class LineReader {
 public:
  LineReader(FileDescriptor source, Stream stream, bool is_terminal = false)
      : source_(std::move(source)), stream_(stream), is_terminal_(is_terminal) {}

  const FileDescriptor& source() const { return source_; }

  /// Reads what is there; closes the source at its end.
  void read(const LineHandler& on_line) {
    std::array<char, 1 << 14> buffer{};
    const std::string_view text = processes::read_some(source_, buffer);
    if (text.empty()) {
      finish(on_line);
    } else {
      const auto take = [&](std::string_view line) { on_line(stream_, line); };
      lines_.add(is_terminal_ ? terminal_.lines_of(text) : text, take);
    }
  }

  /// Hands over a last line that has no line break, and closes the source.
  void finish(const LineHandler& on_line) {
    lines_.finish([&](std::string_view line) { on_line(stream_, line); });
    source_.close();
  }

 private:
  FileDescriptor source_;
  Stream stream_;
  bool is_terminal_;
  TerminalText terminal_;
  processes::LineCutter lines_;
};

Pipe make_pipe() {
  try {
    return {};
  } catch (const std::system_error& error) {
    throw Failure(error.what());
  }
}

Failure cannot_start(const std::vector<std::string>& command, const std::system_error& error) {
  return Failure("cannot run " + command.front() + ": " + error.code().message());
}

/// Starts the command in a process group of its own, its output going into the two pipes.
pid_t spawn(const std::vector<std::string>& command, const FileDescriptor& out, const Pipe& err,
            const RunOptions& options) {
  try {
    return processes::start(command, {.no_input = true,
                                      .out = out.number(),
                                      .err = err.write.number(),
                                      .own_group = true,
                                      .folder = options.folder.string(),
                                      .environment = options.environment});
  } catch (const std::system_error& error) {
    throw cannot_start(command, error);
  }
}

/// A child and the process group that it leads. Whatever happens, none of it outlives this object.
class ProcessGroup {
 public:
  explicit ProcessGroup(pid_t leader) : leader_(leader) {}
  ~ProcessGroup() {
    if (!leader_.ending()) stop(SIGTERM, [] { return false; });
  }
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  /// Looks whether the child has ended by now.
  bool has_ended() { return leader_.has_ended(); }
  /// How it ended, once it has.
  ExitStatus status() const { return *leader_.ending(); }

  void signal(int number) const { ::kill(-leader_.id(), number); }

  /// Asks the whole group to end, waits, asks again, and ends what is still there.
  /// @param all_quiet whether no process is left that could write into our pipes
  void stop(int number, const std::function<bool()>& all_quiet) {
    for (const int asking : {number, SIGTERM}) {
      signal(asking);
      signal(SIGCONT);  // one that is suspended must wake up to hear it
      const auto deadline = Clock::now() + grace_period;
      while (Clock::now() < deadline) {
        // The group may stay for a while after its last member: until its zombies are buried.
        if (has_ended() && (all_quiet() || ::kill(-leader_.id(), 0) != 0)) {
          signal(SIGKILL);
          return;
        }
        std::this_thread::sleep_for(milliseconds(10));
      }
    }
    signal(SIGKILL);
    leader_.wait();
  }

 private:
  processes::Child leader_;
};

}  // namespace

int run_in_foreground(const std::vector<std::string>& command) {
  const processes::SignalWatch watch{SIGINT, SIGTERM, SIGHUP};
  try {
    processes::Child child(processes::start(command));
    processes::pass_signals_on(child);
    const int status = child.wait().status();
    if (watch.received() != 0) throw Interrupted(watch.received());
    return status;
  } catch (const std::system_error& error) {
    throw cannot_start(command, error);
  }
}

ExitStatus run_process(const std::vector<std::string>& command, const LineHandler& on_line,
                       const TickHandler& on_tick, const RunOptions& options) {
  // The child is in a process group of its own, so signals reach it through us alone.
  const processes::SignalWatch stop_watch{SIGINT, SIGTERM, SIGHUP};
  processes::SignalWatch suspension_watch{SIGTSTP};
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  bool on_terminal = false;
  if (options.on_terminal) {
    Terminal terminal;
    on_terminal = terminal.write.is_open();
    if (on_terminal) {
      out.read = std::move(terminal.read);
      out.write = std::move(terminal.write);
    }
  }
  const auto start = Clock::now();
  ProcessGroup child(spawn(command, out.write, err, options));
  out.write.close();
  err.write.close();
  std::array<LineReader, 2> readers{LineReader(std::move(out.read), Stream::out, on_terminal),
                                    LineReader(std::move(err.read), Stream::err)};

  const auto all_quiet = [&] {
    for (LineReader& reader : readers) {
      pollfd waiting{reader.source().number(), POLLIN, 0};
      // Not forever: it may be a child that writes and writes.
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
    if (const int signal = stop_watch.received(); signal != 0) {
      child.stop(signal, all_quiet);
      throw Interrupted(signal);
    }
    if (suspension_watch.received() != 0) {
      suspension_watch.forget();
      child.signal(SIGSTOP);
      raise(SIGSTOP);
      child.signal(SIGCONT);
    }
    for (std::size_t k = 0; k < 2 && ready > 0; ++k) {
      if (waiting[k].revents != 0) readers[k].read(on_line);
    }
    if (on_tick) on_tick(std::chrono::duration_cast<milliseconds>(Clock::now() - start));
    if (options.time_limit.count() > 0 && Clock::now() - start > options.time_limit &&
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
  try {
    processes::become(command);
  } catch (const std::system_error& error) {
    throw cannot_start(command, error);
  }
}

}  // namespace course::tool
