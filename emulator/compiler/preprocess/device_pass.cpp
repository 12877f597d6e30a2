#include "compiler/preprocess/device_pass.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/text/lexer.hpp"
#include "compiler/text/line_map.hpp"
#include "compiler/text/token_text.hpp"

namespace emulator::compiler::preprocess {
namespace {

using text::any_marker;
using text::lex;
using text::LexedText;
using text::LineMap;
using text::LineMarker;
using text::marker_for;
using text::nowhere;
using text::Position;
using text::TokenText;
using text::unquoted;

// The definition of a function that a device may call.
struct Definition {
  std::string head;       // its file, and its text up to the body
  std::size_t line = 0;   // where the head begins
  std::size_t begin = 0;  // token: the declaration's first; nowhere for a lambda
  std::size_t open = 0;   // token: the body's `{`
  std::size_t close = 0;  // token
  bool for_host = false;  // it has __host__, too

  // Its file, in quotes, and the word before its parameters.
  std::string name() const {
    const std::string before = head.substr(0, head.find(" ("));
    return head.substr(0, head.find('"', 1) + 1) + before.substr(before.rfind(' ') + 1);
  }
};

class PassText : public TokenText {
 public:
  explicit PassText(std::string_view text) : PassText(text, lex(text)) {}

  const std::vector<Definition>& definitions() const { return definitions_; }

  // The characters of tokens [first, last].
  std::pair<std::size_t, std::size_t> extent(std::size_t first, std::size_t last) const {
    return {tokens()[first].begin, tokens()[last].end};
  }

  // Tokens [first, last] as they are to be compiled: `__host__`, which only this pass has, is left
  // out.
  std::string plain(std::size_t first, std::size_t last) const {
    auto [at, end] = extent(first, last);
    std::string result;
    for (std::size_t i = first; i <= last; ++i) {
      if (!is(i, "__host__")) continue;
      result += text().substr(at, tokens()[i].begin - at);
      at = tokens()[i].end;
    }
    return result += text().substr(at, end - at);
  }

  std::string body(const Definition& definition) const {
    return plain(definition.open, definition.close);
  }

  // Whether the bodies are the same, white space aside.
  static bool same(const PassText& a, const Definition& x, const PassText& b, const Definition& y) {
    std::size_t j = y.open;
    for (std::size_t i = x.open; i <= x.close; ++i, ++j) {
      while (a.is(i, "__host__")) ++i;
      while (b.is(j, "__host__")) ++j;
      if (j > y.close || a.word(i) != b.word(j)) return false;
    }
    return j == y.close + 1;
  }

  Position position(std::size_t offset) const { return lines_.position(offset); }

  // A line marker for a place in the text, and blanks up to its column.
  std::string marker(std::size_t offset) const {
    const std::string result = marker_for(position(offset));
    return result.empty() ? " " : result;
  }

  // The first token of the declaration with token i: of `template <...> static`. Nowhere for a
  // lambda.
  std::size_t declaration_begin(std::size_t i) const {
    if (i > 0 && is(i - 1, "]")) return nowhere;
    while (i > 0 && !is_one_of(i - 1, ";{}:")) --i;
    return i;
  }

  // The opening braces around token i, the outermost first.
  std::vector<std::size_t> braces_around(std::size_t i) const {
    std::vector<std::size_t> result;
    std::size_t depth = 0;
    while (i-- > 0) {
      if (is(i, "}")) ++depth;
      if (is(i, "{") && depth-- == 0) {
        depth = 0;
        result.insert(result.begin(), i);
      }
    }
    return result;
  }

  // Whether there is a `{` at that place.
  bool has_brace(const Position& place) const {
    for (std::size_t i = 0; i < tokens().size(); ++i) {
      if (!is(i, "{")) continue;
      const Position here = position(tokens()[i].begin);
      if (here.line == place.line && here.file == place.file) return true;
    }
    return false;
  }

  // The token before which a definition of another pass has its place: the first of its file from
  // its line on. Nowhere if it is not between two declarations there.
  std::size_t place_for(const Position& place) const {
    for (std::size_t i = 0; i < tokens().size(); ++i) {
      const Position here = position(tokens()[i].begin);
      if (here.line < place.line || here.file != place.file) continue;
      return i == 0 || is_one_of(i - 1, ";{}:") ? i : nowhere;
    }
    return nowhere;
  }

 private:
  PassText(std::string_view text, LexedText lexed)
      : TokenText(text, std::move(lexed.tokens)), lines_(text, lexed.directives) {
    for (std::size_t i = 0; i < tokens().size(); ++i) {
      if (is_qualifier(i)) i = read_function(i);
    }
  }

