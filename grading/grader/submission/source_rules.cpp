#include "grader/submission/source_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace course::tool::grading {
namespace {

enum class Part { whole, beginning, any };

/// Words, or parts of words, that are refused.
struct Rule {
  std::string_view word;
  Part part;
  std::string_view what;
  /// Where: in what the student wrote, or in what macros have become as well.
  enum class In { both, written, preprocessed } in = In::both;
};

constexpr std::array<Rule, 15> rules{{
    {"asm", Part::whole, "assembly"},
    {"__asm", Part::whole, "assembly"},
    {"__asm__", Part::whole, "assembly"},
    // What the compiler does not instrument the emulator neither counts nor checks.
    {"no_sanitize", Part::any, "no_sanitize"},
    // Nor does it instrument what is forced into a function that is not instrumented. Of a
    // student's own, which nvcc takes, without_forced_inlining() makes nothing.
    {"always_inline", Part::whole, "always_inline", Rule::In::preprocessed},
    {"__always_inline__", Part::whole, "always_inline", Rule::In::preprocessed},
    {"EMULATOR_", Part::any, "words of the emulator's own", Rule::In::written},
    {"__tsan_", Part::any, "words of the emulator's own"},
    {"COURSE_DETAIL_", Part::any, "words of common/ that are not for kernels", Rule::In::written},
    {"COURSE_GRADED", Part::whole, "a word of the grader's"},
    {"__builtin_ia32_", Part::any, "instructions of one kind of processor"},
    {"__builtin_aarch64_", Part::any, "instructions of one kind of processor"},
    {"_mm_", Part::beginning, "instructions of one kind of processor"},
    {"_mm256_", Part::beginning, "instructions of one kind of processor"},
    {"_mm512_", Part::beginning, "instructions of one kind of processor"},
}};

bool matches(std::string_view word, const Rule& rule) {
  if (rule.part == Part::whole) return word == rule.word;
  if (rule.part == Part::beginning) return word.starts_with(rule.word);
  return word.find(rule.word) != std::string_view::npos;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// The text as the compiler reads it: lines that end in a backslash joined.
std::string joined(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\\') {
      std::size_t end = k + 1;
      while (end < text.size() &&
             std::string_view(" \t\r\f\v").find(text[end]) != std::string_view::npos)
        ++end;
      if (end < text.size() && text[end] == '\n') {
        k = end;
        continue;
      }
    }
    result += text[k];
  }
  return result;
}

/// Where a comment, a string or a character that begins at `k` ends; `k` if none begins there.
std::size_t skipped(const std::string& text, std::size_t k) {
  const auto after = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string::npos ? text.size() : found + end.size();
  };
  if (text.compare(k, 2, "//") == 0) return after("\n", k);
  if (text.compare(k, 2, "/*") == 0) return after("*/", k + 2);
  if (text[k] != '"' && text[k] != '\'') return k;
  std::size_t end = k + 1;
  while (end < text.size() && text[end] != text[k] && text[end] != '\n') {
    end += text[end] == '\\' ? 2 : 1;
  }
  return std::min(end + 1, text.size());
}

