#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ptx/symbol_table.hpp"

/// \file
/// Loads, stores and atomic operations of PTX. Their names have many parts, in any order.

namespace emulator::compiler::ptx {

/// A family of instructions, and the parts that names in it may have.
struct InstructionFamily {
  std::string_view name;
  std::string_view parts;  ///< besides state space, vector and type; with blanks between them
  std::string_view types;
  std::string_view remark;
  std::string_view spaces = "global shared shared::cta shared::cluster const local";
};
const std::vector<InstructionFamily>& instruction_families();

/// Whether the name is one of a family's.
bool is_memory_instruction(std::string_view name);

/// The instruction as C++. Refuses what is not known, or does not fit.
std::string memory_instruction(const SymbolTable& symbols, std::string_view name,
                               const std::vector<std::string_view>& arguments);

}  // namespace emulator::compiler::ptx
