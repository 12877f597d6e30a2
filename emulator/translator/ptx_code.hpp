#pragma once

#include <string>
#include <string_view>
#include <vector>

/// \file
/// PTX in the source, taken apart: from the text of an asm statement to C++ that calls a function
/// of the emulator's for each instruction. Which instructions there are stands in one table, in
/// ptx_instructions.cpp.

namespace emulator {

/// `"=r"(x)`, or `[sum] "+f"(y)`.
struct PtxOperand {
  std::string name;        ///< empty if it has none
  std::string constraint;  ///< `=r`
  std::string expression;  ///< in parentheses
};

/// An asm statement: its text, `%%` made `%`, and what stands behind the colons.
struct PtxStatement {
  std::string code;
  std::vector<PtxOperand> outputs;
  std::vector<PtxOperand> inputs;
};

/// The statement as an expression of C++. What is not known, or does not fit, becomes a call that
/// the compiler refuses where it is really made, with a sentence that says what is wrong.
/// \param number makes names that no other statement has
std::string translated_ptx(const PtxStatement& statement, std::size_t number);

/// An instruction that is modelled.
struct PtxInstruction {
  std::string_view name;      ///< `add`, or several; types are those of the next member
  std::string_view types;     ///< by which the name ends, or none
  std::string_view operands;  ///< `=t,t,u32`: = is written; t is the type; see ptx_code.cpp
  std::string_view code;      ///< what it is in C++: $0 is the first operand, T the type
};
const std::vector<PtxInstruction>& ptx_instructions();

/// A special register in C++; empty if it is not modelled.
std::string_view ptx_register(std::string_view name);

}  // namespace emulator
