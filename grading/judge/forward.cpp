#include "checks/calls.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/arena.hpp"
#include "base/copy_waits.hpp"
#include "check.hpp"
#include "checks/exercise.hpp"
#include "data.hpp"
#include "emulator/order.h"
#include "emulator/planned_failures.h"
#include "emulator/stream_work.h"
#include "judge/stall_cause.hpp"
#include "judge/traces.hpp"
#include "observers/timeline/host_copies.hpp"
#include "streams/work_queue.hpp"

namespace course::grading {
namespace {

using boundary::Interrupted;

constexpr int channel = 3;  // the descriptor at which the submission finds the judge

/// What goes wrong with the judge itself fails no case: its process ends without a verdict, and
/// what it says here is the reason.
[[noreturn]] void give_up_judging(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  _exit(1);
}

std::vector<std::string> read_command() {
  const char* const file = std::getenv("COURSE_SUBMISSION");
  if (file == nullptr) {
    give_up_judging("COURSE_SUBMISSION does not say which program is to be judged");
  }
  std::ifstream stream(file);
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  std::vector<std::string> command;
  if (json.is_array()) {
    for (const auto& word : json) {
      if (word.is_string()) command.push_back(word.get<std::string>());
    }
  }
  if (command.empty()) give_up_judging(std::string(file) + " holds no command");
  return command;
}

[[noreturn]] void become(const std::vector<std::string>& command, int socket) {
  // Above all that is to be arranged, so that nothing is overwritten by the way.
  const int other_end = fcntl(socket, F_DUPFD, channel + 1);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(other_end, channel);
  for (int file = channel + 1; file < 1024; ++file) close(file);
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

/// The process with the student's code. A case has one, from its first call on.
class Submission {
 public:
  static Submission& get() {
    static auto& all = *new Submission;  // its process ends with ours
    return all;
  }

  /// Sends a request and returns the answer.
  /// @throws Interrupted if there is none: the process has ended
  Bytes ask(const Bytes& request, std::size_t most, const std::string& where) {
    if (!why_over_.empty()) throw Interrupted(why_over_);
    if (process_ < 0) start();
    try {
      send_message(socket_, request);
      return receive_message(socket_, most);
    } catch (const WireError& error) {
      why_over_ = end(where, error.what());
      throw Interrupted(why_over_);
    }
  }

  bool is_running() const { return process_ >= 0 && why_over_.empty(); }

  /// What it said makes no sense: it is not asked again.
  [[noreturn]] void give_up(const std::string& why) {
    why_over_ = why;
    kill(process_, SIGKILL);
    throw Interrupted(why_over_);
  }

 private:
  void start() {
    const std::vector<std::string> command = read_command();
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      give_up_judging("cannot make a socket");
    }
    process_ = fork();
    if (process_ < 0) give_up_judging("cannot start a process");
    if (process_ == 0) become(command, ends[1]);
    close(ends[1]);
    socket_ = ends[0];
    Bytes said;
    try {
      said = receive_message(socket_, greeting.size());
    } catch (const WireError& error) {
      give_up_judging(end("the submission's program was not started", error.what()));
    }
    if (std::string_view(said.data(), said.size()) != greeting) {
      kill(process_, SIGKILL);
      give_up_judging("the submission's program does not start as it should");
    }
  }

  /// The process is gone, or as good as gone: how it ended, in words.
  std::string end(const std::string& where, const std::string& what) {
    int status = 0;
    // A process that closes the channel and lives on gets a moment to end.
    for (int k = 0; k < 100 && waitpid(process_, &status, WNOHANG) == 0; ++k) {
      if (k == 99) {
        kill(process_, SIGKILL);
        waitpid(process_, &status, 0);
        return where + ": the program did not go on (" + what + ")";
      }
      usleep(10'000);
    }
    // What starts the program for us says by 128 + n that signal n ended it.
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) > 128) signal = WEXITSTATUS(status) - 128;
    // Its limit of time ends it by a signal of its own.
    if (signal == SIGKILL) give_up_judging(where + ": the program was killed, not by its limits");
    if (signal == SIGXCPU) return where + ": the program was stopped: it had used up its time";
    if (signal != 0) {
      const char* const name = strsignal(signal);
      return where + ": the program crashed: " + (name == nullptr ? "by a signal" : name);
    }
    if (WEXITSTATUS(status) == status_no_room) give_up_judging(where + ": no memory for its data");
    return where + ": the program ended there, with exit status " +
           std::to_string(WEXITSTATUS(status)) + ", instead of coming back";
  }

