#include "compiler/preprocess/device_aliases.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "compiler/text/lexer.hpp"
#include "compiler/text/line_map.hpp"
#include "compiler/text/token_text.hpp"

namespace emulator::compiler::preprocess {
namespace {

using text::lex;
using text::LexedText;
using text::LineMap;
using text::marker_for;
using text::nowhere;
using text::Position;
using text::TokenText;

struct Alias {
  std::size_t begin;      // token
  std::size_t semicolon;  // token
  std::string name;       // with its file
  Position position;
};

class AliasText : public TokenText {
 public:
  explicit AliasText(std::string_view text) : AliasText(text, lex(text)) {}

  const std::vector<Alias>& aliases() const { return aliases_; }
  Position position(std::size_t token) const { return lines_.position(tokens()[token].begin); }

  // The first token of the file from that line on, if a declaration begins there.
  std::size_t place_for(const Position& place) const {
    for (std::size_t i = 0; i < tokens().size(); ++i) {
      const Position here = position(i);
      if (here.line < place.line || here.file != place.file) continue;
      return i == 0 || is_one_of(i - 1, ";{}:") ? i : nowhere;
    }
    return nowhere;
  }

 private:
  AliasText(std::string_view text, LexedText lexed)
      : TokenText(text, std::move(lexed.tokens)), lines_(text, lexed.directives) {
    for (std::size_t i = 0; i < tokens().size(); ++i) {
      const bool is_using = is(i, "using") && is_identifier(i + 1) && is(i + 2, "=");
      if (is_using || is(i, "typedef")) read(i, is_using);
    }
  }

  void read(std::size_t begin, bool is_using) {
    const Position place = position(begin);
    if (place.in_system_header || (begin > 0 && !is_one_of(begin - 1, ";{}:"))) return;
    std::size_t name = is_using ? begin + 1 : nowhere;
    std::size_t i = begin + 1;
    for (; i < tokens().size() && !is(i, ";"); ++i) {
      if (!is_using && is(i, "(") && is(i + 1, "*")) name = i + 2;  // `typedef int (*name)(int);`
      if (opens(i)) i = closing(i);
      if (i == nowhere) return;
    }
    if (name == nowhere) name = i - 1;
    if (i == tokens().size() || !is_identifier(name)) return;
    aliases_.push_back({begin, i, std::string(place.file).append(word(name)), place});
  }

  const LineMap lines_;
  std::vector<Alias> aliases_;
};

}  // namespace

std::string merge_device_aliases(std::string_view host_text, std::string_view device_text) {
  const AliasText host(host_text);
  const AliasText device(device_text);
  std::set<std::string> known;
  for (const Alias& alias : host.aliases()) known.insert(alias.name);
  std::vector<std::pair<std::size_t, std::string>> insertions;
  for (const Alias& alias : device.aliases()) {
    if (known.contains(alias.name)) continue;
    const std::size_t before = host.place_for(alias.position);
    if (before == nowhere) continue;
    const std::size_t begin = device.tokens()[alias.begin].begin;
    const std::size_t end = device.tokens()[alias.semicolon].end;
    insertions.emplace_back(host.tokens()[before].begin,
                            marker_for(alias.position) +
                                std::string(device_text.substr(begin, end - begin)) +
                                marker_for(host.position(before)));
  }
  std::stable_sort(insertions.begin(), insertions.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string result;
  std::size_t copied = 0;
  for (const auto& [at, text] : insertions) {
    result.append(host_text.substr(copied, at - copied)).append(text);
    copied = at;
  }
  return result += host_text.substr(copied);
}

}  // namespace emulator::compiler::preprocess
