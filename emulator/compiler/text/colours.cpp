#include "compiler/text/colours.hpp"

#include <cstddef>

namespace emulator::compiler::text {

std::string without_colours(std::string_view line) {
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1B') {
      result += line[i];
      continue;
    }
    while (i < line.size() && line[i] != 'm' && line[i] != 'K') ++i;
  }
  return result;
}

}  // namespace emulator::compiler::text
