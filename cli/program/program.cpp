#include "program/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>

#include "console/terminal.hpp"
#include "host/errors.hpp"
#include "host/process.hpp"
#include "host/standard_streams.hpp"
#include "wrapping_output.hpp"

namespace course::tool {
namespace {

bool is_screen(int stream) {
  const char* const term = std::getenv("TERM");
  return isatty(stream) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

bool stdout_has_colours() {
  const char* const none = std::getenv("NO_COLOR");
  return stdout_is_screen() && (none == nullptr || *none == '\0');
}

}  // namespace

bool stdout_is_screen() {
  return is_screen(STDOUT_FILENO);
}

Progress progress_on_stderr() {
  const std::size_t width = line_width(STDERR_FILENO);
  return {std::cerr, is_screen(STDERR_FILENO), width == any_width ? 80 : width};
}

Screen screen_for(Progress& progress) {
  return {std::cout, std::cerr, progress, stdout_has_colours(), line_width(STDOUT_FILENO)};
}

int run_program(int argc, char** argv,
                const std::function<int(const std::vector<std::string>&)>& body) {
  open_closed_streams();
  const std::size_t width = line_width(STDERR_FILENO);
  if (width != any_width) std::cerr << std::nounitbuf;  // a line is broken once it is whole
  const WrappingOutput errors(std::cerr, width);
  try {
    return body({argv + std::min(argc, 1), argv + argc});
  } catch (const Interrupted& interrupted) {
    std::cerr << "course: interrupted" << std::endl;
    return 128 + interrupted.signal();
  } catch (const Failure& failure) {
    std::cout << std::flush;
    std::cerr << "course: " << failure.what() << std::endl;
    return failure.status();
  } catch (const std::exception& error) {
    std::cerr << "course: " << error.what() << std::endl;
    return status_failed;
  }
}

}  // namespace course::tool
