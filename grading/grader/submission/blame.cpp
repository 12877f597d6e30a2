#include "grader/submission/blame.hpp"

#include <signal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace course::tool::grading {
namespace {

using Lines = std::vector<std::string>;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// What a machine in distress has its programs say. It ends a line, as strerror()'s words do.
constexpr std::array<std::string_view, 13> distress{"No space left on device",
                                                    "Disk quota exceeded",
                                                    "Cannot allocate memory",
                                                    "Input/output error",
                                                    "Read-only file system",
                                                    "Too many open files",
                                                    "Too many open files in system",
                                                    "Resource temporarily unavailable",
                                                    "Text file busy",
                                                    "Stale file handle",
                                                    "Interrupted system call",
                                                    "Bad file descriptor",
                                                    "Broken pipe"};

bool tells_of_distress(std::string_view line) {
  while (!line.empty() && (line.back() == '\'' || line.back() == '.' || line.back() == ')')) {
    line.remove_suffix(1);
  }
  return std::any_of(distress.begin(), distress.end(),
                     [&](std::string_view words) { return line.ends_with(words); });
}

/// What follows "FILE:12:5: " or "FILE:12: "; nothing if a line does not begin like this.
std::optional<std::string_view> after_place(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos && colon != 0;
       colon = line.find(':', colon + 1)) {
    std::size_t at = colon + 1;
    int numbers = 0;
    for (; numbers < 2 && at < line.size() && is_digit(line[at]); ++numbers) {
      while (at < line.size() && is_digit(line[at])) ++at;
      if (at == line.size() || line[at] != ':') return std::nullopt;
      ++at;
    }
    if (numbers > 0 && at < line.size() && line[at] == ' ') return line.substr(at + 1);
  }
  return std::nullopt;
}

/// An error that the compiler has found at a line of a source. A header that could not be read is
/// one, unless the machine was to blame.
bool is_error_in_a_source(std::string_view line) {
  const auto rest = after_place(line);
  if (!rest) return false;
  if (rest->starts_with("error: ")) return true;
  return rest->starts_with("fatal error: ") && !tells_of_distress(*rest);
}

/// Ended by this signal, or says so for a program that it has started. bubblewrap and shells say it
/// by 128 and the signal's number; a compiler's driver by words.
bool ended_by(int signal, std::string_view words, const ExitStatus& status, const Lines& output) {
  if (status.signal == signal || status.code == 128 + signal) return true;
  return std::any_of(output.begin(), output.end(), [&](const std::string& line) {
    return contains(line, std::string(words) + " signal terminated program");
  });
}

/// The mebibytes in "emulator-compile: the compiler took 2954 MiB of memory"; 0 if it says nothing.
long long memory_taken(const Lines& output) {
  constexpr std::string_view before = "emulator-compile: the compiler took ";
  for (const std::string& line : output) {
    if (!line.starts_with(before)) continue;
    long long number = 0;
    std::from_chars(line.data() + before.size(), line.data() + line.size(), number);
    return number;
  }
  return 0;
}

}  // namespace

std::optional<std::string> proven_limit(const ExitStatus& status, const Lines& output) {
  // Nobody else sends these two signals.
  if (ended_by(SIGXCPU, "CPU time limit exceeded", status, output)) return "time of the processor";
  if (ended_by(SIGXFSZ, "File size limit exceeded", status, output)) return "size of its output";
  if (!status.ok() && !status.timed_out && memory_taken(output) >= blamed_mebibytes) {
    return "memory";
  }
  return std::nullopt;
}

std::optional<std::string> breakdown(const ExitStatus& status, const Lines& output) {
  if (status.ok() || status.timed_out) return std::nullopt;
  constexpr std::string_view ended = " signal terminated program";
  for (const std::string& line : output) {
    if (contains(line, "Segmentation fault" + std::string(ended))) return line;
    if (contains(line, "internal compiler error: ") && !contains(line, ended)) return line;
    if (tells_of_distress(line) || contains(line, ended)) return std::nullopt;
  }
  return std::nullopt;
}

bool is_compiler_complaint(const ExitStatus& status, const Lines& output) {
  // 1 is what a compiler ends with that has found an error. A compiler that was killed may have
  // said something before, of a text that was cut off, say.
  if (status.signal != 0 || status.timed_out || status.code != 1) return false;
  return std::any_of(output.begin(), output.end(), is_error_in_a_source);
}

bool is_linker_complaint(const ExitStatus& status, const Lines& output) {
  if (status.signal != 0 || status.timed_out || status.code != 1) return false;
  return std::any_of(output.begin(), output.end(), [](const std::string& line) {
    return contains(line, "undefined reference to ") || contains(line, "multiple definition of ") ||
           contains(line, "relocation truncated to fit");
  });
}

std::string trouble_in(const ExitStatus& status, const Lines& output) {
  const auto first = [&](const auto& is_wanted) -> std::string {
    const auto found = std::find_if(output.begin(), output.end(), is_wanted);
    return found == output.end() ? "" : *found;
  };
  std::string line = first(tells_of_distress);
  if (line.empty()) {
    line = first([](const std::string& text) {
      return contains(text, "signal terminated program") || contains(text, "memory") ||
             contains(text, "internal compiler error");
    });
  }
  if (line.empty()) line = first([](const std::string& text) { return contains(text, "rror"); });
  return line.empty() ? status.text() : line;
}

}  // namespace course::tool::grading
