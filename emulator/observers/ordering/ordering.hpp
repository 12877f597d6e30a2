#pragma once
/// \file
/// The state behind order_checks.hpp: which actor knows of what, and what was done to memory.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rooms.hpp"
#include "events/findings.hpp"
#include "events/stream_watcher.hpp"
#include "observers/ordering/clock.hpp"
#include "observers/ordering/histories.hpp"
#include "observers/ordering/order_checks.hpp"
#include "observers/ordering/places.hpp"
#include "observers/ordering/touched_memory.hpp"

namespace emulator::ordering {

struct Agent {
  Actor actor = 0;
  Clock clock;        ///< what it knows, its own moment included
  Ticket ticket = 0;  ///< 0: a host thread
  Work work = Work::host;
  const char* name = "";
  std::uint32_t stack = 0;
  Actor issuer = 0;
  Blocks blocks = Blocks::blocking;
  int device = 0;
  bool is_record = false;
  bool has_ended = false;
  bool has_told = false;  ///< somebody knows of all that it did so far
  std::vector<Ticket> after{};
  bool has_heard = false;  ///< knows more than when it was issued
  std::unordered_map<std::uint64_t, std::uint32_t> points{};  ///< of its accesses now, by the place
  std::uint64_t last_key = 0;
  std::uint32_t last_point = 0;
};

/// \param piece may be null
inline bool is_host_function(const Agent* piece) {
  return piece != nullptr && piece->work == Work::host_function;
}

/// What is wrong with two accesses.
enum class Wrong {
  order,  ///< nothing orders them
  scope,  ///< one hands on to another device, by an atomic that is for its own one
  fence   ///< the same, and no fence that is for all devices comes before
};

/// Two accesses that do not go together.
struct Conflict {
  Point earlier;  ///< noted before the other one
  Point later;
  bool earlier_writes = false;
  bool later_writes = false;
  std::uintptr_t address = 0;
  unsigned bytes = 0;
  Wrong wrong = Wrong::order;
};

/// How strong an access is.
struct Strength {
  bool is_strong = false;  ///< an atomic, or volatile
  bool is_narrow = false;
  bool is_fenced = true;
};

class Ordering final : public Watcher {
 public:
  static Ordering& get();

  // What the streams tell.
  void issued(const Issued& now) override;
  void begins(Ticket ticket) override;
  void ended(Ticket ticket) override;
  void round_begins(Ticket ticket, std::size_t parts) override;
  void part_begins(Ticket ticket, const BodyPart& part) override;
  void part_ended(Ticket ticket) override;
  void round_ended(Ticket ticket) override;
  void host_waited(const std::vector<Ticket>& tickets) override;

  /// While one lives, this thread works at the state, and its own accesses are nobody's.
  class Lock;

  /// The host thread that runs: its own, or the one that stands for all whose beginning was not
  /// seen; in a host function that one.
  Agent& host();
  /// Forgets everything.
  void start_anew();

  void note_range(Agent& agent, std::uintptr_t address, std::size_t bytes, bool writes,
                  bool is_strong, std::uint64_t pc);
  void note_lanes(Agent& kernel, const Request& request, bool writes, Strength strength);
  void note_freed(Agent& agent, std::uintptr_t begin);
  std::uint32_t number_of(const CallStack& stack);
  void note_allocated(Ticket ticket, std::uintptr_t begin);
  /// Whether some stream but this one has work that the host thread has not waited for.
  bool is_other_stream_busy(std::uint64_t stream);

  // For order of other kinds.
  void learn(Agent& agent, const Clock& clock);
  /// What others know that learn of all that the agent has done so far.
  Clock tell(Agent& agent);
  /// The host thread leaves at an object, a mutex or an atomic, for others what it knows.
  void leave_at(std::uintptr_t object);
  std::shared_ptr<Agent> begin_host_thread();
  void learn_of_all_hosts();
  /// The thread has joined another one.
  void end_host_thread(const Agent& thread);

