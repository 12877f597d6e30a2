#pragma once
/// \file
/// When work in streams would run if every piece began as soon as it may: the timeline's axis on
/// the emulator. It counts steps, which are no time (work_steps.hpp says how many a piece takes).
///
/// A piece begins once it is issued, all that it waits for has ended, and its engine is free. Of
/// several that wait for an engine, the one that was issued first goes first. Host threads issue
/// one call after the other and stop where they wait. In which order the emulator runs the work
/// does not matter, so that a timeline is the same in all of them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::timeline {

using Steps = std::uint64_t;

/// What can do one piece of work at a time.
enum class Engine {
  none,  ///< nothing is scarce: kernels run side by side
  copies_to_device,
  copies_to_host,
  host_functions
};
constexpr std::size_t engine_count = 4;

/// The steps from `begin` to `end`, without the last.
struct Span {
  Steps begin = 0;
  Steps end = 0;
};

class StepModel {
 public:
  /// A piece of work, by its number in the order of issue, from 0 on.
  using Index = std::size_t;

  /// The next call of a host thread issues a piece, and takes one step.
  /// \param after pieces that it waits for, all of them issued before
  /// \param is_of_last_call no new call: it belongs to the one that issued the thread's last piece
  Index issue(std::size_t thread, Engine engine, Steps steps, std::vector<Index> after,
              bool is_of_last_call = false);
  /// The host thread waits for these.
  /// \return the wait's number, from 0 on
  std::size_t wait(std::size_t thread, std::vector<Index> pieces);
  /// The host thread itself works for some steps.
  /// \return the number, from 0 on
  std::size_t busy(std::size_t thread, Steps steps);

  /// Where everything falls.
  struct Placed {
    std::vector<Span> calls;   ///< by piece: the call that issues it
    std::vector<Span> pieces;  ///< by piece
    std::vector<Span> waits;
    std::vector<Span> busy;
  };
  Placed place() const;

 private:
  friend class StepsOfAProgram;  // place(), as it goes on

  struct Piece {
    Engine engine;
    Steps steps;
    std::vector<Index> after;
    bool is_of_last_call;
  };
  enum class What { issue, wait, busy };
  struct Action {
    What what;
    std::size_t number;  // of the piece, the wait or the work
  };
  std::vector<Action>& actions_of(std::size_t thread);

  std::vector<Piece> pieces_;
  std::vector<std::vector<Index>> waits_;
  std::vector<Steps> busy_;
  std::vector<std::vector<Action>> threads_;
};

}  // namespace emulator::timeline
