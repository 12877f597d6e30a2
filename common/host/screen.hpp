/// @file
/// Where a command writes: its two streams, its progress, and whether in colour.
#pragma once

#include <ostream>
#include <string>

#include "console/terminal.hpp"
#include "host/progress.hpp"

namespace course::tool {

/// What a command talks to.
struct Screen {
  std::ostream& out;
  std::ostream& err;
  Progress& progress;
  bool colour = false;            ///< of `out`
  std::size_t width = any_width;  ///< of `out`: see common/lesson/console/terminal.hpp

  /// A text in a colour ("32" is green, "1" is bold), or as it is where there are none.
  std::string in(const char* code, const std::string& text) const {
    return colour ? "\033[" + std::string(code) + 'm' + text + "\033[0m" : text;
  }
  std::string green(const std::string& text) const { return in("32", text); }
  std::string red(const std::string& text) const { return in("31", text); }
  std::string yellow(const std::string& text) const { return in("33", text); }
  std::string bold(const std::string& text) const { return in("1", text); }
  std::string cyan(const std::string& text) const { return in("36", text); }  // a command to type
  std::string dim(const std::string& text) const { return in("2", text); }
};

}  // namespace course::tool
