#pragma once
/// \file
/// Signals that would end us, or stop us, while there is something to tidy up.

#include <csignal>
#include <initializer_list>
#include <vector>

#include "processes/child.hpp"

namespace processes {

/// Notes signals, which then do nothing else. Those that were ignored already (nohup sees to that)
/// stay so. A watch within another has notes of its own.
class SignalWatch {
 public:
  explicit SignalWatch(std::initializer_list<int> signals);
  ~SignalWatch() { end(); }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// A signal that has come; 0 if none has.
  int received() const;
  /// Goes on as if none had come.
  void forget();
  /// Ends the watch before its time, as a child wants that was made by fork().
  void end();

 private:
  struct Watched {
    int signal;
    struct sigaction action_before;
    std::sig_atomic_t note_before;
  };
  std::vector<Watched> watched_;
};

/// Passes on to a child what is noted: what has come already, and from now on what is meant for us
/// alone, as what a terminal sends reaches the child anyway. One child at a time.
void pass_signals_on(const Child& child);
/// The end of that. A Child does it itself, once it has ended.
void keep_signals_from(const Child& child);

/// Ends this process by a signal, so that the waiting process sees why.
[[noreturn]] void die_by(int signal);

}  // namespace processes
