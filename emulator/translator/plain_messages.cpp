#include "plain_messages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <vector>

namespace emulator {
namespace {

constexpr std::array<std::string_view, 4> sentences = {launch_does_not_fit, parameters_too_large,
                                                       shared_too_large, constants_too_large};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// `   12 |   source` or `      |   ~~^~~`
bool is_source(std::string_view line) {
  const std::size_t bar = line.find_first_not_of(" 0123456789+-");
  return bar != std::string_view::npos && bar > 0 && line[bar] == '|';
}

bool is_message(std::string_view line) {
  return contains(line, ": error: ") || contains(line, ": warning: ") || contains(line, ": note: ");
}

// `file.cu:12` of `file.cu:12:5: ...`
std::string place_of(std::string_view line) {
  for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    const std::size_t end = line.find_first_not_of("0123456789", at + 1);
    if (end != std::string_view::npos && end > at + 1 && line[end] == ':') {
      return std::string(line.substr(0, end));
    }
  }
  return "";
}

}  // namespace

std::string without_colours(std::string_view line) {
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1B') {
      result += line[i];
      continue;
    }
    while (i < line.size() && line[i] != 'm' && line[i] != 'K') ++i;
  }
  return result;
}

std::string with_plain_messages(std::string_view output) {
  std::vector<std::string_view> lines;
  std::vector<std::string> plain;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size() - 1);
    lines.push_back(output.substr(begin, end + 1 - begin));
    plain.push_back(without_colours(output.substr(begin, end - begin)));
    begin = end + 1;
  }
  std::set<std::string> said;
  std::string result;
  std::size_t kept = 0;  // lines up to here are dealt with
  for (std::size_t i = 0; i < plain.size(); ++i) {
    std::string_view sentence;
    for (const std::string_view one : sentences) {
      if (contains(plain[i], one) && contains(plain[i], ": error: ")) sentence = one;
    }
    if (sentence.empty()) continue;
    std::size_t first = i;
    while (first > kept && !is_message(plain[first - 1]) && !is_source(plain[first - 1])) --first;
    std::string place = place_of(plain[i]);
    if (sentence == launch_does_not_fit) {
      // What asked for it: the launch.
      place.clear();
      for (std::size_t at = first; at < i; ++at) {
        if (plain[at].ends_with("required from here")) place = place_of(plain[at]);
      }
    }
    if (place.empty()) continue;
    for (; kept < first; ++kept) result += lines[kept];
    const std::string line = place + ": error: " + std::string(sentence) + '\n';
    if (said.insert(line).second) result += line;
    kept = i + 1;
    while (kept < plain.size() && (is_source(plain[kept]) || contains(plain[kept], ": note: "))) {
      ++kept;
    }
    i = kept - 1;
  }
  for (; kept < lines.size(); ++kept) result += lines[kept];
  return result;
}

}  // namespace emulator
