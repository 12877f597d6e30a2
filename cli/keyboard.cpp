#include "keyboard.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <thread>

namespace course::tool {

Keyboard::Keyboard(bool wanted) {
  const char* const term = std::getenv("TERM");
  termios now{};
  if (!wanted || term == nullptr || std::string_view(term) == "dumb") return;
  if (isatty(STDIN_FILENO) != 1 || tcgetattr(STDIN_FILENO, &now) != 0) return;
  before_ = now;
  take_over();
}

Keyboard::~Keyboard() {
  if (works() && is_ours()) tcsetattr(STDIN_FILENO, TCSADRAIN, &*before_);
}

// A program in the background that touches the terminal is stopped.
bool Keyboard::is_ours() const {
  return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

void Keyboard::take_over() {
  termios now{};
  if (!is_ours() || tcgetattr(STDIN_FILENO, &now) != 0) return;
  if ((now.c_lflag & (ICANON | ECHO)) == 0) return;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C and Ctrl-Z stay what they are
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

char Keyboard::key(std::chrono::milliseconds time) {
  if (!works() || !is_ours()) {
    std::this_thread::sleep_for(time);  // a signal ends it early or late: no matter
    return 0;
  }
  take_over();  // again: after Ctrl-Z and fg the terminal is as the shell has it
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, static_cast<int>(time.count())) <= 0) return 0;
  char pressed = 0;
  if ((input.revents & POLLIN) != 0 && read(STDIN_FILENO, &pressed, 1) == 1) return pressed;
  before_.reset();  // the terminal is gone
  return 0;
}

}  // namespace course::tool
