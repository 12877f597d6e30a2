#include "grader/source_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace course::tool::grading {
namespace {

/// Words, or beginnings and ends of words, that are refused.
struct Rule {
  std::string_view word;
  bool anywhere;  ///< also as a part of an identifier
  std::string_view what;
  bool of_macros = true;  ///< also in what macros of the headers become
};

constexpr std::array<Rule, 13> rules{{
    {"asm", false, "assembly"},
    {"__asm", false, "assembly"},
    {"__asm__", false, "assembly"},
    // What the compiler does not instrument the emulator neither counts nor checks.
    {"no_sanitize", true, "no_sanitize"},
    // Nor does it instrument what is forced into a function that is not instrumented.
    {"always_inline", true, "always_inline"},
    {"EMULATOR_", true, "words of the emulator's own", false},
    {"__tsan_", true, "words of the emulator's own"},
    {"COURSE_DETAIL_", true, "words of common/ that are not for kernels", false},
    {"COURSE_GRADED", false, "a word of the grader's"},
    {"__builtin_ia32_", true, "instructions of one kind of processor"},
    {"__builtin_aarch64_", true, "instructions of one kind of processor"},
    {"_mm_", true, "instructions of one kind of processor"},
    {"_Pragma", false, "_Pragma"},
}};

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

/// Whether a string begins at `k` that has another end than the next quotation mark.
bool is_raw_string(const std::string& text, std::size_t k, std::size_t end) {
  const std::string_view word = std::string_view(text).substr(k, end - k);
  return end < text.size() && text[end] == '"' &&
         (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R");
}

/// The end of a word or a number; in a number a ' may stand between two digits.
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
    if (preprocessed && !rule.of_macros) continue;
    const bool found =
        rule.anywhere ? word.find(rule.word) != std::string_view::npos : word == rule.word;
    if (found) return refusal(rule.what);
  }
  return std::nullopt;
}

/// `##` makes words of parts, which could be any word. Behind a comma, before __VA_ARGS__, it only
/// takes the comma away.
bool pastes(const std::string& text, std::size_t k) {
  if (text.compare(k, 2, "##") != 0 && text.compare(k, 4, "%:%:") != 0) return false;
  std::size_t before = k;
  while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1])) != 0) --before;
  std::size_t next = k + 2;
  while (next < text.size() && (text[next] == ' ' || text[next] == '\t')) ++next;
  return before == 0 || text[before - 1] != ',' || text.compare(next, 11, "__VA_ARGS__") != 0;
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
    if (pastes(text, k)) return refusal("'##'");
    if (is_word(c)) {
      const std::size_t end = end_of_word(text, k);
      // Where such a string ends is for the compiler to know.
      if (is_raw_string(text, k, end)) return refusal("a raw string");
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

void OwnText::add(std::string_view line) {
  // "# 12 "file.h" 1 3": what follows is line 12 of that file, which begins (1), or to which the
  // preprocessor comes back (2).
  if (line.starts_with("# ") && line.size() > 2 && line[2] >= '0' && line[2] <= '9') {
    const std::size_t flags = line.rfind('"');
    const std::string_view words = flags == std::string_view::npos ? "" : line.substr(flags + 1);
    if (words.starts_with(" 1")) ++depth_;
    if (words.starts_with(" 2")) --depth_;
    return;
  }
  if (depth_ == 0) (text_ += line) += '\n';
}

std::optional<std::string> OwnText::refused() const {
  return refused_for(text_, true);
}

}  // namespace course::tool::grading
