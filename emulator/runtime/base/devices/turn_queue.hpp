#pragma once
/// \file
/// Whose turn it is to work, while there are several devices: one works at a time, and who has
/// waited longest comes next. A launch that only polls gives way, so that the one that it waits for
/// comes to its turn; its place is then behind all who wait.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>

#include "base/rooms.hpp"

namespace emulator::base {

/// A launch on a host thread of its own, of which whoever has begun it may take leave.
struct Aside {
  std::uint64_t number = 0;  ///< its place, while it waits
  bool has_given_way = false;
  bool has_ended = false;
};

class TurnQueue {
 public:
  using Number = std::uint64_t;

  /// Never destroyed: launches that nobody has waited for outlive main().
  static TurnQueue& get();

  Number take_number();
  /// Waits until it is the turn of that number. Without one, that of a new one.
  void begin(Number number = 0);
  void end();

  /// A launch begins. Its place is taken in the call, so that the order is always the same.
  void begins(Aside& launch);
  void ended(Aside& launch);
  /// Waits until the launch has ended, or polls, and all others that poll have had their turns
  /// without that anything has happened.
  void wait_for(const Aside& launch);
  /// The same of all launches.
  void wait_until_quiet();

  /// A launch that has its turn only polls. Returns when it has its turn again.
  /// \param got_on whether it has done something else since it gave way the last time
  void give_way(Aside& launch, bool got_on);
  /// For how long somebody has been waiting, and no launch has done anything but poll.
  std::chrono::duration<double> quiet_for();

  /// While one lives, a host thread waits for work to end, and launches that poll go on. Otherwise
  /// they stop where they are: what they do is then the same each time.
  class Visit {
   public:
    Visit();
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
  };

  /// The program ends: launches that poll stay where they are.
  void close();

 private:
  bool is_quiet() const { return in_vain_ >= 3 * polling_.size(); }
  bool may_poll() const { return !is_closed_ && (visitors_ > 0 || !is_quiet()); }
  bool is_next(Number number) const;
  void something_happens();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<Number> waiting_;
  std::set<Number> polling_;  // of those that wait: launches that have given way
  Number last_ = 0;
  bool is_taken_ = false;
  bool is_closed_ = false;
  unsigned visitors_ = 0;
  std::size_t in_vain_ = 0;  // turns in which nothing was done but polling, one after the other
  std::chrono::steady_clock::time_point happened_ = std::chrono::steady_clock::now();
};

}  // namespace emulator::base
