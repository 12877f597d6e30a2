#include "grader/gradebook/handed_in.hpp"

#include <charconv>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>

#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;

/// What git prints, one line; nothing if it fails.
std::optional<std::string> git(const std::vector<std::string>& words) {
  std::vector<std::string> command{"git"};
  command.insert(command.end(), words.begin(), words.end());
  RunOptions options;
  options.time_limit = std::chrono::seconds(60);
  // No password is asked for, nothing is fetched from elsewhere, and our own repository is not
  // meant.
  options.environment = {{"GIT_TERMINAL_PROMPT", "0"}, {"GIT_ALLOW_PROTOCOL", "file"},
                         {"GIT_NO_LAZY_FETCH", "1"},   {"GIT_DIR", ""},
                         {"GIT_WORK_TREE", ""},        {"GIT_INDEX_FILE", ""}};
  std::string said;
  const auto take = [&](Stream stream, std::string_view line) {
    if (stream == Stream::out && said.empty()) said = line.substr(0, 200);
  };
  try {
    if (run_process(command, take, {}, options).code != 0) return std::nullopt;
  } catch (const Failure&) {
    return std::nullopt;  // there is no git
  }
  return said;
}

std::optional<std::int64_t> commit_time(const std::string& repository, const CollectedFile& file,
                                        const fs::path& copy) {
  if (file.state != CollectedFile::State::found) return std::nullopt;
  if (!write_file(copy, file.text)) return std::nullopt;
  const auto committed = git({"--git-dir", repository, "rev-parse", "HEAD:" + file.place});
  const auto found = git({"--git-dir", repository, "hash-object", "--no-filters", copy.string()});
  if (!committed || !found || *committed != *found) return std::nullopt;
  const auto said = git({"--git-dir", repository, "--literal-pathspecs", "log", "-1",
                         "--format=%ct", "HEAD", "--", file.place});
  if (!said) return std::nullopt;
  std::int64_t time = 0;
  const char* const end = said->data() + said->size();
  const auto [rest, error] = std::from_chars(said->data(), end, time);
  if (said->empty() || error != std::errc() || rest != end) return std::nullopt;
  return time;
}

}  // namespace

std::vector<std::optional<std::int64_t>> commit_times(const Submission& submission,
                                                      const std::vector<CollectedFile>& files,
                                                      const fs::path& scratch) {
  std::vector<std::optional<std::int64_t>> times(files.size());
  std::error_code error;
  // Without .git, git would go up and find a repository of the teacher's.
  if (submission.is_file ||
      !fs::is_directory(fs::symlink_status(submission.path / ".git", error))) {
    return times;
  }
  const std::string copy = (scratch / "repository").string();
  const auto cloned = git({"clone", "--quiet", "--bare", "--no-local", "--template=", "--",
                           fs::absolute(submission.path, error).string(), copy});
  if (!cloned) return times;
  for (std::size_t k = 0; k < files.size(); ++k) {
    times[k] = commit_time(copy, files[k], scratch / "file");
  }
  fs::remove_all(copy, error);
  return times;
}

}  // namespace course::tool::grading
