#include "grader/submission/collect.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;
using State = CollectedFile::State;

/// A file descriptor, closed at the end of its life.
class Handle {
 public:
  explicit Handle(int number) : number_(number) {}
  Handle(Handle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Handle() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

std::string kind_of(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no ordinary file";
}

CollectedFile unreadable(const std::string& shown) {
  return {State::unreadable, shown + " cannot be read: " + std::strerror(errno), ""};
}

/// " (there is Residual.cu)", if a name differs only in upper and lower case.
std::string similar_name(int folder, const std::string& name) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return "";
  DIR* const entries = fdopendir(copy);
  if (entries == nullptr) {
    close(copy);
    return "";
  }
  std::string found;
  while (const dirent* const entry = readdir(entries)) {
    if (strcasecmp(entry->d_name, name.c_str()) == 0) found = entry->d_name;
  }
  closedir(entries);
  return found.empty() ? "" : " (there is " + found + ", which is another name)";
}

/// Reads an ordinary file that has been looked at; `known` is what it was then.
CollectedFile read(int folder, const std::string& name, const std::string& shown,
                   const struct stat& known) {
  const Handle file(
      openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.is_open()) {
    return unreadable(shown);
  }
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_ino != known.st_ino || status.st_dev != known.st_dev) {
    return {State::unreadable, shown + " changed while it was read", ""};
  }
  std::string text;
  std::array<char, 1 << 14> buffer{};
  while (text.size() <= largest_source) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(shown);
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  if (text.size() > largest_source) {
    return {State::too_large,
            shown + " is larger than " + std::to_string(largest_source / 1024) + " KiB", ""};
  }
  if (text.find_first_not_of(" \t\r\n\v\f") == std::string::npos) {
    return {State::not_text, shown + " is empty", ""};
  }
  if (text.find('\0') != std::string::npos) {
    return {State::not_text, shown + " is not plain text (UTF-16, or no text at all)", ""};
  }
  return {State::found, "", std::move(text), shown, status.st_mtime};
}

/// Follows a path from a folder, step by step. State::missing, with no reason, if it leads nowhere.
CollectedFile look(int submission, const fs::path& path) {
  Handle folder(openat(submission, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return unreadable("what was handed in");
  fs::path so_far;
  for (const fs::path& step : path) {
    so_far /= step;
    Handle next(openat(folder.number(), step.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!next.is_open()) {
      if (errno == ENOENT || errno == ENOTDIR) return {};
      return unreadable(so_far.string());
    }
    struct stat status {};
    if (fstat(next.number(), &status) != 0) return unreadable(so_far.string());
    const bool is_last = so_far == path;
    if (S_ISLNK(status.st_mode) || (is_last && !S_ISREG(status.st_mode))) {
      return {State::not_a_file, so_far.string() + " is " + kind_of(status.st_mode), ""};
    }
    if (is_last) return read(folder.number(), step.string(), path.string(), status);
    folder = std::move(next);
  }
  return {};
}

}  // namespace

std::string name_of(State state) {
  switch (state) {
    case State::found:
      return "found";
    case State::missing:
      return "missing";
    case State::not_a_file:
      return "not a file";
    case State::too_large:
      return "too large";
    case State::not_text:
      return "not text";
    case State::unreadable:
      return "not graded";
  }
  return "missing";
}

CollectedFile collect(const fs::path& submission, const Exercise& exercise) {
  const Handle folder(open(submission.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.is_open()) {
    if (errno == ENOENT) return {State::missing, "nothing was handed in", ""};
    if (errno != ENOTDIR && errno != ELOOP) return unreadable("what was handed in");
    return {State::not_a_file, "what was handed in is not a folder", ""};
  }
  const fs::path places[] = {fs::path("exercises") / exercise.name / exercise.file,
                             fs::path(exercise.name) / exercise.file, exercise.file};
  for (const fs::path& place : places) {
    CollectedFile found = look(folder.number(), place);
    if (found.state != State::missing) return found;
  }
  std::string similar;
  for (const fs::path& place : places) {
    const Handle parent(openat(folder.number(),
                               place.has_parent_path() ? place.parent_path().c_str() : ".",
                               O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (similar.empty() && parent.is_open()) similar = similar_name(parent.number(), exercise.file);
  }
  return {State::missing, "there is no " + exercise.file + similar, ""};
}

CollectedFile collect_file(const fs::path& file) {
  const fs::path parent = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const Handle folder(open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open() && errno != ENOENT) return unreadable("what was handed in");
  if (!folder.is_open()) return {State::missing, "nothing was handed in", ""};
  CollectedFile found = look(folder.number(), file.filename());
  if (found.state == State::missing) found.reason = "nothing was handed in";
  return found;
}

}  // namespace course::tool::grading
