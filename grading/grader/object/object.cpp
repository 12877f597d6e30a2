#include "grader/object/object.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

namespace course::tool::grading {
namespace {

/// "a", "a and b", "a, b and 3 more": at most five of them.
std::string enumerated(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  const std::size_t shown = std::min(names.size(), most);
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) {
    const bool is_last = k + 1 == shown && names.size() <= most;
    text += (k == 0 ? "" : is_last ? " and " : ", ") + names[k];
  }
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

/// Reads "0000000000000004 T name"; the number is blank if the symbol is undefined. A submission
/// may put anything into the name, so it is the columns before it that count.
std::optional<Symbol> read_symbol(const std::string& line) {
  constexpr std::size_t type = 17;
  if (line.size() < type + 3 || line[type - 1] != ' ' || line[type + 1] != ' ') return std::nullopt;
  if (line.find_first_not_of("0123456789abcdef ") < type) return std::nullopt;
  return Symbol{line.substr(type + 2), line[type]};
}

}  // namespace

std::optional<std::vector<Symbol>> read_symbols(const Lines& output) {
  std::vector<Symbol> symbols;
  for (const std::string& line : output) {
    if (line.empty()) continue;
    auto symbol = read_symbol(line);
    if (!symbol) return std::nullopt;
    symbols.push_back(std::move(*symbol));
  }
  return symbols;
}

std::optional<std::string> refused_for_symbols(const std::vector<Symbol>& symbols,
                                               const Permissions& needs) {
  std::vector<std::string> names;
  for (const Symbol& symbol : symbols) {
    if (symbol.type == 'i') {
      return "defines " + readable(symbol.name) +
             " so that it is chosen when the program is loaded";
    }
    if (symbol.name.find('@') != std::string::npos) {
      return "uses a versioned symbol (" + symbol.name + "), which no solution needs";
    }
    if (!symbol.is_undefined() && !may_define(symbol.name)) {
      return "defines " + readable(symbol.name) +
             ", which is a name of the emulator's or the grader's";
    }
    if (!symbol.is_undefined() || is_allowed(symbol.name, needs)) continue;
    std::string shown = readable_as_written(symbol.name);
    if (std::find(names.begin(), names.end(), shown) == names.end()) {
      names.push_back(std::move(shown));
    }
  }
  if (names.empty()) return std::nullopt;
  return "uses " + enumerated(names) + ", which no solution needs";
}

std::optional<std::string> refused_for_instructions(const Lines& disassembly) {
  for (const std::string& line : disassembly) {
    // "   4:<tab>syscall", "   4:<tab>svc<tab>#0x0"
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    std::istringstream words(line.substr(tab + 1));
    std::string name;
    std::string operand;
    words >> name >> operand;
    if (name == "syscall" || name == "sysenter" || name == "svc" ||
        (name == "int" && operand == "$0x80")) {
      return "calls the operating system by an instruction (" + name + "), which no solution needs";
    }
  }
  return std::nullopt;
}

std::optional<std::string> refused_for_data(const Lines& sections, const Lines& symbols) {
  std::set<std::string> code;
  for (const std::string& line : sections) {
    if (line.find("CODE") == std::string::npos) continue;
    std::istringstream words(line);
    std::string number;
    std::string name;
    words >> number >> name;
    code.insert(name);
    if (line.find("READONLY") == std::string::npos) {
      return "has code that can be written to (in " + name + "), which no solution needs";
    }
  }
  for (const std::string& line : symbols) {
    // "0000000000000000 l     O .text<tab>0000000000000004 name": the seventh flag is the type
    const std::size_t tab = line.find('\t');
    const std::size_t flags = line.find(' ');
    if (tab == std::string::npos || flags == std::string::npos || flags + 9 > tab) continue;
    const std::string section = line.substr(flags + 9, tab - flags - 9);
    if (line[flags + 7] == 'O' && code.contains(section)) {
      return "has data among its code, which no solution needs";
    }
  }
  return std::nullopt;
}

std::vector<std::string> undefined_references(const Lines& complaints) {
  constexpr std::string_view words = "undefined reference to ";
  std::vector<std::string> names;
  for (const std::string& line : complaints) {
    const std::size_t at = line.find(words);
    if (at == std::string::npos) continue;
    std::string name = line.substr(at + words.size());
    name.erase(std::remove_if(name.begin(), name.end(),
                              [](char c) { return c == '`' || c == '\'' || c == '"'; }),
               name.end());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace course::tool::grading
