#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ptx/symbol_table.hpp"

/// \file
/// Matrix instructions of PTX, whose names say so much that no table could list them.

namespace emulator::compiler::ptx {

/// An operand that is several registers in braces, `{%0, %1}`, an address, or a constant.
struct MatrixOperand {
  enum class Role { written, read, address, constant };
  Role role;
  unsigned count;         ///< of registers
  std::string_view type;  ///< of each of them
};

/// A matrix instruction that is modelled.
struct MatrixInstruction {
  std::vector<MatrixOperand> operands;
  std::string function;  ///< what it calls in C++, with its template arguments
};

/// The matrix instruction of that name; none if it is not one that is modelled.
std::optional<MatrixInstruction> find_matrix_instruction(std::string_view name);

/// The call in C++ that it becomes, with what is written to its registers.
std::string matrix_instruction(const SymbolTable& symbols, const MatrixInstruction& matrix,
                               std::string_view name, const std::vector<std::string_view>& texts);

/// The section on them of instruction_list().
std::string matrix_instruction_list();

}  // namespace emulator::compiler::ptx
