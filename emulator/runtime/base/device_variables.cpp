#include "base/device_variables.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/variables.hpp"

// What the translator has left, of all object files together.
extern const char __start_emulator_device_variables[] __attribute__((weak));
extern const char __stop_emulator_device_variables[] __attribute__((weak));
extern char __start_emulator_constant[] __attribute__((weak));
extern char __stop_emulator_constant[] __attribute__((weak));
extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

namespace emulator::base {
namespace {

using Names = std::unordered_set<std::string_view>;

// In front of the name of a managed variable, which is also there without it.
constexpr char managed = '*';

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

const Names& names() {
  static const auto& all = *new Names(read_names());  // never destroyed
  return all;
}

bool is_device_variable(const std::string& name) {
  return names().contains(name);
}

bool is_managed(const std::string& name) {
  return names().contains(managed + name);
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

namespace {

/// The side of a variable that is not to be seen now.
struct OtherSide {
  char* variable;
  std::vector<char> contents;
};

std::vector<OtherSide>& other_sides() {
  static auto& all = *new std::vector<OtherSide>;  // never destroyed
  return all;
}

}  // namespace

void part_device_variables() {
  if (!other_sides().empty()) return;
  for (const Variable& variable : data_variables()) {
    auto* const begin = std::bit_cast<char*>(variable.begin);
    // What nobody can write has but one side.
    if (begin < &__data_start[0] || begin >= &_end[0]) continue;
    if (!is_device_variable(variable.name)) continue;
    other_sides().push_back({begin, std::vector<char>(begin, begin + variable.bytes)});
  }
  if (&__start_emulator_constant[0] != &__stop_emulator_constant[0]) {
    other_sides().push_back(
        {__start_emulator_constant,
         std::vector<char>(__start_emulator_constant, __stop_emulator_constant)});
  }
}

bool touches_parted(std::uintptr_t begin, std::size_t bytes) {
  return std::any_of(other_sides().begin(), other_sides().end(), [&](const OtherSide& side) {
    const auto first = reinterpret_cast<std::uintptr_t>(side.variable);
    return begin < first + side.contents.size() && first < begin + bytes;
  });
}

bool is_in_parted(std::uintptr_t begin, std::size_t bytes) {
  return std::any_of(other_sides().begin(), other_sides().end(), [&](const OtherSide& side) {
    const std::size_t offset = begin - reinterpret_cast<std::uintptr_t>(side.variable);
    return offset <= side.contents.size() && bytes <= side.contents.size() - offset;
  });
}

namespace {

// What devices have each for itself.
struct OwnVariable {
  char* begin;
  std::size_t bytes;
};

struct OwnVariables {
  std::vector<OwnVariable> all;
  std::vector<std::vector<char>> first;                  // what each held at the beginning
  std::map<int, std::vector<std::vector<char>>> of_one;  // and holds on a device

  OwnVariables() {
    for (const Variable& variable : data_variables()) {
      auto* const begin = std::bit_cast<char*>(variable.begin);
      if (begin < &__data_start[0] || begin >= &_end[0]) continue;
      if (!is_device_variable(variable.name) || is_managed(variable.name)) continue;
      all.push_back({begin, variable.bytes});
    }
    if (&__start_emulator_constant[0] != &__stop_emulator_constant[0]) {
      all.push_back(
          {__start_emulator_constant,
           static_cast<std::size_t>(__stop_emulator_constant - __start_emulator_constant)});
    }
    first = contents();
  }

  std::vector<std::vector<char>> contents() const {
    std::vector<std::vector<char>> result;
    for (const auto& [begin, bytes] : all) result.emplace_back(begin, begin + bytes);
    return result;
  }
};

OwnVariables& own_variables() {
  static auto& variables = *new OwnVariables;  // never destroyed
  return variables;
}

}  // namespace

void note_first_variables() {
  own_variables();
}

void keep_variables_of(int device) {
  own_variables().of_one[device] = own_variables().contents();
}

void bring_variables_of(int device) {
  const OwnVariables& own = own_variables();
  const auto found = own.of_one.find(device);
  const auto& contents = found != own.of_one.end() ? found->second : own.first;
  for (std::size_t i = 0; i < own.all.size(); ++i) {
    std::copy(contents[i].begin(), contents[i].end(), own.all[i].begin);
  }
}

void exchange_device_variables() {
  for (OtherSide& side : other_sides()) {
    std::swap_ranges(side.contents.begin(), side.contents.end(), side.variable);
  }
}

}  // namespace emulator::base
