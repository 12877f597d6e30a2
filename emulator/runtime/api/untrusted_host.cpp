#include "api/untrusted_host.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "api/arena.hpp"
#include "api/device_variables.hpp"

namespace emulator::detail {
namespace {

struct Rules {
  bool hold = false;
  std::vector<std::pair<std::uintptr_t, std::size_t>> arrays;
  std::string violation;
};

Rules& rules() {
  static auto& all = *new Rules;  // never destroyed
  return all;
}

}  // namespace

void distrust_host() {
  rules().hold = true;
  keep_lower_half_free();
  part_device_variables();
}

void allow_copies_to(const void* array, std::size_t bytes) {
  rules().arrays.emplace_back(reinterpret_cast<std::uintptr_t>(array), bytes);
}

void forget_copies() {
  rules().arrays.clear();
}

bool may_copy_to_host(const void* to, std::size_t bytes) {
  Rules& all = rules();
  if (!all.hold) return true;
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  for (const auto& [array, size] : all.arrays) {
    if (begin - array <= size && bytes <= size - (begin - array)) return true;
  }
  all.violation = "the device's memory was copied to the host, " + std::to_string(bytes) +
                  " bytes, but the work is to be done on the device";
  return false;
}

std::string violation() {
  return rules().violation;
}

}  // namespace emulator::detail
