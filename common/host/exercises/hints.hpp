/// @file
/// The hints of an exercise: hints.md, step by step.
#pragma once

#include <string>
#include <vector>

namespace course::tool {

/// A step: a section "## 1. Where to start" of hints.md.
struct Hint {
  std::string title;  ///< "Where to start", or empty
  std::string text;   ///< without blank lines around it
};

/// The sections that are headed "## 1", "## 2" and so on, in this order; what comes before the
/// first is for readers of the file.
std::vector<Hint> parse_hints(const std::string& text);

/// The text with each paragraph and each item of a list in one line, so that a screen of any width
/// can break it. Code stays as it is.
std::string with_whole_paragraphs(const std::string& text);

}  // namespace course::tool
