/// @file
/// Who is in a class, and whose a submission is.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/csv.hpp"
#include "grader/report/marks.hpp"

namespace course::tool::grading {

/// The most grace days that anybody can have.
inline constexpr int most_grace_days = 366;

/// A student, and what else the roster says.
struct RosterRow {
  Student student;
  std::optional<int> grace_days;  ///< if they are not those of all
  CsvRow row;
};

/// A class, from a CSV with the columns name and id, perhaps email and grace_days, and any more.
struct Roster {
  CsvTable table;
  std::vector<RosterRow> rows;

  /// The row of a submission, by the name of its folder, or of its file without ".cu": that is the
  /// student's id, e-mail address or name.
  /// @throws Failure with status 2 if it could be of several students
  const RosterRow* find(const std::string& submission) const;
};

/// @throws Failure with status 2, in one line, if the file is not a roster
Roster read_roster(const std::filesystem::path& file);

/// The row of each submission; nullptr for one that is of nobody.
/// @throws Failure with status 2 if two submissions are of one student
std::vector<const RosterRow*> match(const Roster& roster,
                                    const std::vector<std::string>& submissions);

/// "Anna Berg (104)".
std::string shown_student(const Student& student);

}  // namespace course::tool::grading