  bool is_qualifier(std::size_t i) const {
    return is(i, "__global__") || is(i, "__device__") || is(i, "__host__");
  }

  // Notes the function whose first qualifier is token i. Returns the last token that was read.
  std::size_t read_function(std::size_t begin) {
    Definition definition;
    definition.begin = declaration_begin(begin);
    bool for_device = false;
    bool has_parameters = definition.begin == nowhere;  // a lambda may have none
    bool in_initialisers = false;                       // of a constructor
    for (std::size_t i = begin; i < tokens().size(); ++i) {
      if (const std::size_t next = skip_attribute(i); next != i) {
        i = next - 1;
      } else if (is_qualifier(i)) {
        if (is(i, "__host__")) {
          definition.for_host = true;
        } else if (!std::exchange(for_device, true)) {
          // What is before it the host's text may not have.
          const Position place = position(tokens()[i].begin);
          definition.head = place.file;
          definition.line = place.line;
        }
      } else if (is(i, ";") || closes(i)) {
        return i;
      } else if (is(i, "=") && !is(i - 1, "operator")) {
        return end_of_declaration(i);
      } else if (is(i, "{")) {
        const std::size_t close = closing(i);
        if (close == nowhere) return tokens().size();
        const bool member = in_initialisers && (is_identifier(i - 1) || is(i - 1, ">"));
        if (!member) {
          if (!has_parameters || !for_device) return has_parameters ? close : i;
          definition.open = i;
          definition.close = close;
          definitions_.push_back(std::move(definition));
          return close;
        }
        i = close;
      } else {
        in_initialisers |= has_parameters && is(i, ":");
        const std::size_t last = opens(i) ? closing(i) : i;
        if (last == nowhere) return tokens().size();
        has_parameters |= is(i, "(");
        for (; i <= last; ++i) definition.head.append(1, ' ').append(word(i));
        i = last;
      }
    }
    return tokens().size();
  }

  std::size_t end_of_declaration(std::size_t i) const {
    for (; i < tokens().size() && !is(i, ";"); ++i) {
      if (closes(i)) return i;
      if (opens(i)) i = closing(i);
      if (i == nowhere) break;
    }
    return i == nowhere ? tokens().size() : i;
  }

  const LineMap lines_;
  std::vector<Definition> definitions_;
};

}  // namespace

bool mentions_architecture(std::string_view preprocessed) {
  std::set<std::string> seen;
  return any_marker(preprocessed, [&](const LineMarker& marker, std::size_t) {
    if (marker.position.in_system_header) return false;
    const auto [name, is_new] = seen.emplace(unquoted(marker.position.file));
    // With -g the folder also has a marker.
    if (!is_new || !std::filesystem::is_regular_file(*name)) return false;
    std::ifstream file(*name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.find("__CUDA_ARCH__") != std::string::npos;
  });
}

namespace {

// The names by which a file includes others.
std::vector<std::string> included_names(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    const std::size_t open = line.find_first_of("<\"");
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (open == std::string::npos || close == std::string::npos) continue;
    const std::string before = line.substr(0, open);
    if (before.find('#') == std::string::npos || before.find("include") == std::string::npos)
      continue;
    names.push_back(line.substr(open + 1, close - open - 1));
  }
  return names;
}

using DefinitionIndex = std::map<std::string_view, std::vector<const Definition*>>;

// Takes the first definition with this head, in this line if one is given, out of those found.
const Definition* take(DefinitionIndex& found, const Definition& wanted, bool same_line) {
  const auto all = found.find(wanted.head);
  if (all == found.end()) return nullptr;
  const auto first = std::find_if(
      all->second.begin(), all->second.end(),
      [&](const Definition* definition) { return !same_line || definition->line == wanted.line; });
  if (first == all->second.end()) return nullptr;
  const Definition* const result = *first;
  all->second.erase(first);
  return result;
}

// What only the device's text has is a function, or a class or a namespace around it: the tokens
// [first, last] of its declaration.
std::pair<std::size_t, std::size_t> missing_part(const PassText& host, const PassText& device,
                                                 const Definition& definition) {
  for (const std::size_t open : device.braces_around(definition.begin)) {
    if (host.has_brace(device.position(device.tokens()[open].begin))) continue;
    std::size_t last = device.closing(open);
    if (device.is(last + 1, ";")) ++last;
    return {device.declaration_begin(open), last};
  }
  return {definition.begin, definition.close};
}

// What is to be written in place of the characters [begin, end).
struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string text;
};

Edit replacement(const PassText& host, const Definition& ours, const PassText& device,
                 const Definition& theirs) {
  const auto [begin, end] = host.extent(ours.open, ours.close);
  const auto [from, to] = device.extent(theirs.open, theirs.close);
  std::string text;
  if (theirs.for_host) {
    // The host's may be a constant expression, which knows nothing of devices.
    text = "{ if (__builtin_is_constant_evaluated() || !::emulator::for_device())" +
           host.marker(begin) + host.body(ours) + " else" + device.marker(from) +
           device.body(theirs) + " }";
  } else {
    const bool here = device.position(from).line == host.position(begin).line;
    text = (here ? "" : device.marker(from)) + device.body(theirs);
  }
  if (device.position(to).line != host.position(end).line) text += host.marker(end);
  return {begin, end, std::move(text)};
}

}  // namespace

