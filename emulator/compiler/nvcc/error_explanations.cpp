#include "compiler/nvcc/error_explanations.hpp"

#include <cctype>
#include <string_view>
#include <vector>

#include "compiler/diagnose/removed_names.hpp"
#include "compiler/diagnose/toolkit_headers.hpp"
#include "compiler/nvcc/cccl.hpp"
#include "compiler/preprocess/core_libraries.hpp"
#include "compiler/text/colours.hpp"

namespace emulator::compiler::nvcc {
namespace {

// The parts of a line between `: `. The message is `FILE:LINE:COLUMN: fatal error: HEADER: reason`
// in whatever language g++ speaks.
std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> result;
  for (;;) {
    const std::size_t end = line.find(": ");
    result.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return result;
    line.remove_prefix(end + 2);
  }
}

// `error: 'cuInit' was not declared ...`, whatever the quotes are.
std::string driver_function(std::string_view message) {
  for (std::size_t at = message.find("cu"); at != std::string_view::npos;
       at = message.find("cu", at + 1)) {
    const bool begins = at > 0 && std::isalnum(static_cast<unsigned char>(message[at - 1])) == 0 &&
                        message[at - 1] != '_' && message[at - 1] != ':';
    if (!begins || at + 2 == message.size() ||
        std::isupper(static_cast<unsigned char>(message[at + 2])) == 0) {
      continue;
    }
    std::size_t end = at;
    while (end < message.size() && std::isalnum(static_cast<unsigned char>(message[end])) != 0) {
      ++end;
    }
    return std::string(message.substr(at, end - at));
  }
  return "";
}

}  // namespace

std::string explain_error(const std::string& line, int version) {
  const std::string plain = text::without_colours(line);
  const std::vector<std::string_view> parts = fields(plain);
  if (parts.size() > 2 && parts[1] == "error") {
    const std::string function = driver_function(parts[2]);
    if (!function.empty()) return function + "(): this part of the driver API is not modelled";
    if (std::string advice = diagnose::removed_name_advice(plain, version); !advice.empty())
      return advice;
  }
  // emulator-compile has said it itself.
  if (parts.size() < 4 || plain.ends_with(" is not modelled")) return "";
  const std::string_view header = parts[2];
  const std::string_view title = diagnose::toolkit_header_title(header);
  if (preprocess::misses_core_libraries(plain)) return cccl_installation_hint();
  return title.empty() ? "" : diagnose::unmodelled_message(header, title);
}

}  // namespace emulator::compiler::nvcc
