#include "base/source_files.hpp"

#include <fstream>

#include "base/listing_text.hpp"

namespace emulator::base {

const std::vector<std::string>* SourceFiles::find(const std::string& file) {
  const auto [place, is_new] = files_.try_emplace(file);
  std::optional<std::vector<std::string>>& lines = place->second;
  if (is_new) {
    std::ifstream stream(file);
    std::string line;
    while (std::getline(stream, line)) {
      if (!lines) lines.emplace();
      lines->push_back(printable(line));
    }
  }
  return lines ? &*lines : nullptr;
}

}  // namespace emulator::base
