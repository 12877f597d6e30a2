#pragma once
/// \file
/// In what order the lanes of a warp executed their atomics, and requests in that order.
///
/// The merge replays a warp by places in the code: lanes that took a lock one after the other seem
/// to have taken it together. For what is counted that is right, since a GPU would also bring them
/// together. For the question which thread handed what on to which it is wrong: the second lane had
/// the lock only after the first had given it back. So an atomic or volatile access goes to the
/// checks only after those to the same place that really came before it, one of the two writing.
/// Where the merge is ahead, what its lane does from then on is held back for a while.
///
/// Without a fence nothing is handed on, so none of this is done before a lane has executed one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rooms.hpp"
#include "events/access.hpp"

namespace emulator::events {

class ExecutionOrder {
 public:
  /// Another warp, or another stretch of its work: nothing is left of the last one, whose accesses
  /// have all been merged.
  void start() { has_fences_ = false; }
  /// A lane is about to execute an access that is_strong(), and has left it in its trace.
  void note(unsigned lane, std::uint64_t address, std::uint64_t what);
  /// A lane has executed a fence.
  void note_fence() { has_fences_ = true; }

  /// Gives `follow` one merged request, or of it the lanes whose turn it is, and then what has been
  /// held back for it (execution_order.inl).
  template <class Follow>
  void replay(const Request& request, Follow follow);

 private:
  // A strong access that was executed and has not been checked.
  struct Executed {
    std::uint64_t address;
    std::uint64_t time;
    bool writes;
  };
  // A lane's part of a request that was held back.
  struct Held {
    std::uint64_t pc;
    std::uint64_t what;
    std::uint64_t address;
    std::uint64_t stored;
  };
  // First in, first out; empty most of the time.
  template <class Entry>
  class Queue {
   public:
    bool empty() const { return first_ == entries_.size(); }
    const Entry& front() const { return entries_[first_]; }
    void push(const Entry& entry) { entries_.push_back(entry); }
    void pop() {
      if (++first_ != entries_.size()) return;
      entries_.clear();
      first_ = 0;
    }
    auto begin() const { return entries_.begin() + static_cast<std::ptrdiff_t>(first_); }
    auto end() const { return entries_.end(); }

   private:
    std::vector<Entry> entries_;
    std::size_t first_ = 0;
  };

  bool has_turn(unsigned lane) const;
  template <class Follow>
  void replay_in_turn(const Request& request, Follow follow);
  void hold(unsigned lane, const Request& request, unsigned i);
  template <class Follow>
  bool replay_held(unsigned lane, Follow follow);

  bool has_fences_ = false;
  std::uint32_t held_lanes_ = 0;  // one bit per lane
  std::uint64_t time_ = 0;
  std::array<Queue<Executed>, warp_size> executed_;
  std::array<Queue<Held>, warp_size> held_;
};

}  // namespace emulator::events
