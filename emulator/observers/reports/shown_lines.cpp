#include "observers/reports/shown_lines.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "base/listing_text.hpp"

namespace emulator::reports {
namespace {

// The line of the kernel's definition, from 0; no value if it is not in the file.
std::optional<std::size_t> definition(const std::vector<std::string>& source,
                                      std::string_view name) {
  constexpr std::size_t lines_of_a_head = 4;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!has_word(source[i], name)) continue;
    for (std::size_t j = i + 1; j-- > 0 && i - j < lines_of_a_head;) {
      if (has_word(source[j], "__global__")) return i;
      const bool ends_another = source[j].find_first_of(";}") != std::string::npos;
      if (ends_another) break;
    }
  }
  return std::nullopt;
}

std::string_view unqualified(std::string_view kernel) {
  const auto colon = kernel.find_last_of(':');
  return colon == std::string_view::npos ? kernel : kernel.substr(colon + 1);
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(' ') == std::string::npos;
}

// Where to begin, so that the head of the kernel or device function shows, or at least something.
int first_to_show(int counted, const std::vector<std::string>& source, std::string_view name) {
  constexpr int reach = 8;
  const auto text = [&](int line) -> const std::string& {
    return source[static_cast<std::size_t>(line - 1)];
  };
  const int lowest = std::max(1, counted - reach);
  const auto begins = [&](int line) {
    return has_word(text(line), "__global__") || has_word(text(line), "__device__");
  };
  for (int line = counted; line >= lowest; --line) {
    if (line < counted && text(line).starts_with('}')) break;  // the end of another function
    if (!has_word(text(line), name) && !begins(line)) continue;
    // The lines before that belong to it: `template <...>`, `__global__ void`.
    while (line > lowest && (begins(line - 1) || has_word(text(line - 1), "template"))) --line;
    return line;
  }
  int line = std::max(1, counted - 2);
  while (line < counted && is_blank(text(line))) ++line;
  return line;
}

}  // namespace

bool has_word(std::string_view text, std::string_view name) {
  const auto in_word = [&](std::size_t i) {
    return i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  if (name.empty()) return false;
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    if ((at == 0 || !in_word(at - 1)) && !in_word(at + name.size())) return true;
  }
  return false;
}

std::vector<LineRange> ranges_to_show(const std::vector<int>& counted,
                                      const std::vector<std::string>& source,
                                      std::string_view kernel) {
  constexpr int longest_gap = 6;
  std::vector<LineRange> ranges;
  const int end = static_cast<int>(source.size());
  for (const int line : counted) {
    const bool exists = line >= 1 && line <= end;
    if (!ranges.empty() && line - ranges.back().last - 1 <= longest_gap) {
      ranges.back().last = line;
    } else if (!exists) {
      ranges.push_back({line, line});
    } else {
      const int first = first_to_show(line, source, unqualified(kernel));
      const int free = ranges.empty() ? 1 : ranges.back().last + 1;
      ranges.push_back({std::max(first, free), line});
    }
  }
  return ranges;
}

std::vector<std::string> files_to_show(const KernelTraffic& kernel, SourceFiles& files) {
  struct Candidate {
    std::string file;
    bool defines = false;
    bool uses_memory = false;
    std::uint64_t blocks = 0;
  };
  std::vector<Candidate> candidates;
  for (const LineTraffic& line : kernel.lines) {
    auto place = std::find_if(candidates.begin(), candidates.end(),
                              [&](const Candidate& other) { return other.file == line.file; });
    if (place == candidates.end()) {
      const std::vector<std::string>* source = files.find(line.file);
      const bool defines = source != nullptr && definition(*source, unqualified(kernel.kernel));
      place = candidates.insert(place, Candidate{line.file, defines});
    }
    place->uses_memory = place->uses_memory || !line.instructions.empty();
    place->blocks += line.traffic.code_blocks;
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return a.defines != b.defines ? a.defines : a.blocks > b.blocks;
  });
  std::vector<std::string> result;
  for (const Candidate& candidate : candidates) {
    if (result.empty() || candidate.uses_memory) result.push_back(candidate.file);
  }
  return result;
}

}  // namespace emulator::reports
