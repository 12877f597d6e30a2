#include "wrong_solution.hpp"

#include <string_view>
#include <vector>

#include "host/errors.hpp"
#include "host/process.hpp"

namespace course::tool {
namespace {

/// Whether a line of what `patch` says is about something that is wrong. What begins with | is
/// quoted from the file.
bool complains(std::string_view line) {
  if (line.starts_with('|')) return false;
  for (const std::string_view word : {"FAILED", "garbage", "****"}) {
    if (line.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::string caught_by(const std::string& text) {
  constexpr std::string_view start = "caught by: ";
  std::string line = text.substr(0, text.find('\n'));
  if (!line.starts_with(start)) return "";
  line.erase(0, start.size());
  line.erase(line.find_last_not_of(" \r\t") + 1);
  return line;
}

std::optional<std::string> make_wrong_solution(const std::filesystem::path& patch,
                                               const std::filesystem::path& model,
                                               const std::filesystem::path& made) {
  // Not `git apply`: it wants to be told by the difference which file is meant, and within a
  // repository passes over files of other folders without a word. --verbose tells of lines that do
  // not belong to a difference, which otherwise are left out silently.
  const std::vector<std::string> command{"patch",           "--unified",
                                         "--fuzz=0",        "--force",
                                         "--verbose",       "--no-backup-if-mismatch",
                                         "--reject-file=-", "--output=" + made.string(),
                                         model.string(),    patch.string()};
  RunOptions run_options;
  run_options.environment = {{"LC_ALL", "C"}, {"LANGUAGE", ""}};
  std::filesystem::create_directories(made.parent_path());
  std::optional<std::string> complaint;
  const auto listen = [&](Stream, std::string_view line) {
    if (!complaint && complains(line)) complaint = line;
  };
  try {
    const ExitStatus status = run_process(command, listen, {}, run_options);
    if (!status.ok() && !complaint) complaint = "patch failed, " + status.text();
  } catch (const Failure& failure) {
    throw Failure(std::string(failure.what()) +
                  ": it makes the wrong solutions, and comes with the package 'patch'");
  }
  return complaint;
}

}  // namespace course::tool