  pid_t process_ = -1;
  int socket_ = -1;
  std::string why_over_;
};

/// Functions of the API that may work on the device's arrays in place of a kernel. What sets memory
/// may always: it knows no more than the host does, and counts as traffic.
std::set<std::string>& allowed_calls() {
  static auto& all = *new std::set<std::string>{"cudaMemset", "cudaMemset2D"};
  return all;
}

bool is_error_of_host_memory(const emulator::Finding& finding) {
  return finding.severity == emulator::Severity::error && finding.kind == "host-pointer";
}

void adopt(const Traces& traces, const std::string& where) {
  adopt_traces(traces);
  if (!traces.violation.empty()) throw Interrupted(where + ": " + traces.violation);
  for (const DeviceCall& call : traces.device_calls) {
    if (allowed_calls().contains(call.name)) continue;
    throw Interrupted(
        where + ": " + call.name +
        "() moves data in device memory, which in this exercise is the kernels' work");
  }
  if (std::any_of(traces.findings.begin(), traces.findings.end(), is_error_of_host_memory)) {
    throw Interrupted(where + ": a kernel used memory of the host, which a GPU does not reach");
  }
}

/// Asks for what a program says when it ends.
std::string finish() {
  Submission& submission = Submission::get();
  if (!submission.is_running()) return "";
  const std::string where = "at the end of the program";
  try {
    Writer request;
    request.put(Request::finish);
    const Bytes answer = submission.ask(request.bytes(), std::size_t{1} << 24, where);
    Reader reader(answer);
    adopt(get_traces(reader), where);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// What the judge has in page-locked memory the submission also gets there: copies of other arrays
/// wait.
bool is_pinned(const void* array) {
  return emulator::program::side_of(array) == emulator::program::Side::pinned;
}

[[maybe_unused]] const bool prepared = [] {
  if (const char* const seed = std::getenv("COURSE_GRADING_SEED")) {
    course::detail::seed_offset = std::strtoull(seed, nullptr, 10);
  }
  exercise::detail::at_case_end() = finish;
  exercise::detail::stall_cause() = stall_cause;
  std::set_new_handler([] { give_up_judging("no memory for the judge"); });
  return true;
}();

}  // namespace
}  // namespace course::grading

namespace course::boundary {

using namespace grading;

bool allow_calls(std::initializer_list<const char*> names) {
  for (const char* const name : names) allowed_calls().insert(name);
  return true;
}

struct RemoteCall::Message {
  std::string function;
  Writer arguments;
  std::vector<const void*> pointers;
  std::vector<HostOutput> outputs;
};

RemoteCall::RemoteCall(const char* function) : message_(std::make_unique<Message>()) {
  message_->function = function;
}

RemoteCall::~RemoteCall() = default;

void RemoteCall::add_value(const void* value, std::size_t bytes) {
  message_->arguments.put(Argument::value);
  message_->arguments.put_bytes(value, bytes);
}

void RemoteCall::add_device(const void* pointer) {
  message_->arguments.put(Argument::device);
  message_->arguments.put(pointer);
  message_->pointers.push_back(pointer);
}

void RemoteCall::add(const HostInput& array) {
  Writer& arguments = message_->arguments;
  arguments.put(Argument::host_array);
  arguments.put(array.data != nullptr);
  arguments.put(false);
  arguments.put(is_pinned(array.data));
  arguments.put(array.is_opaque);
  arguments.put(std::uint64_t{array.bytes});
  if (array.data != nullptr) arguments.put_bytes(array.data, array.bytes);
}

void RemoteCall::add(const HostOutput& array) {
  Writer& arguments = message_->arguments;
  arguments.put(Argument::host_array);
  arguments.put(array.data != nullptr);
  arguments.put(true);
  arguments.put(is_pinned(array.data));
  arguments.put(false);
  arguments.put(std::uint64_t{array.bytes});
  if (array.data == nullptr) return;
  arguments.put_bytes(array.data, array.bytes);
  message_->outputs.push_back(array);
}

void RemoteCall::add(const Handle& handle) {
  message_->arguments.put(Argument::handle);
  message_->arguments.put(handle.is_there);
}

void RemoteCall::carry_out(void* result, std::size_t bytes) {
  namespace device = emulator::program;
  const auto& [function, arguments, pointers, outputs] = *message_;
  const std::string where = function + "()";
  device::settle();  // what the checks have put into the arrays, whatever the order
  std::map<std::uintptr_t, std::size_t> regions;  // that a pointer leads into
  std::size_t most = std::size_t{1} << 24;        // for all that is not contents
  for (const void* const pointer : pointers) {
    const auto memory = device::lookup(pointer);
    if (memory && regions.emplace(memory->base, memory->size).second) most += memory->size + 64;
  }
  for (const HostOutput& output : outputs) most += output.bytes + 64;

  Writer request;
  request.put(Request::call);
  request.put_text(function);
  request.put_text(emulator::order());
  request.put(emulator::planned_failure());
  emulator::plan_failure({});  // of the submission's calls, and of none of ours
  request.put(emulator::notes_stream_work());
  request.put(emulator::host_copies_are_counted());
  request.put(std::uint64_t{regions.size()});
  if (!regions.empty()) {
    const device::DeviceWindow window;
    for (const auto& [base, size] : regions) {
      request.put(std::uint64_t{base});
      request.put_bytes(std::bit_cast<const void*>(base), size);
    }
  }
  request.put_bytes(arguments.bytes().data(), arguments.bytes().size());

  Submission& submission = Submission::get();
  const Bytes answer = submission.ask(request.bytes(), most, where);
  Traces traces;
  emulator::HostCopies copies;
  emulator::PlannedFailure to_come;
  CallOutcome outcome = CallOutcome::returned;
  std::string what;
  std::vector<std::uintptr_t> freed;
  try {
    Reader reader(answer);
    outcome = reader.get<CallOutcome>();
    if (outcome > CallOutcome::other_exception) throw WireError("no such end of a call");
    what = reader.get_text();
    const std::string_view value = reader.get_bytes();
    if (outcome == CallOutcome::returned && value.size() != bytes)
      throw WireError("no such result");
    if (outcome == CallOutcome::returned && bytes != 0) std::memcpy(result, value.data(), bytes);
    for (const HostOutput& output : outputs) {
      const std::string_view contents = reader.get_bytes();
      if (contents.size() != output.bytes) throw WireError("an array of another size");
      std::memcpy(output.data, contents.data(), output.bytes);
    }
    std::optional<device::DeviceWindow> window;
    if (!regions.empty()) window.emplace();
    for (const auto& [base, size] : regions) {
      const std::string_view contents = reader.get_bytes();
      if (contents.empty()) {
        freed.push_back(base);
        continue;
      }
      if (contents.size() != size) throw WireError("an allocation of another size");
      std::memcpy(std::bit_cast<void*>(base), contents.data(), size);
    }
    copies = reader.get<emulator::HostCopies>();
    to_come = reader.get<emulator::PlannedFailure>();
    traces = get_traces(reader);
    if (!reader.at_end()) throw WireError("more than was asked for");
  } catch (const WireError& error) {
    submission.give_up(where + ": the program's answer makes no sense: " + error.what());
  }
  for (const std::uintptr_t base : freed) {
    static_cast<void>(cudaFree(std::bit_cast<void*>(base)));  // as the function has done
  }
  // The next problem has other data, so that nobody can answer with what was right before.
  if (std::getenv("COURSE_GRADING_SEED") != nullptr)
    course::detail::seed_offset += 0x9E3779B97F4A7C15;
  emulator::plan_failure(to_come);
  device::add_host_copies(copies);
  adopt(traces, where);
  if (outcome == CallOutcome::cuda_error) throw Error(what.c_str());
  if (outcome == CallOutcome::other_exception) {
    throw std::runtime_error(where + " threw an exception: " + what);
  }
}

}  // namespace course::boundary
