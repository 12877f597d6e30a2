#include "observers/checks/finding_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/listing_text.hpp"
#include "base/screen.hpp"
#include "base/source_files.hpp"
#include "base/words.hpp"

namespace emulator::checks {
namespace {

constexpr std::size_t indent = 2;

// The last `count` parts of a path.
std::string last_parts(const std::string& file, std::size_t count) {
  std::size_t begin = file.size();
  while (count-- > 0 && begin > 0) {
    const std::size_t slash = file.rfind('/', begin - 1);
    if (slash == std::string::npos) return file;
    begin = slash;
  }
  return begin == 0 ? file : file.substr(begin + 1);
}

// Names for the files of a finding: as short as tells them apart.
class FileNames {
 public:
  FileNames(const Finding& finding, const std::string& folder) {
    std::vector<std::string> elsewhere;
    const auto take = [&](const FindingPlace& place) {
      if (!folder.empty() && place.file.starts_with(folder + "/")) {
        names_[place.file] = place.file.substr(folder.size() + 1);
      } else if (names_.emplace(place.file, place.file).second) {
        elsewhere.push_back(place.file);
      }
    };
    take(finding.place);
    for (const FindingPlace& place : finding.others) take(place);
    for (std::size_t parts = 1; parts < 100; ++parts) {
      for (const std::string& file : elsewhere) names_[file] = last_parts(file, parts);
      if (all_differ()) break;
    }
  }

  const std::string& of(const std::string& file) const { return names_.at(file); }

 private:
  bool all_differ() const {
    std::vector<std::string> names;
    for (const auto& [file, name] : names_) names.push_back(name);
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
  }

  std::map<std::string, std::string> names_;
};

// Where in its memory the access lies.
std::string access_text(const Finding& finding) {
  const std::int64_t begin = finding.offset;
  const auto width = static_cast<std::int64_t>(finding.access_bytes);
  const auto size = static_cast<std::int64_t>(finding.bytes);
  std::string text =
      width == 1 ? "byte " + std::to_string(begin)
                 : "bytes " + std::to_string(begin) + " to " + std::to_string(begin + width - 1);
  if (width > 1 && begin % width == 0) {
    text += " (element " + std::to_string(begin / width) + ", if elements have " +
            std::to_string(width) + " bytes)";
  }
  const auto distance = [](std::int64_t bytes) {
    return bytes == 0 ? std::string("just") : counted_bytes(static_cast<std::uint64_t>(bytes));
  };
  if (begin + width <= 0) return text + ", " + distance(-(begin + width)) + " before its start";
  if (size != 0 && begin >= size) return text + ", " + distance(begin - size) + " past its end";
  if (begin < 0) return text + ", partly before its start";
  if (size != 0 && begin + width > size) return text + ", partly past its end";
  return text;
}

class Text {
 public:
  explicit Text(const FindingStyle& style) : style_(style) {}

  void head(const Finding& finding) {
    const std::string severity = std::string("emulator: ") + name_of(finding.severity) + ":";
    std::string lines = broken(severity + " " + finding.kind + ": " + finding.what, 0, indent);
    lines.replace(0, severity.size(), coloured(severity, colour_of(finding.severity)));
    text_ += lines;
  }

  void place(const FindingPlace& place, const std::string& name, const std::string& event) {
    if (place.line == 0) {
      if (!event.empty()) line("at an unknown place: " + event);
      return;
    }
    const std::string where = name + ":" + std::to_string(place.line);
    std::string lines = broken(event.empty() ? where : where + ": " + event, indent, indent);
    const std::size_t begin = lines.find(where);
    if (begin != std::string::npos) lines.replace(begin, where.size(), coloured(where, "1"));
    text_ += lines;
    source(place);
  }

  void line(const std::string& content) { text_ += broken(content, indent, indent); }

  std::string take() { return std::move(text_); }

 private:
  static const char* colour_of(Severity severity) {
    if (severity == Severity::error) return "1;31";
    return severity == Severity::warning ? "1;35" : "1;36";
  }

  std::string coloured(const std::string& content, const char* colour) const {
    return style_.colour ? std::string("\033[") + colour + "m" + content + "\033[0m" : content;
  }

