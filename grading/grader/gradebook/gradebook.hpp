/// @file
/// From the points of a class to what counts: whose each submission is, what lateness costs, and
/// what the teacher has marked by hand.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/deadlines.hpp"
#include "grader/gradebook/manual_marks.hpp"
#include "grader/gradebook/roster.hpp"
#include "grader/report/marks.hpp"
#include "grader/submission/collect.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/screen.hpp"

namespace course::tool::grading {

/// The teacher's files. What is empty was not given; the last need not be there.
struct GradebookFiles {
  std::filesystem::path roster;
  std::filesystem::path deadlines;
  std::filesystem::path manual;
};

/// What the marks of a class are settled with. All is read and checked before anything is graded,
/// and none of it is written.
class Gradebook {
 public:
  /// @throws Failure with status 2, in one line, if a file cannot be understood
  Gradebook(const GradebookFiles& files, const ExerciseList& list,
            std::vector<Submission> submissions);

  /// Settles the marks of all submissions, in their order; screen.err says what is incomplete.
  void settle(std::vector<Marks>& marks, const Screen& screen) const;

  bool has_roster() const { return roster_.has_value(); }

 private:
  void check_roster_times() const;
  std::optional<std::int64_t> roster_time(const RosterRow& row, const Lab& lab) const;
  Arrival arrival(std::size_t submission, const Lab& lab,
                  const std::vector<CollectedFile>& files) const;
  void settle_lateness(std::size_t submission, Marks& marks) const;
  void settle_by_hand(std::size_t submission, Marks& marks) const;
  void tell(const std::vector<Marks>& marks, const Screen& screen) const;

  std::vector<Submission> submissions_;
  std::optional<Roster> roster_;
  std::vector<const RosterRow*> rows_;  ///< of each submission; nullptr: of nobody
  std::optional<Deadlines> deadlines_;
  std::map<std::size_t, std::vector<ManualMark>> manual_;  ///< by submission
};

}  // namespace course::tool::grading
