/// \file
/// How much memory the host can give to a program, as Linux reports it.

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "base/host_state.hpp"

namespace emulator::base {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// A file of one number; nothing if it cannot be read or says "max".
std::optional<std::size_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// The number after a word, in a file of lines that each begin with a word.
std::optional<std::size_t> number_after(const std::string& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream text(line);
    std::string first;
    std::size_t value = 0;
    if (text >> first >> value && first == word) return value;
  }
  return std::nullopt;
}

// What the limits of one hierarchy of control groups leave: at most `total`, of which `free`.
struct Room {
  std::size_t total = no_limit;
  std::size_t free = no_limit;

  // `reclaimable` is cache that the kernel drops when memory gets short.
  void narrow(std::size_t limit, std::size_t used, std::size_t reclaimable) {
    used -= std::min(used, reclaimable);
    total = std::min(total, limit);
    free = std::min(free, limit > used ? limit - used : 0);
  }
};

// Every group from the process's own up to the root can have a limit. Inside a container the paths
// may be the host's and not exist; then only the mounted root counts.
Room control_groups(const std::string& root) {
  Room room;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    // "0::/path" in version 2, "4:memory:/path" in version 1, whose list may hold more words.
    const auto colon = line.find(':');
    const auto second = line.find(':', colon + 1);
    if (colon == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(colon + 1, second - colon - 1) + ",";
    const bool version2 = controllers == ",,";
    if (!version2 && controllers.find(",memory,") == std::string::npos) continue;

    const std::string mount = root + (version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
    for (std::string path = line.substr(second + 1);;) {
      const std::string group = mount + path;
      const auto limit = number_in(group + (version2 ? "/memory.max" : "/memory.limit_in_bytes"));
      const auto used =
          number_in(group + (version2 ? "/memory.current" : "/memory.usage_in_bytes"));
      if (limit && used) {
        const char* const cache = version2 ? "inactive_file" : "total_inactive_file";
        room.narrow(*limit, *used, number_after(group + "/memory.stat", cache).value_or(0));
      }
      if (path.empty()) break;
      const auto slash = path.rfind('/');
      path.erase(slash != std::string::npos ? slash : 0);
    }
  }
  return room;
}

// Of /proc/meminfo, which counts in units of 1024 bytes. What it does not tell limits nothing.
std::size_t host(const std::string& root, const std::string& word) {
  const auto kilobytes = number_after(root + "/proc/meminfo", word);
  return kilobytes ? *kilobytes * 1024 : no_limit;
}

}  // namespace

std::size_t available_host_memory(const std::string& root) {
  return std::min(host(root, "MemAvailable:"), control_groups(root).free);
}

std::size_t total_host_memory(const std::string& root) {
  return std::min(host(root, "MemTotal:"), control_groups(root).total);
}

}  // namespace emulator::base
