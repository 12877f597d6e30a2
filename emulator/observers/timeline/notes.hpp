#pragma once
/// \file
/// What a timeline notes while the program runs.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "events/stream_watcher.hpp"
#include "observers/timeline/step_model.hpp"

namespace emulator::timeline {

struct TimelineNotes {
  /// A piece of work, by its number in the model.
  struct Piece {
    std::size_t thread;  ///< of the host, from 0 on
    StreamInQueue stream;
    const char* category;
    std::string name;
    std::string call;  ///< by which the host issued it
    nlohmann::ordered_json arguments;
    std::vector<StepModel::Index> after;

    /// Whether it takes steps. What does not is a mark: the order that it makes is shown by arrows
    /// between pieces that do.
    bool takes_steps;
  };
  struct Wait {
    std::size_t thread;
    std::vector<StepModel::Index> pieces;
  };
  struct Staging {
    std::size_t thread;
    std::string name;
  };

  StepModel model;
  std::vector<Piece> pieces;
  std::vector<Wait> waits;
  std::vector<Staging> stagings;
  std::uint64_t left_out = 0;  ///< pieces that were too many
};

/// The timeline's file.
std::string written(const TimelineNotes& notes, const std::string& program);

}  // namespace emulator::timeline