/// Whether a raw string begins where the word ends, and is not one that reads the same as an
/// ordinary string does. Where another ends, readers may differ.
bool is_odd_raw_string(const std::string& text, std::size_t k, std::size_t end) {
  const std::string_view word = std::string_view(text).substr(k, end - k);
  const bool is_raw =
      end < text.size() && text[end] == '"' &&
      (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R");
  if (!is_raw) return false;
  const std::size_t close = text.find_first_of("\"\\\n", end + 1);
  if (close == std::string::npos || text[close] != '"') return true;
  const std::string_view inside = std::string_view(text).substr(end + 1, close - end - 1);
  const std::size_t open = inside.find('(');
  if (open == std::string_view::npos) return true;
  return !inside.ends_with(")" + std::string(inside.substr(0, open)));
}

/// The end of a word or a number; in a number a ' may be between two digits.
std::size_t end_of_word(const std::string& text, std::size_t k) {
  const bool is_number = std::isdigit(static_cast<unsigned char>(text[k])) != 0;
  std::size_t end = k;
  while (end < text.size() &&
         (is_word(text[end]) ||
          (is_number && text[end] == '\'' && end + 1 < text.size() && is_word(text[end + 1])))) {
    ++end;
  }
  return end;
}

std::string refusal(std::string_view what) {
  return "uses " + std::string(what) + ", which no solution needs";
}

std::optional<std::string> refused_word(std::string_view word, bool preprocessed) {
  for (const Rule& rule : rules) {
    if (rule.in == (preprocessed ? Rule::In::written : Rule::In::preprocessed)) continue;
    if (matches(word, rule)) return refusal(rule.what);
  }
  return std::nullopt;
}

/// A directive from its `#` on: `#pragma GCC` may switch optimizations, and with `#line` code
/// passes for that of another file.
std::optional<std::string> refused_directive(std::string_view line) {
  const auto skip_blanks = [&] {
    while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
  };
  line.remove_prefix(line[0] == '#' ? 1 : 2);
  skip_blanks();
  if (line.starts_with("line") || (!line.empty() && line[0] >= '0' && line[0] <= '9')) {
    return refusal("#line");
  }
  if (!line.starts_with("pragma")) return std::nullopt;
  line.remove_prefix(6);
  skip_blanks();
  if (!line.starts_with("GCC")) return std::nullopt;
  line.remove_prefix(3);
  skip_blanks();
  for (const char* const harmless : {"diagnostic", "unroll", "ivdep"}) {
    if (line.starts_with(harmless)) return std::nullopt;
  }
  return refusal("#pragma GCC");
}

/// What `_Pragma("...")` says, of which the text after the word is given. What no string says is
/// seen once it is preprocessed.
std::optional<std::string> refused_pragma(std::string_view text) {
  const std::size_t begin = text.find('"');
  if (begin == std::string_view::npos) return std::nullopt;
  if (text.substr(0, begin).find_first_not_of(" \t\n(L") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = text.substr(begin + 1);
  return refused_directive("#pragma " + std::string(rest.substr(0, rest.find('"'))));
}

}  // namespace

namespace {

std::optional<std::string> refused_for(const std::string& original, bool preprocessed) {
  const std::string text = joined(original);
  bool at_line_start = true;
  for (std::size_t k = 0; k < text.size();) {
    const char c = text[k];
    if (const std::size_t end = skipped(text, k); end != k) {
      k = end;
      at_line_start = at_line_start || (end > 0 && text[end - 1] == '\n');
      continue;
    }
    if (c == '\n') at_line_start = true;
    if ((c == '#' || text.compare(k, 2, "%:") == 0) && at_line_start) {
      const std::size_t end = std::min(text.find('\n', k), text.size());
      if (auto reason = refused_directive(std::string_view(text).substr(k, end - k))) return reason;
    }
    if (is_word(c)) {
      const std::size_t end = end_of_word(text, k);
      // Where such a string ends is for the compiler to know.
      if (is_odd_raw_string(text, k, end)) return refusal("a raw string of several lines");
      if (text.compare(k, end - k, "_Pragma") == 0) {
        if (auto reason = refused_pragma(std::string_view(text).substr(end))) return reason;
      }
      if (auto reason = refused_word(std::string_view(text).substr(k, end - k), preprocessed))
        return reason;
      at_line_start = false;
      k = end;
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(c)) == 0) at_line_start = false;
    ++k;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> refused_for_source(const std::string& text) {
  return refused_for(text, false);
}

std::string without_forced_inlining(const std::string& text) {
  constexpr std::string_view harmless = "unused";
  std::string result = text;
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t end = is_word(text[k]) ? end_of_word(text, k) : k + 1;
    const std::string_view word = std::string_view(text).substr(k, end - k);
    if (word == "always_inline" || word == "__always_inline__") {
      std::string same_length(harmless);
      same_length.resize(word.size(), ' ');
      result.replace(k, word.size(), same_length);
    }
    k = end;
  }
  return result;
}

void StudentText::add(std::string_view line) {
  // "# 12 "folder/file.h" 1 3": what follows is line 12 of that file. The first of all is the
  // student's.
  if (line.starts_with("# ") && line.size() > 2 && line[2] >= '0' && line[2] <= '9') {
    const std::string_view quoted = line.substr(0, line.rfind('"'));
    const std::string_view name = quoted.substr(quoted.find_last_of("/\"") + 1);
    if (own_.empty()) own_ = name;
    is_own_ = name == own_;
    return;
  }
  if (is_own_) (text_ += line) += '\n';
}

std::optional<std::string> StudentText::refused() const {
  return refused_for(text_, true);
}

}  // namespace course::tool::grading
