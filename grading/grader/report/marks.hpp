/// @file
/// What a submission is worth: the marks, and their form in JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/sandbox.hpp"

namespace course::tool::grading {

/// Points reached, and how many there are.
struct Points {
  int points = 0;
  int of = 0;

  Points& operator+=(const Points& more) {
    points += more.points;
    of += more.of;
    return *this;
  }
};

/// What became of one case of an exercise's check.
struct CaseMark {
  std::string name;                ///< "correct: every bit at awkward shapes"
  std::string result = "not run";  ///< "passed", "failed", "skipped" or "not run"
  Points points;
  std::string message;  ///< may have several lines

  bool was_run() const { return result != "not run"; }
  /// What the case is about: the word before the colon ("correct"), or "other".
  std::string criterion() const;
};

/// What counts of an exercise besides the points of its checks. It is not part of the marks that
/// are kept: the reports of a class are made with it each time.
struct Settlement {
  std::string handed_in;       ///< when, and by what, in words; empty if there is no deadline
  std::string lateness;        ///< "2 days late, 1 grace day: 10% off"; empty if it came in time
  int percent_off = 0;         ///< of the points of the checks
  std::optional<int> by_hand;  ///< the teacher's mark, in hundredths of a point
  std::string comment;         ///< the teacher's
};

/// What became of one exercise.
struct ExerciseMark {
  std::string id;
  std::string name;
  std::string title;
  /// "graded", "missing", "not a file", "too large", "not text", "does not compile", "refused", or
  /// "not graded", which is a failure of ours and never the student's.
  std::string state = "graded";
  std::string reason;                ///< one line; empty if it was graded
  std::vector<std::string> details;  ///< what the compiler said, say
  std::vector<CaseMark> cases;
  double seconds = 0;
  Settlement settlement;

  /// Whether its points are known: nothing of ours failed.
  bool is_graded() const { return state != "not graded"; }

  Points points() const;
  /// What is taken off for lateness, in hundredths of a point.
  int deduction() const;
  /// What counts, in hundredths of a point: the teacher's mark, or the points less the deduction.
  int mark() const;
  /// Whether that is known.
  bool has_mark() const { return settlement.by_hand || is_graded(); }
  /// Points by criterion, in the order in which the cases name them.
  std::vector<std::pair<std::string, Points>> criteria() const;
};

/// A student as a roster has it.
struct Student {
  std::string name;
  std::string id;
  std::string email;  ///< may be empty
};

/// What a submission is worth.
struct Marks {
  std::string submission;  ///< a student's name, say: text that we have not chosen
  std::string graded;      ///< when, "2026-11-21T23:00:00Z"
  std::uint64_t seed = 0;
  std::string judge;  ///< tells versions of the checks apart
  /// Tells apart all that the marks depend on; those of the same print need not be made again.
  std::string fingerprint;
  Isolation isolation;
  std::vector<ExerciseMark> exercises;
  std::optional<Student> student;  ///< whose it is, if there is a roster; not kept either

  Points points() const;
  /// The sum of what counts, in hundredths of a point, and whether it is known.
  int mark() const;
  bool has_mark() const;
  /// Whether something of ours failed.
  bool has_failure_of_ours() const;
};

/// Marks as JSON text. Bytes that are not UTF-8 are replaced.
std::string to_json(const Marks& marks);

/// Reads what to_json() wrote; nothing if the text is no such thing.
std::optional<Marks> marks_from_json(const std::string& text);

}  // namespace course::tool::grading
