/// @file
/// Marks in the forms that people and programs read. Names and messages are text that we have not
/// chosen: each form escapes them in its way.
#pragma once

#include <string>
#include <vector>

#include "grader/report/marks.hpp"
#include "host/characters.hpp"
#include "host/screen.hpp"

namespace course::tool::grading {

/// One submission's marks, for a person at a terminal.
void print_marks(const Marks& marks, const Screen& screen);

/// JUnit's XML, of one submission or of a class: a test suite for each exercise of each, and in it
/// a test case for each case. Well-formed whatever bytes the names and messages hold.
std::string to_junit(const std::vector<Marks>& marks);

/// A class as CSV: a row for each student, a column for each exercise. What a spreadsheet would
/// take for a formula has an apostrophe before it. If anything was settled, there is a column of
/// deductions; if there is a roster, one of ids.
std::string to_csv(const std::vector<Marks>& marks);

/// A class as CSV for Moodle's grade import: a row for each student of the roster all of whose
/// marks are known; for each exercise a column of marks and one of feedback.
std::string to_moodle_csv(const std::vector<Marks>& marks);

/// The same as Canvas's gradebook takes it, without feedback: it has no place for that.
std::string to_canvas_csv(const std::vector<Marks>& marks);

/// A class as one HTML page, which asks for nothing from elsewhere.
std::string to_html(const std::vector<Marks>& marks, const std::string& title);

/// A name of a file or folder as all reports show it: one line of UTF-8, and no two names alike.
/// What cannot be seen, or would be taken for a space or the end of a line, is written as `\n`,
/// `\x1B`, `\u202E`; a backslash is doubled.
std::string shown_name(const std::string& name);

/// Text as clean_utf8() makes it, with `&`, `<`, `>`, `"` and `'` as XML and HTML write them.
std::string escaped(const std::string& text);

/// What there is to say about a submission in a few words: "01a does not compile; 02b missing".
std::string remarks(const Marks& marks);

/// Hundredths of a point as a decimal number without zeros at its end: 750 is "7.5".
std::string decimal(int hundredths);

/// How the mark of an exercise comes about, in one line, if not by its checks alone: "8 points of
/// the checks, 2 days late: 20% off, makes 6.4"; and the teacher's comment. Empty if there is
/// nothing.
std::string settlement_text(const ExerciseMark& mark);

/// What counts, as a table shows it: "?" where something of ours failed, so that nobody knows.
std::string points_text(const ExerciseMark& mark);
std::string points_text(const Marks& marks);

}  // namespace course::tool::grading
