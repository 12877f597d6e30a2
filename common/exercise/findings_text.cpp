#include "exercise/findings_text.hpp"

#include <set>
#include <sstream>

namespace course::exercise::detail {
namespace {

/// A finding of the emulator's as it is printed: its first line, the lines below it, a blank line.
bool begins_finding(const std::string& line) {
  return line.starts_with("emulator: error: ") || line.starts_with("emulator: warning: ");
}

/// Says of findings that an earlier case has shown in full no more than that they are there again.
std::string without_repeats(const std::string& text) {
  static std::set<std::string> shown;  // kinds and places
  std::istringstream stream(text);
  std::string result;
  std::string finding;
  std::string name;  // its first line, up to what happened
  std::string place;
  const auto end_finding = [&] {
    if (finding.empty()) return;
    const bool is_new = place.empty() || shown.insert(name + place).second;
    result += is_new ? finding : name + " again at " + place + ", as described above\n";
    finding.clear();
    place.clear();
  };
  for (std::string line; std::getline(stream, line);) {
    if (begins_finding(line)) {
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

}  // namespace

std::string worth_showing(const std::string& errors) {
  std::istringstream stream(errors.substr(0, most_output));
  std::string text;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("warning: cuda")) continue;
    text += line + "\n";
  }
  text = without_repeats(text);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (errors.size() > most_output) text += "\n...";
  return text;
}

}  // namespace course::exercise::detail