  TouchedMemory& memory() { return memory_; }

 private:
  friend class Lock;
  struct Stream {
    Actor actor;
    Ticket last;
  };
  // An access that is being noted.
  struct Step {
    Agent& agent;
    std::uint32_t point;
    bool writes;
    bool is_strong;
    Histories::Set met_writes = 0;
    Histories::Set met_reads = 0;
    Histories::Set from = ~Histories::Set{0};
    Histories::Set to = 0;
    // A word as it was found, and as it was left.
    const TouchedRegion* region = nullptr;
    Cell seen{};
    Cell made{};
  };

  // A lane of a conditional node's bodies: an actor, with moments of its own for this launch.
  struct BodyLane {
    Actor actor;
    std::uint32_t first;  // the moment before its first part
    std::uint32_t used = 0;
  };
  // A body that is being run, and what is known at the end of each of its parts.
  struct Round {
    Agent* node;  // the conditional node
    std::vector<Clock> ends;
    std::size_t part = 0;
    const Task* task = nullptr;  ///< of that part
  };
  // The points of a part, which are the same in a later round at the same moment.
  struct KeptPoints {
    std::uint32_t time = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> points;
  };
  struct RunningBranch {
    std::map<std::uint64_t, BodyLane> lanes;
    Agent node;  // what a part knows of the others: nothing to begin with
    std::vector<Round> rounds;
    std::vector<std::unique_ptr<Agent>> parts;
    std::unordered_map<const Task*, KeptPoints> kept;
  };

  Ordering() : histories_(), memory_(histories_) {}
  void reserve_lanes(Agent& piece, const BranchTask& branch);
  std::uint32_t point_of(Agent& agent, std::uint64_t pc, Strength strength);
  void touch(const TouchedRegion& region, std::uintptr_t address, std::size_t bytes, Step& step);
  void touch(Cell& cell, std::uintptr_t address, unsigned bytes, Step& step);
  void meet(Histories::Set set, bool they_write, std::uintptr_t address, unsigned bytes,
            const Step& step);
  void hear_of(Agent& agent, const Point& point);
  void learn_of(Clock& clock, Ticket ticket);
  void forget_if_quiet();
  void pass_on(const Agent& piece);
  void drop_if_useless(Ticket ticket);

  std::mutex mutex_;
  Histories histories_;
  TouchedMemory memory_;
  Numbered<Place> places_;
  Numbered<std::vector<std::uint64_t>> stacks_;
  std::unordered_map<std::uint64_t, Stream> streams_;
  std::map<Ticket, std::shared_ptr<Agent>> pieces_;
  std::map<Ticket, RunningBranch> branches_;
  std::unordered_map<std::uintptr_t, Ticket> records_;  // the last one of each event
  Ticket first_ = 1;                                    // what was issued before is known to all
  Agent unseen_host_;                                   // number 0
  Actor actors_ = 1;
  int live_host_threads_ = 1;
  std::vector<std::weak_ptr<Agent>> host_threads_;
  std::unordered_map<std::uintptr_t, Clock> left_;
  std::vector<std::uint32_t> times_;  // of each stream's last piece, by actor
  bool has_found_ = false;

  CallStack stack_of(std::uint32_t number) const;
  void report(const Conflict& conflict);
  Finding describe(const Conflict& conflict) const;
  struct Reported {
    FindingId latest;
    std::uint64_t described = 0;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Reported> reported_;  // by their places
};

class Ordering::Lock {
 public:
  explicit Lock(Ordering& all);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  /// Whether this thread is in here already.
  static bool is_held();

 private:
  Ordering& all_;
};

/// What is said of a conflict, apart from the places (order_findings.cpp).
struct Side {
  const Place& place;
  Ticket ticket;
  bool writes;
};
std::string sentence_of(const Side& first, const Side& second);
std::string remedy_of(const Side& first, const Side& second);

}  // namespace emulator::ordering
