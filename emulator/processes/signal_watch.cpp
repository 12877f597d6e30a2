#include "processes/signal_watch.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace processes {
namespace {

// Variables of this type are all that a handler may write.
using Note = volatile std::sig_atomic_t;
std::array<Note, NSIG> notes{};
Note passed_on_to = 0;

Note& note_of(int signal) {
  return notes[static_cast<std::size_t>(signal)];
}

extern "C" void note_signal(int signal, siginfo_t* info, void*) {
  const int error = errno;
  note_of(signal) = 1;
  const bool came_from_a_process = info->si_code <= 0;
  if (passed_on_to > 0 && came_from_a_process) kill(static_cast<pid_t>(passed_on_to), signal);
  errno = error;
}

}  // namespace

SignalWatch::SignalWatch(std::initializer_list<int> signals) {
  struct sigaction action {};
  action.sa_sigaction = note_signal;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  for (const int signal : signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    watched_.push_back({signal, before, note_of(signal)});
    note_of(signal) = 0;
    sigaction(signal, &action, nullptr);
  }
}

void SignalWatch::end() {
  for (const Watched& one : watched_) {
    sigaction(one.signal, &one.action_before, nullptr);
    note_of(one.signal) = one.note_before;
  }
  watched_.clear();
}

int SignalWatch::received() const {
  for (const Watched& one : watched_) {
    if (note_of(one.signal) != 0) return one.signal;
  }
  return 0;
}

void SignalWatch::forget() {
  for (const Watched& one : watched_) note_of(one.signal) = 0;
}

void pass_signals_on(const Child& child) {
  passed_on_to = child.id();
  for (int signal = 1; signal < NSIG; ++signal) {
    if (note_of(signal) != 0) kill(child.id(), signal);
  }
}

void keep_signals_from(const Child& child) {
  if (passed_on_to == child.id()) passed_on_to = 0;
}

void die_by(int signal) {
  const rlimit none{};  // a child that it ended has left a core already, if it was to leave one
  setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);
}

}  // namespace processes
