#include "grader/gradebook/gradebook.hpp"

#include <algorithm>
#include <utility>

#include "grader/gradebook/handed_in.hpp"
#include "grader/gradebook/times.hpp"
#include "grader/report/report.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"

namespace course::tool::grading {
namespace {

bool is_found(const CollectedFile& file) {
  return file.state == CollectedFile::State::found;
}

/// One line for all that have something in common; none if nobody has.
void tell_names(const std::string& what, const std::vector<std::string>& names,
                const Screen& screen) {
  if (names.empty()) return;
  screen.err << "course: " << what << ": ";
  for (std::size_t k = 0; k < names.size(); ++k) screen.err << (k == 0 ? "" : ", ") << names[k];
  screen.err << '\n' << std::flush;
}

}  // namespace

Gradebook::Gradebook(const GradebookFiles& files, const ExerciseList& list,
                     std::vector<Submission> submissions)
    : submissions_(std::move(submissions)), rows_(submissions_.size(), nullptr) {
  if (!files.roster.empty()) {
    roster_ = read_roster(files.roster);
    std::vector<std::string> names;
    for (const Submission& one : submissions_) names.push_back(one.name);
    rows_ = match(*roster_, names);
  }
  if (!files.deadlines.empty()) {
    deadlines_ = read_deadlines(files.deadlines, list);
    if (deadlines_->clock == Deadlines::Clock::roster) check_roster_times();
  }
  for (ManualMark& mark : read_manual_marks(files.manual, list)) {
    const auto found =
        std::find_if(submissions_.begin(), submissions_.end(), [&](const Submission& one) {
          const RosterRow* const row = rows_[static_cast<std::size_t>(&one - submissions_.data())];
          return one.name == mark.student || one.name == shown_name(mark.student) ||
                 (row != nullptr && row->student.id == mark.student);
        });
    if (found == submissions_.end()) {
      throw Failure(mark.at + "there is no submission '" + clean_utf8(mark.student) + "'",
                    status_refused);
    }
    const auto k = static_cast<std::size_t>(found - submissions_.begin());
    for (const ManualMark& other : manual_[k]) {
      if (other.exercise != mark.exercise) continue;
      throw Failure(
          mark.at + "there is a line for " + found->name + " and " + mark.exercise + " already",
          status_refused);
    }
    manual_[k].push_back(std::move(mark));
  }
}

void Gradebook::check_roster_times() const {
  for (const Lab& lab : deadlines_->labs) {
    if (!roster_ || !roster_->table.column(lab.name)) {
      throw Failure(deadlines_->file +
                        ": \"time\": \"roster\" wants --roster FILE, with a column '" + lab.name +
                        "'",
                    status_refused);
    }
    for (const RosterRow& row : roster_->rows) roster_time(row, lab);
  }
}

std::optional<std::int64_t> Gradebook::roster_time(const RosterRow& row, const Lab& lab) const {
  const std::string& text = row.row.cells[*roster_->table.column(lab.name)];
  if (text.empty()) return std::nullopt;
  const auto time = parse_time(text);
  if (time) return time;
  throw Failure(roster_->table.at(row.row) + "the time of " + lab.name + " wants the form " +
                    time_form + ", got '" + clean_utf8(text) + "'",
                status_refused);
}

Arrival Gradebook::arrival(std::size_t submission, const Lab& lab,
                           const std::vector<CollectedFile>& files) const {
  Arrival arrival;
  arrival.has_files = std::any_of(files.begin(), files.end(), is_found);
  if (!arrival.has_files) return arrival;
  if (deadlines_->clock == Deadlines::Clock::roster) {
    const RosterRow* const row = rows_[submission];
    if (row != nullptr) arrival.time = roster_time(*row, lab);
    return arrival;
  }
  std::vector<std::optional<std::int64_t>> times;
  if (deadlines_->clock == Deadlines::Clock::commit) {
    const ScratchFolder scratch("course-commits");
    times = commit_times(submissions_[submission], files, scratch.path());
  } else {
    for (const CollectedFile& file : files) times.emplace_back(file.modified);
  }
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (!is_found(files[k])) continue;
    if (!times[k]) return {true, std::nullopt};
    arrival.time = std::max(arrival.time.value_or(*times[k]), *times[k]);
  }
  return arrival;
}

void Gradebook::settle_lateness(std::size_t submission, Marks& marks) const {
  std::vector<std::vector<CollectedFile>> files;
  std::vector<Arrival> arrivals;
  for (const Lab& lab : deadlines_->labs) {
    files.emplace_back();
    for (const Exercise* const exercise : lab.exercises) {
      files.back().push_back(collect(submissions_[submission], *exercise));
    }
    arrivals.push_back(arrival(submission, lab, files.back()));
  }
  const RosterRow* const row = rows_[submission];
  const int grace_days =
      row != nullptr && row->grace_days ? *row->grace_days : deadlines_->grace_days;
  const std::vector<Lateness> lateness = lateness_of(*deadlines_, grace_days, arrivals);
  for (std::size_t k = 0; k < deadlines_->labs.size(); ++k) {
    const Lab& lab = deadlines_->labs[k];
    for (std::size_t e = 0; e < lab.exercises.size(); ++e) {
      const auto mark =
          std::find_if(marks.exercises.begin(), marks.exercises.end(),
                       [&](const ExerciseMark& one) { return one.id == lab.exercises[e]->id; });
      if (mark == marks.exercises.end() || !is_found(files[k][e])) continue;
      mark->settlement.handed_in = arrival_text(*deadlines_, lab, arrivals[k]);
      mark->settlement.lateness = lateness[k].text;
      mark->settlement.percent_off = lateness[k].percent_off;
    }
  }
}

void Gradebook::settle_by_hand(std::size_t submission, Marks& marks) const {
  const auto found = manual_.find(submission);
  if (found == manual_.end()) return;
  for (const ManualMark& by_hand : found->second) {
    for (ExerciseMark& mark : marks.exercises) {
      if (mark.id != by_hand.exercise) continue;
      mark.settlement.by_hand = by_hand.points;
      mark.settlement.comment = by_hand.comment;
    }
  }
}

void Gradebook::settle(std::vector<Marks>& marks, const Screen& screen) const {
  for (std::size_t k = 0; k < marks.size(); ++k) {
    if (rows_[k] != nullptr) marks[k].student = rows_[k]->student;
    if (deadlines_) settle_lateness(k, marks[k]);
    settle_by_hand(k, marks[k]);
  }
  tell(marks, screen);
}

void Gradebook::tell(const std::vector<Marks>& marks, const Screen& screen) const {
  if (!roster_) return;
  std::vector<std::string> unknown;
  std::vector<std::string> incomplete;
  for (std::size_t k = 0; k < marks.size(); ++k) {
    if (rows_[k] == nullptr) {
      unknown.push_back(marks[k].submission);
    } else if (!marks[k].has_mark()) {
      incomplete.push_back(shown_student(rows_[k]->student));
    }
  }
  std::vector<std::string> missing;
  for (const RosterRow& row : roster_->rows) {
    const bool is_there = std::any_of(rows_.begin(), rows_.end(), [&](const RosterRow* const one) {
      return one != nullptr && one->student.id == row.student.id;
    });
    if (!is_there) missing.push_back(shown_student(row.student));
  }
  const std::string without = ", without a row in moodle.csv and canvas.csv";
  tell_names("not in " + roster_->table.file + without, unknown, screen);
  tell_names("no submission" + without, missing, screen);
  tell_names("not graded" + without, incomplete, screen);
}

}  // namespace course::tool::grading
