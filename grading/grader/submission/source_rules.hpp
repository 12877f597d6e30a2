/// @file
/// The few words of C++ that no solution needs, and by which a kernel could hide from the emulator.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace course::tool::grading {

/// Why a source file is refused before any compiler sees it, as a line. Nothing if it is not.
std::optional<std::string> refused_for_source(const std::string& text);

/// The text with another attribute in the place of always_inline, as an emulated kernel that is
/// graded has nothing inlined by force; all else stays where it is.
std::string without_forced_inlining(const std::string& text);

/// The part of a preprocessed source that is in the file itself: there it shows what macros of
/// the headers have become. The file holds no #line, which refused_for_source() has seen to.
class StudentText {
 public:
  /// The next line that the preprocessor prints.
  void add(std::string_view line);

  /// Why it is refused. Nothing if it is not.
  std::optional<std::string> refused() const;

  const std::string& text() const { return text_; }

 private:
  int depth_ = 0;  ///< of the headers that are being read
  std::string text_;
};

}  // namespace course::tool::grading
