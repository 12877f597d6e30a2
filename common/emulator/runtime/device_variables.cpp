#include "device_variables.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "variables.hpp"

// What the translator has left, of all object files together.
extern const char __start_emulator_device_variables[] __attribute__((weak));
extern const char __stop_emulator_device_variables[] __attribute__((weak));

namespace emulator::detail {
namespace {

using Names = std::unordered_set<std::string_view>;

Names read_names() {
  Names result;
  const char* name = __start_emulator_device_variables;
  while (name != __stop_emulator_device_variables) {
    const std::string_view text(name);
    if (!text.empty()) result.insert(text);
    name += text.size() + 1;
  }
  return result;
}

bool is_device_variable(const std::string& name) {
  static const auto& names = *new Names(read_names());  // never destroyed
  return names.count(name) != 0;
}

const DeviceVariable* look_up(std::uintptr_t address) {
  const std::optional<Variable> variable = find_data_variable(address);
  if (!variable || !is_device_variable(variable->name)) return nullptr;
  static std::mutex mutex;
  static auto& known = *new std::map<std::uintptr_t, DeviceVariable>;
  const std::lock_guard lock(mutex);
  const DeviceVariable entry{variable->name, variable->begin, variable->bytes};
  return &known.try_emplace(variable->begin, entry).first->second;
}

}  // namespace

const DeviceVariable* find_device_variable(std::uintptr_t address) {
  // Neighbouring accesses are mostly to the same variable.
  thread_local const DeviceVariable* last = nullptr;
  if (last != nullptr && address - last->begin < last->bytes) return last;
  const DeviceVariable* const found = look_up(address);
  if (found != nullptr) last = found;
  return found;
}

}  // namespace emulator::detail
