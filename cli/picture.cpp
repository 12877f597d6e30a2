#include "picture.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "console/terminal.hpp"
#include "host/build.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"

namespace course::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> access_options{"--line", "--file",        "--kernel",
                                                         "--kind", "--instruction", "--out"};
constexpr std::array<std::string_view, 3> timeline_options{"--from", "--to", "--out"};
constexpr std::array<std::string_view, 6> known_kinds{
    "global_load", "global_store", "global_atomic", "shared_load", "shared_store", "shared_atomic"};

template <class List>
bool contains(const List& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_positive_number(const std::string& text) {
  return !text.empty() && text.size() < 10 && text[0] != '0' &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

bool is_moment(const std::string& text) {
  return !text.empty() && text.size() < 16 &&
         text.find_first_not_of("0123456789.") == std::string::npos && text != "." &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

[[noreturn]] void refuse(const std::string& why) {
  throw Failure("picture: " + why + " (see ./course picture --help)", status_refused);
}

void check_value(const std::string& name, const std::string& value) {
  const bool is_number = name == "--line" || name == "--instruction";
  if (is_number && !is_positive_number(value)) {
    refuse(name + " wants a whole number from 1 on, got '" + value + "'");
  }
  if (name == "--kind" && !contains(known_kinds, value)) {
    refuse(
        "--kind wants global_load, global_store, global_atomic, shared_load, shared_store or "
        "shared_atomic, got '" +
        value + "'");
  }
  if ((name == "--from" || name == "--to") && !is_moment(value)) {
    refuse(name + " wants a number from 0 on, got '" + value + "'");
  }
  if (value.empty()) refuse(name + " wants a value, got ''");
}

/// A child's output, line by line in the order in which it came.
using Output = std::vector<std::pair<Stream, std::string>>;

/// Runs the program so that it writes what is to be drawn.
ExitStatus run_reporting(const Drawable& drawable, const Picture& picture, const fs::path& report,
                         Output& output, Progress& progress) {
  RunOptions run_options;
  run_options.folder = drawable.folder;
  if (!picture.recorder.empty()) {
    run_options.environment = {{"CUDA_INJECTION64_PATH", picture.recorder.string()},
                               {"COURSE_TIMELINE", report.string()}};
  } else {
    const bool is_timeline = picture.subject == Picture::Subject::timeline;
    run_options.environment = {
        {is_timeline ? "EMULATOR_TIMELINE" : "EMULATOR_REPORT", report.string()}};
  }
  progress.begin("running " + drawable.name);
  const ExitStatus status = run_process(
      drawable.command,
      [&](Stream stream, std::string_view line) { output.emplace_back(stream, line); },
      [&](std::chrono::milliseconds elapsed) { progress.update(duration_text(elapsed)); },
      run_options);
  progress.done();
  return status;
}

}  // namespace

void require_python(const std::string& command) {
  try {
    const ExitStatus status =
        run_process({"python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"},
                    [](Stream, std::string_view) {});
    if (status.ok()) return;
  } catch (const Failure&) {
    // It cannot be started.
  }
  throw Failure(command + " needs python3, version 3.9 or newer, in PATH (Debian: python3)",
                status_refused);
}

std::vector<std::string> picture_options() {
  std::vector<std::string> names{"--timeline"};
  for (const std::string_view name : access_options) names.emplace_back(name);
  for (const std::string_view name : timeline_options) {
    if (!contains(names, std::string(name))) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> take_chapter_options(std::vector<std::string>& words) {
  std::vector<std::string> own;
  std::vector<std::string> chapters;
  std::vector<std::string>* those = &own;
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with('-')) {
      const bool is_own = contains(access_options, name) || contains(timeline_options, name) ||
                          name == "--timeline" || name == "--fast";
      those = is_own ? &own : &chapters;
    }
    those->push_back(word);
  }
  words = own;
  return chapters;
}

void check_picture_options(const Picture& picture) {
  const bool is_timeline = picture.subject == Picture::Subject::timeline;
  const std::vector<std::string>& options = picture.options;
  bool has_line = false;
  bool has_out = false;
  for (std::size_t k = 0; k < options.size(); ++k) {
    const std::size_t equals = options[k].find('=');
    const std::string name = options[k].substr(0, equals);
    if (!(is_timeline ? contains(timeline_options, name) : contains(access_options, name))) {
      const bool is_other = contains(timeline_options, name) || contains(access_options, name);
      refuse(is_other ? name + (is_timeline ? " is not for a --timeline" : " wants a --timeline")
                      : "unknown option '" + name + "'");
    }
    if (equals != std::string::npos) {
      check_value(name, options[k].substr(equals + 1));
    } else {
      if (k + 1 == options.size()) refuse(name + " wants a value");
      check_value(name, options[++k]);
    }
    has_line = has_line || name == "--line";
    has_out = has_out || name == "--out";
  }
  if (has_out && !has_line && !is_timeline) refuse("--out wants a --line to draw");
}

bool names_timeline(const std::string& word) {
  return word.size() > 5 && word.ends_with(".json");
}

int draw_file(const Checkout& checkout, const fs::path& file, const Picture& picture,
              std::ostream& out, std::ostream& err) {
  const std::string who =
      picture.subject == Picture::Subject::timeline ? "timeline_picture.py" : "access_picture.py";
  std::vector<std::string> command{
      "python3", "-B", (checkout.source_dir / "emulator" / "tools" / "picture" / who).string(),
      file.string()};
  command.insert(command.end(), picture.options.begin(), picture.options.end());
  // Not to where one happens to be: pictures would be among the sources.
  const fs::path pictures = checkout.build_dir / "pictures";
  std::error_code ignored;
  fs::create_directories(pictures, ignored);
  command.insert(command.end(), {"--folder", shown_path(pictures)});
  RunOptions run_options;  // its list is to fit, and cannot see the screen
  if (const std::size_t width = line_width(STDOUT_FILENO); width != any_width) {
    run_options.environment = {{"COLUMNS", std::to_string(width)}};
  }
  std::vector<std::string> complaints;
  const ExitStatus drawn = run_process(
      command,
      [&](Stream stream, std::string_view line) {
        if (stream == Stream::out) {
          out << line << '\n';
        } else {
          complaints.emplace_back(line);
        }
      },
      {}, run_options);
  out << std::flush;
  if (drawn.signal == 0 && drawn.code == status_refused && complaints.size() == 1) {
    std::string why = complaints.front();
    if (why.starts_with(who + ": ")) why.erase(0, who.size() + 2);
    throw Failure("picture: " + why, status_refused);
  }
  for (const std::string& line : complaints) err << line << '\n';
  return drawn.signal == 0 ? drawn.code : status_failed;
}

int draw_picture(const Checkout& checkout, const Chapter& chapter, const Picture& picture,
                 const std::vector<std::string>& chapter_options, std::ostream& out,
                 std::ostream& err, Progress& progress) {
  require_python();
  const BuildOutcome build = build_program(checkout, chapter.target, chapter.program, progress);
  if (!build.ok) {
    for (const std::string& line : build.errors) err << line << '\n';
    throw Failure(chapter.target + " failed; the whole log: " + shown_path(build.log));
  }

  Drawable drawable;
  drawable.name = chapter.name;
  drawable.command = {chapter.program.string()};
  drawable.command.insert(drawable.command.end(), chapter_options.begin(), chapter_options.end());
  return draw_report(checkout, drawable, picture, out, err, progress);
}

int draw_report(const Checkout& checkout, const Drawable& drawable, const Picture& picture,
                std::ostream& out, std::ostream& err, Progress& progress) {
  const ScratchFolder folder("course-picture");
  const fs::path report = folder.path() / "report.json";
  Output output;
  const ExitStatus ended = run_reporting(drawable, picture, report, output, progress);
  const bool is_drawable =
      ended.ok() || (drawable.may_fail && ended.signal == 0 && ended.code == status_failed);
  if (!is_drawable) {
    for (const auto& [stream, line] : output) (stream == Stream::out ? out : err) << line << '\n';
    out << std::flush;
    throw Failure(drawable.name + " did not end well, and nothing was drawn: " + ended.text(),
                  ended.code != 0 ? ended.code : status_failed);
  }

  if (!fs::exists(report)) {
    throw Failure(drawable.name + " wrote nothing that could be drawn: does it call CUDA?");
  }
  Picture named = picture;
  if (picture.subject == Picture::Subject::timeline) {
    // What runs may be a temporary file, or be called "check".
    named.options.insert(named.options.end(), {"--name", fs::path(drawable.name).stem().string()});
  }
  return draw_file(checkout, report, named, out, err);
}

}  // namespace course::tool
