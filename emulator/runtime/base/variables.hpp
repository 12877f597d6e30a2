#pragma once
/// \file
/// The program's variables, by their addresses, from its own ELF symbol table: names and sizes of
/// `__device__`, `__constant__` and `__shared__` arrays. A stripped program has none.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::base {

/// A variable of the program.
struct Variable {
  std::string name;          ///< without scopes: `tile`, not `kernel(float*)::tile`
  std::uintptr_t begin = 0;  ///< its address; of a shared variable: its offset
  std::size_t bytes = 0;     ///< its size
  bool weak = false;         ///< of a template or an inline function: the linker keeps one of many
};

/// The variable with static storage that holds the byte at `address`.
std::optional<Variable> find_data_variable(std::uintptr_t address);

/// The `__shared__` variable that holds the byte at `offset` of the program's thread-local storage,
/// which is where shared memory lies.
std::optional<Variable> find_shared_variable(std::uintptr_t offset);

/// Where the compiler notes which `__shared__` variables it has constructed: offsets of bytes.
const std::vector<std::uintptr_t>& shared_guards();

/// The variable that an access beside every variable was meant for: the one that ends or begins
/// nearest to the address.
std::optional<Variable> nearest_data_variable(std::uintptr_t address);
std::optional<Variable> nearest_shared_variable(std::uintptr_t offset);

/// All variables with static storage, by address.
std::vector<Variable> data_variables();

/// Whether the program has a symbol table.
bool has_variables();

}  // namespace emulator::base
