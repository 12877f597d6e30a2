#include "compiler/nvcc/commands.hpp"

#include <unistd.h>

#include <array>
#include <string_view>

#include "processes/signal_watch.hpp"

namespace emulator::compiler::nvcc {

processes::ExitStatus run(const Arguments& command,
                          const processes::LineCutter::Taker& on_error_line) {
  processes::Pipe errors;
  processes::Child child(processes::start(command, {.err = errors.write.number()}));
  processes::pass_signals_on(child);
  errors.write.close();
  processes::LineCutter lines;
  std::array<char, 4096> buffer{};
  for (std::string_view text; !(text = processes::read_some(errors.read, buffer)).empty();) {
    processes::write_all(STDERR_FILENO, text);
    lines.add(text, on_error_line);
  }
  lines.finish(on_error_line);
  return child.wait();
}

std::string shell_line(const Arguments& command) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string line;
  for (const std::string& argument : command) {
    if (!line.empty()) line += ' ';
    if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) {
      line += argument;
      continue;
    }
    line += '\'';
    for (const char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace emulator::compiler::nvcc
