#include "host/progress.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace course::tool {

std::optional<BuildStep> parse_build_step(std::string_view line) {
  const std::size_t end = line.find(']');
  if (line.empty() || line.front() != '[' || end == std::string_view::npos) return std::nullopt;
  std::string reached;
  bool has_digit = false;
  bool has_mark = false;
  for (const char c : line.substr(1, end - 1)) {
    if (c == ' ') continue;
    has_digit = has_digit || std::isdigit(static_cast<unsigned char>(c));
    has_mark = has_mark || c == '/' || c == '%';
    if (!std::isdigit(static_cast<unsigned char>(c)) && c != '/' && c != '%') return std::nullopt;
    reached += c;
  }
  if (!has_digit || !has_mark) return std::nullopt;
  std::string_view what = line.substr(end + 1);
  while (!what.empty() && what.front() == ' ') what.remove_prefix(1);
  return BuildStep{reached, std::string(what)};
}

bool makes_something(const BuildStep& step) {
  return !step.what.starts_with("Re-checking ") && !step.what.starts_with("Built target ");
}

std::string step_text(const BuildStep& step) {
  // "Building CXX object cli/CMakeFiles/course.dir/exercises/check.cpp.o"
  const std::string_view what = step.what;
  const std::string_view file = what.substr(what.rfind(' ') + 1);
  if (what.starts_with("Linking ")) return "linking " + std::string(file);
  if (!what.starts_with("Building ") || !file.ends_with(".o")) return step.what;
  std::string name(file.substr(0, file.size() - 2));
  constexpr std::string_view folder = "CMakeFiles/";
  const std::size_t begin = name.find(folder);
  const std::size_t end = name.find(".dir/", begin);
  if (begin != std::string::npos && end != std::string::npos) name.erase(begin, end + 5 - begin);
  return "compiling " + name;
}

void RunningSteps::add(const BuildStep& step) {
  last_ = step;
  const auto found = std::find_if(running_.begin(), running_.end(),
                                  [&](const BuildStep& other) { return other.what == step.what; });
  if (found == running_.end()) {
    running_.push_back(step);
  } else {
    running_.erase(found);
  }
}

std::string RunningSteps::text() const {
  return step_text(running_.empty() ? last_ : running_.front());
}

std::string duration_text(std::chrono::milliseconds duration) {
  const auto seconds = duration.count() / 1000;
  if (seconds < 60) return std::to_string(seconds) + " s";
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%lld min %02lld s", static_cast<long long>(seconds / 60),
                static_cast<long long>(seconds % 60));
  return text.data();
}

void Progress::begin(const std::string& step) {
  done();
  step_ = step;
}

void Progress::update(const std::string& detail, Clock::time_point now) {
  if (step_.empty()) return;
  if (is_terminal_) {
    const std::string line = (step_ + ' ' + detail).substr(0, width_ - 1);
    if (line == shown_) return;
    out_ << "\r\033[K" << line << std::flush;
    shown_ = line;
    return;
  }
  if (shown_.empty()) {
    shown_ = step_;
    out_ << step_ << std::endl;
  } else if (now - last_ >= std::chrono::seconds(10)) {
    out_ << step_ << ' ' << detail << std::endl;
  } else {
    return;
  }
  last_ = now;
}

void Progress::done() {
  if (is_terminal_ && !shown_.empty()) out_ << "\r\033[K" << std::flush;
  step_.clear();
  shown_.clear();
}

}  // namespace course::tool