  std::string broken(const std::string& content, std::size_t margin, std::size_t hanging) const {
    std::string lines;
    for (const std::string& piece : wrap(printable(content), style_.width - margin, hanging)) {
      lines += std::string(margin, ' ') + piece + "\n";
    }
    return lines;
  }

  // The line itself, if its file is still there.
  void source(const FindingPlace& place) {
    const std::vector<std::string>* const lines = sources_.find(place.file);
    const auto number = static_cast<std::size_t>(place.line);
    if (lines == nullptr || number == 0 || number > lines->size()) return;
    const std::string& whole = (*lines)[number - 1];
    const std::size_t first = whole.find_first_not_of(' ');
    if (first == std::string::npos) return;
    std::string margin = "    " + std::to_string(number) + " | ";
    for (const auto& piece : wrap(whole.substr(first), style_.width - margin.size(), 4)) {
      text_ += margin + piece + "\n";
      margin = std::string(margin.size() - 2, ' ') + "| ";
    }
  }

  const FindingStyle& style_;
  SourceFiles sources_;
  std::string text_;
};

}  // namespace

FindingStyle style_of_stderr() {
  FindingStyle style;
  const ListingStyle screen = style_of(STDERR_FILENO);
  style.width = screen.width;
  style.colour = screen.colour;
  std::error_code error;
  style.folder = std::filesystem::current_path(error).string();
  return style;
}

std::string finding_text(const Finding& finding, const FindingStyle& style) {
  const FileNames names(finding, style.folder);
  Text text(style);
  text.head(finding);

  const std::string thread =
      finding.in_kernel ? thread_text(finding.thread, finding.block) : std::string();
  const auto tells = [&](const FindingPlace& place) {
    return place.event.find(thread) != std::string::npos;
  };
  const bool tells_thread =
      tells(finding.place) || std::any_of(finding.others.begin(), finding.others.end(), tells);
  std::string event = finding.place.event;
  if (!tells_thread) event += (event.empty() ? "" : ", ") + thread;
  text.place(finding.place, names.of(finding.place.file), event);
  for (const FindingPlace& other : finding.others) {
    text.place(other, names.of(other.file), other.event);
  }

  if (!finding.kernel.empty()) text.line("kernel: " + finding.kernel);
  if (!finding.memory.empty()) {
    text.line("memory: " + finding.memory +
              (finding.access_bytes != 0 ? ": " + access_text(finding) : ""));
  }
  if (finding.times > 1) text.line("found " + std::to_string(finding.times) + " times");
  if (!finding.remedy.empty()) text.line("to fix it: " + finding.remedy);
  return text.take();
}

}  // namespace emulator::checks

namespace emulator {

std::string without_repeats(const std::string& printed, std::set<std::string>& shown) {
  std::istringstream stream(printed);
  std::string result;
  std::string finding;  // the one that is being read: its first line, those below it, a blank line
  std::string name;     // its first line, up to what happened
  std::string place;
  std::set<std::string> again;
  const auto end_finding = [&] {
    if (finding.empty()) return;
    const bool is_new = place.empty() || shown.insert(name + place).second;
    if (is_new) {
      result += finding;
    } else if (again.insert(name + place).second) {  // each place once
      result += name + " again at " + place + ", as described above\n";
    }
    finding.clear();
    place.clear();
  };
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("emulator: error: ") || line.starts_with("emulator: warning: ")) {
      end_finding();
      const std::size_t kind = line.find(": ", std::string_view("emulator: ").size()) + 2;
      name = line.substr(0, line.find(':', kind));
      finding = line + "\n";
    } else if (finding.empty()) {
      result += line + "\n";
    } else {
      // "  residual.cu:14: read by thread (1,0,0) of block (0,0,0)"
      const std::size_t number = line.find(".cu:");
      if (place.empty() && number != std::string::npos) {
        place = line.substr(2, line.find(':', number + 4) - 2);
      }
      finding += line + "\n";
      if (line.empty()) end_finding();
    }
  }
  end_finding();
  return result;
}

}  // namespace emulator
