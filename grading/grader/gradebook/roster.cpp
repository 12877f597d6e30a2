#include "grader/gradebook/roster.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "grader/report/report.hpp"
#include "host/errors.hpp"

namespace course::tool::grading {
namespace {

/// A gradebook finds a student by it, so it must stay as it is; and a spreadsheet must not compute.
void check_key(const CsvTable& table, const CsvRow& row, const std::string& text) {
  if (looks_like_formula(text)) {
    throw Failure(table.at(row) + "a spreadsheet would take '" + clean_utf8(text) +
                      "' for a formula, and a gradebook would not find it with an apostrophe",
                  status_refused);
  }
}

std::optional<int> grace_days(const CsvTable& table, const CsvRow& row, const std::string& text) {
  if (text.empty()) return std::nullopt;
  int days = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, days);
  if (error != std::errc() || rest != end || days < 0 || days > most_grace_days) {
    throw Failure(table.at(row) + "grace_days wants a whole number from 0 to " +
                      std::to_string(most_grace_days) + ", got '" + clean_utf8(text) + "'",
                  status_refused);
  }
  return days;
}

}  // namespace

std::string shown_student(const Student& student) {
  return clean_utf8(student.name + " (" + student.id + ")");
}

Roster read_roster(const std::filesystem::path& file) {
  Roster roster;
  roster.table = read_csv(file, {"name", "id"});
  const CsvTable& table = roster.table;
  const auto email = table.column("email");
  const auto grace = table.column("grace_days");
  for (const CsvRow& row : table.rows) {
    RosterRow one;
    one.row = row;
    one.student.name = row.cells[*table.column("name")];
    one.student.id = row.cells[*table.column("id")];
    if (email) one.student.email = row.cells[*email];
    if (grace) one.grace_days = grace_days(table, row, row.cells[*grace]);
    if (one.student.id.empty() || one.student.name.empty()) {
      throw Failure(table.at(row) + "a student wants a name and an id", status_refused);
    }
    check_key(table, row, one.student.id);
    check_key(table, row, one.student.email);
    for (const RosterRow& other : roster.rows) {
      if (other.student.id != one.student.id) continue;
      throw Failure(table.at(row) + "the id '" + clean_utf8(one.student.id) +
                        "' was that of line " + std::to_string(other.row.line),
                    status_refused);
    }
    roster.rows.push_back(std::move(one));
  }
  if (roster.rows.empty()) throw Failure(table.file + ": there are no students", status_refused);
  return roster;
}

const RosterRow* Roster::find(const std::string& submission) const {
  const std::string name =
      submission.ends_with(".cu") ? submission.substr(0, submission.size() - 3) : submission;
  for (const auto part : {&Student::id, &Student::email, &Student::name}) {
    const RosterRow* found = nullptr;
    for (const RosterRow& one : rows) {
      const std::string& text = one.student.*part;
      if (text.empty() || (shown_name(text) != submission && shown_name(text) != name)) continue;
      if (found != nullptr) {
        throw Failure(table.at(one.row) + "the submission '" + submission + "' could be of " +
                          shown_student(found->student) + " or of " + shown_student(one.student) +
                          ": name its folder by the id",
                      status_refused);
      }
      found = &one;
    }
    if (found != nullptr) return found;
  }
  return nullptr;
}

std::vector<const RosterRow*> match(const Roster& roster,
                                    const std::vector<std::string>& submissions) {
  std::vector<const RosterRow*> found;
  for (const std::string& submission : submissions) {
    const RosterRow* const row = roster.find(submission);
    const auto other = std::find(found.begin(), found.end(), row);
    if (row != nullptr && other != found.end()) {
      throw Failure("'" + submissions[static_cast<std::size_t>(other - found.begin())] + "' and '" +
                        submission + "' are both submissions of " + shown_student(row->student) +
                        ": take one of them away",
                    status_refused);
    }
    found.push_back(row);
  }
  return found;
}

}  // namespace course::tool::grading
