#pragma once
/// \file
/// The ranks that belong together, and where their operations meet.

#include <nccl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "libraries/nccl/reductions.hpp"

namespace emulator::nccl {

enum class Kind { all_reduce, reduce, broadcast, all_gather, reduce_scatter, send, receive };

inline bool is_between_two(Kind kind) {
  return kind == Kind::send || kind == Kind::receive;
}

/// What one rank calls.
struct Operation {
  Kind kind = Kind::all_reduce;
  const char* function = "";
  const void* send = nullptr;
  void* receive = nullptr;
  std::size_t count = 0;
  ncclDataType_t type = ncclInt8;
  Reduction reduction{};
  int peer = 0;  ///< the root, or the other rank

  std::size_t bytes() const { return count * bytes_of(type); }
  /// Elements of the two buffers that the rank has; 0 for one that is not used.
  std::size_t sent(int rank, int ranks) const;
  std::size_t received(int rank, int ranks) const;
};

/// An operation that a rank has come to.
struct Part {
  const Operation* operation;
  int rank;
  bool is_done = false;
};

class Clique {
 public:
  explicit Clique(int ranks);

  int ranks() const { return static_cast<int>(waiting_.size()); }

  /// A rank comes to these operations, which stay where they are until they are done. Whatever is
  /// complete then is done.
  void arrive(std::vector<Part>& parts);
  /// It leaves: what has not been done will not be.
  void leave(const std::vector<Part>& parts);

  /// Nothing more is done.
  void fail(ncclResult_t error);
  ncclResult_t error() const;

  /// What that part waits for: "rank 1, which has come to ncclBroadcast".
  std::string awaited_by(const Part& part) const;

  /// Notes a call that is in no group. \return a rank for which the same host thread has made the
  /// call that this one goes with, in no group either
  std::optional<int> note_call_without_group(int rank, const Operation& operation);
  void note_call_in_group(int rank, const Operation& operation);

  /// A word that is nobody's, by which the order of the ranks' work is seen; null without the
  /// checks.
  int* order_word() const { return order_word_; }
  void join() { ++members_; }
  /// \return whether that was the last one
  bool quit() { return --members_ == 0; }
  void free_order_word();

 private:
  // Calls with the same key go together. Of a collective operation source and target are -1.
  struct CallKey {
    int source;
    int target;
    std::uint64_t number;
  };
  struct Call {
    std::thread::id thread;
    int rank;
    std::uint64_t number;
  };
  CallKey next_call(int rank, const Operation& operation);

  bool do_next_collective();
  bool do_next_pair(int source, int target);
  void report_mismatch(const Part& a, const Part& b, const std::string& what);

  mutable std::mutex mutex_;
  std::vector<std::deque<Part*>> waiting_;                  // by rank: collective operations
  std::map<std::pair<int, int>, std::deque<Part*>> sends_;  // by source and target
  std::map<std::pair<int, int>, std::deque<Part*>> receives_;
  ncclResult_t error_ = ncclSuccess;
  // How many calls there were: by what kind they are of, and their ranks (next_call()).
  std::map<std::array<int, 3>, std::uint64_t> calls_;
  std::map<std::pair<int, int>, Call> without_group_;  // the last one, by source and target
  int* order_word_ = nullptr;
  int members_ = 0;
};

/// A finding that ranks do not go together, or a line if the checks are off.
void report_ranks(const std::string& what, const std::string& remedy);

}  // namespace emulator::nccl
