/// @file
/// The witness beside the judge: how it is started, and what its report means for a case.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "host/exercises/exercise_list.hpp"

namespace course::tool::grading {

/// Where the witness is, and what is wrong with it; nothing is wrong if that is empty.
struct WitnessTool {
  std::filesystem::path folder;
  std::string problem;
  std::filesystem::path program() const { return folder / "witness-amd64-linux"; }
};

/// Looks for the witness that the build has made.
WitnessTool find_witness(const ExerciseList& list);

/// What the witness has to say of a case.
struct WitnessReport {
  bool was_there = false;  ///< it has begun to watch
  std::string finding;     ///< one line; empty if there is none
  std::string remedy;      ///< for those who meant no harm; mostly empty
};

/// Reads its report: see grading/witness/report.c.
/// @param file the student's, whose lines may be named
WitnessReport read_witness_report(std::string_view report, const std::string& file);

}  // namespace course::tool::grading