std::vector<std::string> device_only_headers(std::string_view host, std::string_view device) {
  std::set<std::string_view> of_host;
  any_marker(host, [&](const LineMarker& marker, std::size_t) {
    of_host.insert(marker.position.file);
    return false;
  });
  // Some say of themselves, in a pragma, that they are the system's.
  std::set<std::string_view> of_system;
  any_marker(device, [&](const LineMarker& marker, std::size_t) {
    if (marker.position.in_system_header) of_system.insert(marker.position.file);
    return false;
  });
  std::vector<std::string> result;
  Position includer;
  any_marker(device, [&](const LineMarker& marker, std::size_t) {
    const Position before = std::exchange(includer, marker.position);
    if (!marker.begins_file || of_system.count(marker.position.file) == 0 ||
        before.in_system_header || of_host.count(marker.position.file) != 0) {
      return false;
    }
    for (std::string& name : included_names(std::string(unquoted(before.file)))) {
      if (unquoted(marker.position.file).ends_with("/" + name)) result.push_back(std::move(name));
    }
    return false;
  });
  return result;
}

std::string merge_device_bodies(std::string_view host_text, std::string_view device_text,
                                std::string_view of_those_with) {
  const PassText host(host_text);
  const PassText device(device_text);
  DefinitionIndex found;
  for (const Definition& definition : device.definitions()) {
    found[definition.head].push_back(&definition);
  }
  // Those of the same line first; an #else may have another definition in another line.
  std::map<const Definition*, const Definition*> partners;
  for (const bool same_line : {true, false}) {
    for (const Definition& ours : host.definitions()) {
      if (partners.count(&ours) != 0) continue;
      if (const Definition* const theirs = take(found, ours, same_line)) partners[&ours] = theirs;
    }
  }
  std::vector<Edit> edits;
  for (const auto& [ours, theirs] : partners) {
    if (PassText::same(host, *ours, device, *theirs)) continue;
    if (host.body(*ours).find(of_those_with) == std::string::npos) continue;
    edits.push_back(replacement(host, *ours, device, *theirs));
  }
  std::size_t inserted = 0;  // up to this token of the device's
  std::set<std::string> names;
  for (const Definition& theirs : device.definitions()) {
    const std::vector<const Definition*>& left = found[theirs.head];
    if (std::find(left.begin(), left.end(), &theirs) == left.end()) continue;
    if (theirs.begin == nowhere || theirs.begin < inserted) continue;
    if (!of_those_with.empty()) continue;
    const auto [first, last] = missing_part(host, device, theirs);
    const std::size_t from = device.tokens()[first].begin;
    const std::size_t before = host.place_for(device.position(from));
    if (before == nowhere) continue;
    inserted = last;
    names.insert(theirs.name());
    const std::size_t at = host.tokens()[before].begin;
    edits.push_back({at, at, device.marker(from) + device.plain(first, last) + host.marker(at)});
  }
  // What the device has in its place it would have twice, where only parameters' names differ.
  for (const Definition& ours : host.definitions()) {
    if (ours.for_host || ours.begin == nowhere || partners.count(&ours) != 0) continue;
    if (names.count(ours.name()) == 0) continue;
    const auto [begin, end] = host.extent(ours.begin, ours.close);
    edits.push_back({begin, end, host.marker(end)});
  }
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string result;
  std::size_t copied = 0;
  for (const Edit& edit : edits) {
    if (edit.begin < copied) continue;  // within a body that has been replaced
    result.append(host_text.substr(copied, edit.begin - copied)).append(edit.text);
    copied = edit.end;
  }
  return result += host_text.substr(copied);
}

}  // namespace emulator::compiler::preprocess
