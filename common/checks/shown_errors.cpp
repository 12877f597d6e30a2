#include "checks/shown_errors.hpp"

#include <cuda_runtime.h>

#include <set>
#include <sstream>

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

}  // namespace

std::string worth_showing(const std::string& errors) {
  std::istringstream stream(errors.substr(0, shown_length(errors)));
  std::string text;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("warning: cuda")) continue;
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

}  // namespace course::exercise::detail
