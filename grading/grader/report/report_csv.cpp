#include <algorithm>

#include "grader/report/csv.hpp"
#include "grader/report/report.hpp"

namespace course::tool::grading {
namespace {

bool is_settled(const ExerciseMark& mark) {
  const Settlement& settlement = mark.settlement;
  return settlement.by_hand || !settlement.handed_in.empty() || !settlement.comment.empty();
}

bool is_settled(const Marks& marks) {
  return std::any_of(marks.exercises.begin(), marks.exercises.end(),
                     [](const ExerciseMark& one) { return is_settled(one); });
}

std::string deduction_text(const Marks& marks) {
  if (!marks.has_mark()) return "?";
  int sum = 0;
  for (const ExerciseMark& one : marks.exercises) sum += one.deduction();
  return decimal(sum);
}

/// Whether a gradebook gets a row: one with a gap might erase what it has there.
bool is_for_gradebook(const Marks& marks) {
  return marks.student.has_value() && marks.has_mark();
}

}  // namespace

std::string to_csv(const std::vector<Marks>& marks) {
  const bool settled =
      std::any_of(marks.begin(), marks.end(), [](const Marks& one) { return is_settled(one); });
  const bool known = std::any_of(marks.begin(), marks.end(),
                                 [](const Marks& one) { return one.student.has_value(); });
  std::string text = known ? "student,id" : "student";
  if (!marks.empty()) {
    for (const ExerciseMark& one : marks.front().exercises) text += ',' + csv_cell(one.id);
  }
  text += settled ? ",deduction,total,of,remarks\n" : ",total,of,remarks\n";
  for (const Marks& one : marks) {
    text += csv_cell(one.submission);
    if (known) text += ',' + (one.student ? csv_cell(one.student->id) : std::string());
    for (const ExerciseMark& exercise : one.exercises) text += ',' + points_text(exercise);
    if (settled) text += ',' + deduction_text(one);
    text += ',' + points_text(one) + ',' + std::to_string(one.points().of) + ',' +
            csv_cell(remarks(one)) + '\n';
  }
  return text;
}

std::string to_moodle_csv(const std::vector<Marks>& marks) {
  std::string text = "ID number,Email address,Name";
  if (!marks.empty()) {
    for (const ExerciseMark& one : marks.front().exercises) {
      text += ',' + csv_cell(one.id) + ',' + csv_cell(one.id + " feedback");
    }
  }
  text += ",Total\n";
  for (const Marks& one : marks) {
    if (!is_for_gradebook(one)) continue;
    text += csv_cell(one.student->id) + ',' + csv_cell(one.student->email) + ',' +
            csv_cell(one.student->name);
    for (const ExerciseMark& exercise : one.exercises) {
      text += ',' + points_text(exercise) + ',' + csv_cell(settlement_text(exercise));
    }
    text += ',' + points_text(one) + '\n';
  }
  return text;
}

std::string to_canvas_csv(const std::vector<Marks>& marks) {
  std::string text = "Student,ID,SIS User ID,SIS Login ID,Section";
  std::string possible = "Points Possible,,,,";
  if (!marks.empty()) {
    for (const ExerciseMark& one : marks.front().exercises) {
      text += ',' + csv_cell(one.id);
      possible += ',' + std::to_string(one.points().of);
    }
  }
  text += '\n' + possible + '\n';
  for (const Marks& one : marks) {
    if (!is_for_gradebook(one)) continue;
    text += csv_cell(one.student->name) + ",," + csv_cell(one.student->id) + ',' +
            csv_cell(one.student->email) + ',';
    for (const ExerciseMark& exercise : one.exercises) text += ',' + points_text(exercise);
    text += '\n';
  }
  return text;
}

}  // namespace course::tool::grading
