/// @file
/// Marking a class: many submissions, several at once, interrupted and taken up again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/grader.hpp"

namespace course::tool::grading {

/// The submissions in a folder, by name. Hidden entries are left out, and so are files, unless one
/// exercise is asked for: then each .cu file is a submission.
/// @throws Failure with status 2 if there are none
std::vector<Submission> submissions_in(const std::filesystem::path& folder, bool files_too);

struct ClassFolder;

/// The same, where marks go to a folder that may be in this one. Neither it nor any other folder
/// of marks is a submission; screen.err says which were left out.
/// @throws Failure with status 2 if marks and submissions would get mixed up
std::vector<Submission> submissions_beside(const ClassFolder& out,
                                           const std::filesystem::path& folder, bool files_too,
                                           const Screen& screen);

/// A name for a file of marks: made of what any file system takes, and unlike all of `taken`, to
/// which it is added. Names that differ only in upper and lower case count as alike.
std::string file_name_for(const std::string& submission, std::vector<std::string>& taken);

/// Where the marks of a class go.
struct ClassFolder {
  std::filesystem::path path;

  std::filesystem::path marks(const std::string& name) const {
    return path / "marks" / (name + ".json");
  }
  /// What a teacher marked by hand: read, and never written.
  std::filesystem::path manual() const { return path / "manual.csv"; }
};

/// Marks all submissions of the shard whose marks are not there yet, `jobs` at a time, and returns
/// the marks of all of them. What is finished is on disk and stays there. Shards may run at the
/// same time, on machines that share the folder: each writes the files of its own submissions.
/// @throws Interrupted on Ctrl-C
std::vector<Marks> grade_class(const Grader& grader, const std::vector<Submission>& submissions,
                               const ClassFolder& out, int jobs, bool again, const Screen& screen,
                               Shard shard = {});

/// Writes class.csv, class.html and class.junit.xml; with a roster also moodle.csv and canvas.csv.
/// @throws Failure if one cannot be written
void write_class_reports(const std::vector<Marks>& marks, const ClassFolder& out,
                         const std::string& title, bool has_roster = false);

}  // namespace course::tool::grading
