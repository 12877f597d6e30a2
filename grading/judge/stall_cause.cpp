#include "judge/stall_cause.hpp"

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <vector>

namespace course::grading {
namespace {

namespace fs = std::filesystem;

/// What /proc/N/stat says: "4711 (a name) S 4710 ...".
struct Entry {
  char state = '?';
  pid_t parent = 0;
};

Entry read_entry(const fs::path& folder) {
  std::ifstream stream(folder / "stat");
  std::string text;
  std::getline(stream, text);
  const std::size_t name_ends = text.rfind(')');
  if (name_ends == std::string::npos || name_ends + 4 > text.size()) return {};
  return {text[name_ends + 2], static_cast<pid_t>(std::atol(text.c_str() + name_ends + 4))};
}

/// The numbers that are names in a folder.
std::vector<pid_t> numbers_in(const fs::path& folder) {
  std::vector<pid_t> numbers;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
      numbers.push_back(static_cast<pid_t>(std::atol(name.c_str())));
    }
  }
  return numbers;
}

}  // namespace

std::string stall_cause(pid_t process) {
  const fs::path all = "/proc";
  std::multimap<pid_t, pid_t> children;
  for (const pid_t number : numbers_in(all)) {
    children.emplace(read_entry(all / std::to_string(number)).parent, number);
  }
  std::vector<pid_t> family{process};
  for (std::size_t k = 0; k < family.size(); ++k) {
    const fs::path threads = all / std::to_string(family[k]) / "task";
    for (const pid_t thread : numbers_in(threads)) {
      const char state = read_entry(threads / std::to_string(thread)).state;
      if (state == 'R') return "it could run, but the machine was too busy";
      if (state == 'D') return "it could run, but the machine's disk or memory was too busy";
      if (state == 'T' || state == 't') return "something has stopped it";
    }
    const auto [first, last] = children.equal_range(family[k]);
    for (auto child = first; child != last; ++child) family.push_back(child->second);
  }
  return "";
}

}  // namespace course::grading
