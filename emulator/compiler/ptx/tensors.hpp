#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ptx/symbol_table.hpp"

/// \file
/// Copies of boxes of tensors: `cp.async.bulk.tensor.2d...`, whose operand `[map, {x, y}]` no other
/// instruction has.

namespace emulator::compiler::ptx {

/// Whether the name is that of such an instruction.
bool is_tensor_instruction(std::string_view name);

/// The instruction as C++. Refuses what is not known, or does not fit.
std::string tensor_instruction(const SymbolTable& symbols, std::string_view name,
                               const std::vector<std::string_view>& arguments);

/// The section on them of instruction_list().
std::string tensor_instruction_list();

}  // namespace emulator::compiler::ptx
