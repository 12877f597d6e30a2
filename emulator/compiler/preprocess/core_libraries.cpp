#include "compiler/preprocess/core_libraries.hpp"

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <string>

#include "compiler/text/colours.hpp"
#include "compiler/text/line_map.hpp"

namespace emulator::compiler::preprocess {
namespace {

using text::any_marker;
using text::LineMarker;
using text::unquoted;
using text::without_colours;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

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

void remove_unroll_pragmas(std::string& preprocessed) {
  constexpr std::string_view pragma = "#pragma GCC unroll 65534";
  replace_all(preprocessed, pragma, std::string(pragma.size(), ' '));
}

void weaken_unsupported_marks(std::string& preprocessed, int architecture) {
  std::set<std::string> names;
  for (std::size_t at = preprocessed.find(unsupported_mark); at != std::string::npos;
       at = preprocessed.find(unsupported_mark, at + unsupported_mark.size())) {
    const auto is_of_name = [&](std::size_t i) {
      return preprocessed[i] == '_' || std::isalnum(static_cast<unsigned char>(preprocessed[i]));
    };
    std::size_t begin = at;
    while (begin > 0 && is_of_name(begin - 1)) --begin;
    std::size_t end = at;
    while (end < preprocessed.size() && is_of_name(end)) ++end;
    if (std::atoi(preprocessed.c_str() + at + unsupported_mark.size()) * 10 > architecture)
      continue;
    names.insert(preprocessed.substr(begin, end - begin));
  }
  // g++ wants to know before it sees their declarations, which are not in the global namespace.
  std::string pragmas;
  for (const std::string& name : names) pragmas.append("#pragma weak ").append(name) += '\n';
  preprocessed.insert(0, pragmas);
}

void remove_barrier_destructor(std::string& preprocessed) {
  // In its class: a call has the object before it. Its body stays, as another function's.
  replace_all(preprocessed, " ~barrier()", " void emulator_end_of_barrier()");
}

void set_tuning_architecture(std::string& preprocessed, int architecture) {
  if (architecture >= 600) replace_all(preprocessed, "class SM = sm52", "class SM = sm60");
}

}  // namespace emulator::compiler::preprocess
