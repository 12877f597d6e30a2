#include "core_libraries.hpp"

#include <cstddef>
#include <string>

#include "line_map.hpp"
#include "plain_messages.hpp"

namespace emulator {

bool misses_core_libraries(std::string_view messages) {
  const std::string plain = without_colours(std::string(messages));
  // `FILE:LINE:COLUMN: fatal error: HEADER: reason`, whatever the language of the words.
  for (std::size_t at = plain.find(": "); at != std::string::npos; at = plain.find(": ", at + 2)) {
    const std::string_view rest = std::string_view(plain).substr(at + 2);
    for (const std::string_view folder : {"thrust/", "cub/", "cuda/"}) {
      if (!rest.starts_with(folder)) continue;
      if (rest.find(": ") < rest.find_first_of(" \n")) return true;
    }
  }
  return false;
}

bool has_core_libraries(std::string_view preprocessed) {
  return any_marker(preprocessed, [](const LineMarker& marker, std::size_t) {
    return marker.begins_file && unquoted(marker.position.file).ends_with("/cuda/__cccl_config");
  });
}

void leave_loops_alone(std::string& preprocessed) {
  constexpr std::string_view pragma = "#pragma GCC unroll 65534";
  for (std::size_t at = preprocessed.find(pragma); at != std::string::npos;
       at = preprocessed.find(pragma, at + pragma.size())) {
    preprocessed.replace(at, pragma.size(), pragma.size(), ' ');
  }
}

void choose_tuning(std::string& preprocessed, int architecture) {
  constexpr std::string_view oldest = "class SM = sm52";
  constexpr std::string_view newer = "class SM = sm60";
  if (architecture < 600) return;
  for (std::size_t at = preprocessed.find(oldest); at != std::string::npos;
       at = preprocessed.find(oldest, at + oldest.size())) {
    preprocessed.replace(at, oldest.size(), newer);
  }
}

}  // namespace emulator
