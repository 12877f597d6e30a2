/// @file
/// Deadlines, grace days and what lateness costs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/marks.hpp"
#include "host/exercises/exercise_list.hpp"

namespace course::tool::grading {

/// Exercises that are handed in together. A lab came when the last of its files came.
struct Lab {
  std::string name;
  std::vector<const Exercise*> exercises;
  std::int64_t deadline = 0;  ///< in seconds since 1970
  std::string deadline_text;  ///< as the teacher wrote it
};

/// What deadlines.json says.
struct Deadlines {
  /// Which time counts: of the last commit that changed the file, of the file in the file system,
  /// or of the roster, in a column with the lab's name.
  enum class Clock { commit, file, roster };

  std::string file;  ///< its name in messages
  Clock clock = Clock::commit;
  int percent_per_day = 0;
  int grace_days = 0;     ///< of each student
  std::vector<Lab> labs;  ///< by deadline
};

/// Reads such a file:
///
///     {"time": "commit", "percent_per_day": 10, "grace_days": 2,
///      "labs": [{"lab": "Lab 1", "exercises": ["01a", "01b"],
///                "deadline": "2026-11-20T23:59+01:00"}]}
///
/// @throws Failure with status 2, in one line, if it is anything else
Deadlines read_deadlines(const std::filesystem::path& file, const ExerciseList& list);

/// When a student's files of a lab came.
struct Arrival {
  bool has_files = false;
  std::optional<std::int64_t> time;  ///< of the last; nothing if nobody knows
};

/// What a lab's lateness means for each of its exercises.
struct Lateness {
  int days = 0;   ///< each that has begun
  int grace = 0;  ///< of them
  int percent_off = 0;
  std::string text;  ///< "2 days late, 1 grace day: 10% off"; empty if it came in time
};

/// The lateness of all labs of a student, whose grace days go to the labs with the first deadlines.
std::vector<Lateness> lateness_of(const Deadlines& deadlines, int grace_days,
                                  const std::vector<Arrival>& arrivals);

/// "Lab 1: 2026-11-21T20:00:00Z by its last commit; the deadline was 2026-11-20T23:59+01:00".
std::string arrival_text(const Deadlines& deadlines, const Lab& lab, const Arrival& arrival);

}  // namespace course::tool::grading
