#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Matrix instructions of PTX, whose names say so much that no table could list them.

namespace emulator {

/// An operand that is several registers in braces, `{%0, %1}`, or an address.
struct PtxRegisters {
  enum class Use { written, read, address };
  Use use;
  unsigned count;         ///< of registers
  std::string_view type;  ///< of each of them
};

/// A matrix instruction that is modelled.
struct PtxMatrixInstruction {
  std::vector<PtxRegisters> operands;
  std::string function;  ///< what it calls in C++, with its template arguments
};

/// The matrix instruction of that name; none if it is not one that is modelled.
std::optional<PtxMatrixInstruction> ptx_matrix_instruction(std::string_view name);

/// How those that are modelled begin, for a message.
constexpr std::string_view ptx_matrix_names =
    "mma.sync (f16, bf16, tf32, f64, s8, u8, s4, u4, b1), ldmatrix, stmatrix";

}  // namespace emulator
