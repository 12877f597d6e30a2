#include "grader/gradebook/manual_marks.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include "grader/report/csv.hpp"
#include "grader/report/report.hpp"
#include "host/errors.hpp"

namespace course::tool::grading {
namespace {

/// Hundredths of a point: "7", "7.5" or "7,25".
std::optional<int> hundredths(const std::string& text) {
  const std::size_t point = text.find_first_of(".,");
  const std::string whole = text.substr(0, point);
  std::string rest = point == std::string::npos ? "0" : text.substr(point + 1);
  const auto is_number = [](const std::string& digits, std::size_t most) {
    return !digits.empty() && digits.size() <= most &&
           std::all_of(digits.begin(), digits.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  if (!is_number(whole, 4) || !is_number(rest, 2)) return std::nullopt;
  rest.resize(2, '0');
  return 100 * std::stoi(whole) + std::stoi(rest);
}

ManualMark manual_mark(const CsvTable& table, const CsvRow& row, const ExerciseList& list) {
  const auto cell = [&](const char* column) { return row.cells[*table.column(column)]; };
  ManualMark mark;
  mark.at = table.at(row);
  mark.student = cell("student");
  mark.comment = cell("comment");
  if (mark.student.empty()) throw Failure(mark.at + "the student is missing", status_refused);
  try {
    const Exercise& exercise = find_exercise(list, cell("exercise"));
    mark.exercise = exercise.id;
    const std::string points = cell("points");
    if (points.empty()) return mark;
    mark.points = hundredths(points);
    if (!mark.points || *mark.points > 100 * exercise.points) {
      throw Failure("points want a number from 0 to " + std::to_string(exercise.points) +
                        ", as 7.5, got '" + clean_utf8(points) + "'",
                    status_refused);
    }
  } catch (const Failure& failure) {
    throw Failure(mark.at + failure.what(), status_refused);
  }
  return mark;
}

}  // namespace

std::vector<ManualMark> read_manual_marks(const std::filesystem::path& file,
                                          const ExerciseList& list) {
  std::error_code error;
  if (std::filesystem::symlink_status(file, error).type() ==
      std::filesystem::file_type::not_found) {
    return {};
  }
  const CsvTable table = read_csv(file, {"student", "exercise", "points", "comment"});
  std::vector<ManualMark> marks;
  for (const CsvRow& row : table.rows) {
    ManualMark mark = manual_mark(table, row, list);
    for (const ManualMark& other : marks) {
      if (other.student != mark.student || other.exercise != mark.exercise) continue;
      throw Failure(mark.at + "there is a line for " + clean_utf8(mark.student) + " and " +
                        mark.exercise + " already",
                    status_refused);
    }
    marks.push_back(std::move(mark));
  }
  return marks;
}

}  // namespace course::tool::grading
