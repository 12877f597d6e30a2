#include "compiler/diagnose/plain_messages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <vector>

#include "compiler/text/colours.hpp"
#include "compiler/text/token_text.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::contains;
using text::without_colours;

constexpr std::array<std::string_view, 4> sentences = {launch_does_not_fit, parameters_too_large,
                                                       shared_too_large, constants_too_large};

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

struct MessageLines {
  std::vector<std::string_view> as_they_are;
  std::vector<std::string> plain;  // without colours and the line's end
};

MessageLines lines_of(std::string_view output) {
  MessageLines lines;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size() - 1);
    lines.as_they_are.push_back(output.substr(begin, end + 1 - begin));
    lines.plain.push_back(without_colours(output.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

// Leaves out what follows "no matching function for call to 'atomicAdd(char*, int)'" where it is
// more than a few candidates: the reader knows the function, and has its name and the types.
std::string without_candidates(std::string_view output) {
  constexpr std::size_t few = 4;
  const MessageLines lines = lines_of(output);
  std::string result;
  for (std::size_t i = 0; i < lines.plain.size();) {
    result += lines.as_they_are[i];
    if (!contains(lines.plain[i++], ": error: no matching function for call to ")) continue;
    for (; i < lines.plain.size() && is_source(lines.plain[i]); ++i) result += lines.as_they_are[i];
    std::size_t candidates = 0;
    std::size_t end = i;
    for (; end < lines.plain.size(); ++end) {
      const std::string& line = lines.plain[end];
      const bool belongs = is_source(line) || contains(line, ": note: ") ||
                           line.starts_with("In file included from ") ||
                           line.starts_with("                 from ");
      if (!belongs) break;
      if (contains(line, ": note: candidate: ")) ++candidates;
    }
    for (; candidates <= few && i < end; ++i) result += lines.as_they_are[i];
    i = end;
  }
  return result;
}

// "call to 'nvcuda::wmma::fragment<...>::fragment' declared with attribute error: tensor cores are
// not modelled" becomes the sentence after the last colon, once a line of the source.
std::string with_plain_refusals(std::string_view output) {
  constexpr std::string_view before_sentence = " declared with attribute error: ";
  const MessageLines lines = lines_of(output);
  std::set<std::string> said;
  std::string result;
  for (std::size_t i = 0; i < lines.plain.size(); ++i) {
    const std::string& line = lines.plain[i];
    const std::size_t sentence = line.find(before_sentence);
    const std::string place = place_of(line);
    if (sentence == std::string::npos || place.empty() || !contains(line, ": error: ")) {
      result += lines.as_they_are[i];
      continue;
    }
    const std::string text = ": error: " + line.substr(sentence + before_sentence.size()) + '\n';
    if (said.insert(place + text).second) result += place + text;
    while (i + 1 < lines.plain.size() && is_source(lines.plain[i + 1])) ++i;
  }
  return result;
}

}  // namespace

std::string simplify_messages(std::string_view all_output) {
  const std::string output = with_plain_refusals(without_candidates(all_output));
  const auto [lines, plain] = lines_of(output);
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

}  // namespace emulator::compiler::diagnose
