#include "checks/shown_errors.hpp"

#include <cuda_runtime.h>

#include <set>
#include <sstream>
#include <string_view>

#ifdef CUDA_EMULATOR
#include "emulator/findings.h"
#endif

namespace course::exercise::detail {

namespace {

/// How much is shown: a finding is cut only if it is the first, for one that was cut cannot be
/// referred to.
std::size_t shown_length(const std::string& errors) {
  if (errors.size() <= most_output) return errors.size();
  const std::size_t next = errors.rfind("\n\nemulator: ", most_output);
  return next == std::string::npos ? most_output : next + 1;
}

/// Whether a finding begins here that nobody wants to see.
bool begins_expected_warning(const std::string& line) {
  constexpr std::string_view start = "emulator: warning: ";
  return line.starts_with(start) && expected_warnings().contains(line.substr(
                                        start.size(), line.find(':', start.size()) - start.size()));
}

}  // namespace

std::set<std::string>& expected_warnings() {
  static std::set<std::string> kinds;
  return kinds;
}

std::string worth_showing(const std::string& errors) {
  std::istringstream stream(errors.substr(0, shown_length(errors)));
  std::string text;
  bool leaves_out = false;  // up to a blank line
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("warning: cuda")) continue;
    if (begins_expected_warning(line)) leaves_out = true;
    if (leaves_out) {
      leaves_out = !line.empty();
      continue;
    }
    text += line + "\n";
  }
#ifdef CUDA_EMULATOR
  static std::set<std::string> shown;
  text = emulator::without_repeats(text, shown);
#endif
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (errors.size() > most_output) text += "\n...";
  return text;
}

std::string errors_found([[maybe_unused]] const std::string& but) {
#ifdef CUDA_EMULATOR
  std::size_t errors = 0;
  std::string kinds;
  for (const emulator::Finding& finding : emulator::findings()) {
    if (finding.severity != emulator::Severity::error || finding.kind == but) continue;
    ++errors;
    if (kinds.find(finding.kind) == std::string::npos) {
      kinds += (kinds.empty() ? "" : ", ") + finding.kind;
    }
  }
  if (errors == 0) return "";
  return std::to_string(errors) + (errors == 1 ? " error (" : " errors (") + kinds + ")";
#else
  return "";
#endif
}

}  // namespace course::exercise::detail
