#pragma once
/// \file
/// What a timeline calls a piece of work.

#include <nlohmann/json.hpp>
#include <string>

#include "base/rooms.hpp"
#include "events/tasks.hpp"

namespace emulator::timeline {

struct WorkText {
  const char* category;  ///< one of trace_file.hpp
  std::string name;
  std::string call;  ///< by which the host issues it
  nlohmann::ordered_json arguments = nullptr;
};

/// Of events it knows no number.
WorkText text_of(const Task& task);

}  // namespace emulator::timeline
