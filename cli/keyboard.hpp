/// @file
/// Single keys from the terminal, without Enter.
#pragma once

#include <termios.h>

#include <chrono>
#include <optional>

namespace course::tool {

/// While it lives, a terminal at standard input hands over each key at once, and shows none. Where
/// standard input is not a terminal, is closed, or belongs to another program just now, there are
/// no keys, and waiting for one is waiting.
class Keyboard {
 public:
  /// @param wanted false: there are no keys, whatever standard input is
  explicit Keyboard(bool wanted = true);
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /// Whether there are keys.
  bool works() const { return before_.has_value(); }

  /// Waits for a key for as long as this, or until a signal comes. 0: none was pressed.
  char key(std::chrono::milliseconds time);

 private:
  bool is_ours() const;
  void take_over();

  std::optional<termios> before_;  // how the terminal was, and will be again
};

}  // namespace course::tool
