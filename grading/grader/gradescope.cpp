#include "grader/gradescope.hpp"

#include <string>
#include <string_view>

#include "grader/report/report_target.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;

/// What git prints.
/// @throws Failure with status 2 if it fails
std::string git(const fs::path& repository, const std::vector<std::string>& words) {
  std::vector<std::string> command{"git", "-C", repository.string()};
  command.insert(command.end(), words.begin(), words.end());
  std::string said;
  std::string complaint;
  const auto take = [&](Stream stream, std::string_view line) {
    std::string& text = stream == Stream::out ? said : complaint;
    if (!text.empty()) text += '\n';
    text += line;
  };
  RunOptions options;
  options.environment = {{"GIT_DIR", ""}, {"GIT_WORK_TREE", ""}, {"GIT_INDEX_FILE", ""}};
  if (run_process(command, take, {}, options).code != 0) {
    throw Failure("--gradescope wants a checkout that git can read: " +
                      complaint.substr(0, complaint.find('\n')),
                  status_refused);
  }
  return said;
}

/// The words of `grade` that hold for each submission, one a line.
std::string arguments(const std::vector<const Exercise*>& exercises, const GradeOptions& options) {
  std::string text;
  for (const Exercise* const exercise : exercises) text += exercise->id + '\n';
  text += "--time-limit\n" + std::to_string(options.time_limit) + '\n';
  if (options.seed) text += "--seed\n" + std::to_string(*options.seed) + '\n';
  for (const std::string& name : options.allow) {
    if (name.find('\n') != std::string::npos) {
      throw Failure("--allow wants a name of one line", status_refused);
    }
    text += "--allow\n" + name + '\n';
  }
  if (options.without_witness) text += "--without-witness\n";
  return text;
}

}  // namespace

int make_autograder(const Checkout& checkout, const std::vector<const Exercise*>& exercises,
                    const GradeOptions& options, const Screen& screen) {
  check_report_target("--gradescope", options.gradescope);
  if (options.gradescope == to_stdout) {
    throw Failure("--gradescope wants a file, lab.zip", status_refused);
  }
  const std::string commit = git(checkout.source_dir, {"rev-parse", "--short", "HEAD"});
  if (!git(checkout.source_dir, {"status", "--porcelain", "--untracked-files=no"}).empty()) {
    screen.err
        << "course: this checkout has changes that are not committed, and so not in the zip\n"
        << std::flush;
  }
  const ScratchFolder scratch("course-gradescope");
  const fs::path list = scratch.path() / "arguments";
  const fs::path zip = scratch.path() / "autograder.zip";
  write_file(list, arguments(exercises, options));
  std::vector<std::string> words{"archive", "--format=zip", "--output=" + zip.string(),
                                 "--prefix="};
  for (const char* const name : {"setup.sh", "grade.sh", "run_autograder", "results.py"}) {
    words.push_back("--add-file=" +
                    (checkout.source_dir / "docs/teaching/gradescope" / name).string());
  }
  words.insert(words.end(), {"--add-file=" + list.string(), "--prefix=course/", "HEAD", ".",
                             ":(exclude)solutions"});
  git(checkout.source_dir, words);
  const auto made = read_file(zip);
  if (!made || !write_file(options.gradescope, *made)) {
    throw Failure("cannot write " + options.gradescope);
  }
  screen.out << options.gradescope << ": an autograder of commit " << commit << " for";
  for (const Exercise* const exercise : exercises) screen.out << ' ' << exercise->id;
  screen.out << '\n' << std::flush;
  return status_ok;
}

}  // namespace course::tool::grading
