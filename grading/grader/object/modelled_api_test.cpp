// Whether a submission may call what the emulator models: no function is refused by oversight.

#include <doctest/doctest.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "grader/object/allowed_symbols.hpp"
#include "grader/object/known_functions.hpp"

#if defined(EMULATOR_LIBRARY) && defined(EVERY_FUNCTION)

using namespace course::tool::grading;

namespace {

/// The words of a text that may be names.
std::set<std::string> words_of(std::istream& text) {
  std::set<std::string> words;
  std::string word;
  for (char c = 0; text.get(c);) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

struct Symbols {
  std::set<std::string> defined;
  std::set<std::string> undefined;
};

Symbols symbols_of(const std::string& file) {
  const std::string command = NM " '" + file + "' 2>/dev/null";
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Symbols symbols;
  std::array<char, 8192> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string text = line.data();
    constexpr std::size_t type = 17;
    if (text.size() < type + 3 || text[type - 1] != ' ') continue;
    const std::string name = text.substr(type + 2, text.find('\n') - type - 2);
    const bool is_defined = text[type] == 'T' || text[type] == 'W' || text[type] == 't';
    if (name.starts_with("_ZZ")) continue;  // a lambda within a function
    if (is_defined) symbols.defined.insert(name);
    if (text[type] == 'U') symbols.undefined.insert(name);
  }
  REQUIRE(pclose(pipe) == 0);
  return symbols;
}

/// "cuda::ptx::fence<int>()" as "fence".
std::string last_word(const std::string& shown) {
  const std::string text = shown.substr(0, shown.find_first_of("<("));
  return text.substr(text.rfind(':') + 1);
}

bool is_decided(const std::string& symbol) {
  return is_allowed(symbol, {}) || is_refused_on_purpose(symbol);
}

}  // namespace

TEST_CASE("what the emulator's headers call of its library has a row, allowed or refused") {
  std::stringstream headers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(EMULATOR_HEADERS)) {
    if (entry.is_regular_file()) headers << std::ifstream(entry.path()).rdbuf() << '\n';
  }
  const std::set<std::string> words = words_of(headers);
  std::size_t found = 0;
  for (const std::string& symbol : symbols_of(EMULATOR_LIBRARY).defined) {
    const std::string name = readable(symbol);
    constexpr std::string_view inner = "emulator::detail::";
    if (!name.starts_with(inner)) continue;
    const std::string rest = name.substr(inner.size());
    // No classes are handed out by headers.
    if (rest.find_first_of(":<") != std::string::npos) continue;
    if (!words.contains(last_word(name))) continue;
    ++found;
    CAPTURE(name);
    CHECK(is_decided(symbol));
  }
  CHECK(found > 60);
}

TEST_CASE("what programs call of the modelled functions is decided, too") {
  std::size_t found = 0;
  for (const std::string& symbol : symbols_of(EVERY_FUNCTION).undefined) {
    const std::string name = readable(symbol);
    if (!name.starts_with("emulator::") && !name.starts_with("cuda")) continue;
    ++found;
    CAPTURE(name);
    CHECK(is_decided(symbol));
  }
  CHECK(found > 60);
}

TEST_CASE("each function that docs/modelled-api.md lists for kernels and launches was looked at") {
  std::set<std::string> looked_at;
  for (const std::string& symbol : symbols_of(EVERY_FUNCTION).defined) {
    looked_at.insert(last_word(readable(symbol)));
  }
  std::ifstream source(EVERY_FUNCTION_SOURCE);
  looked_at.merge(words_of(source));
  for (const KnownFunction& function : functions_of_cuda()) {
    looked_at.insert(std::string(function.name));
  }
  // Others are those of libraries, whose functions are known by their beginnings.
  const std::set<std::string> headers{"cuda_runtime.h",
                                      "cuda_fp16.h",
                                      "cuda_bf16.h",
                                      "cuda_fp8.h",
                                      "cuda/barrier",
                                      "cuda/pipeline",
                                      "cuda/ptx",
                                      "cuda_pipeline_primitives.h",
                                      "mma.h",
                                      "cooperative_groups.h",
                                      "cooperative_groups/memcpy_async.h",
                                      "cooperative_groups/reduce.h",
                                      "cooperative_groups/scan.h"};
  std::ifstream page(MODELLED_API);
  bool is_wanted = false;
  std::size_t found = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) is_wanted = headers.contains(line.substr(3));
    if (line.starts_with("### Not modelled")) is_wanted = false;
    const bool is_list = line.starts_with("`") || line.starts_with("- `");
    if (!is_wanted || !is_list) continue;
    const std::size_t end = line.starts_with("- ") ? line.find('`', 3) + 1 : line.size();
    for (std::size_t at = line.find('`'); at < end; at = line.find('`', at + 1)) {
      const std::size_t close = line.find('`', at + 1);
      if (close >= end) break;
      const std::string name = last_word(line.substr(at + 1, close - at - 1));
      at = close;
      // Textures, surfaces and graphs: what makes them is refused.
      if (name.starts_with("tex") || name.starts_with("surf") || name.starts_with("cudaGraph")) {
        continue;
      }
      ++found;
      CAPTURE(name);
      CHECK(looked_at.contains(name));
    }
  }
  CHECK(found > 900);
}

#endif
