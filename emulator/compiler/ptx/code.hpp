#pragma once

#include <string>
#include <string_view>
#include <vector>

/// \file
/// PTX in the source, taken apart: from the text of an asm statement to C++ that calls a function
/// of the emulator's for each instruction. The instructions are listed in tables: those of
/// instructions.cpp, integer_instructions.cpp and float_instructions.cpp, and that of loads, stores
/// and atomic operations in memory.cpp.

namespace emulator::compiler::ptx {

/// `"=r"(x)`, or `[sum] "+f"(y)`.
struct Operand {
  std::string name;        ///< empty if it has none
  std::string constraint;  ///< `=r`
  std::string expression;  ///< in parentheses
};

/// An asm statement: its text, `%%` made `%`, and what comes after the colons.
struct Statement {
  std::string code;
  std::vector<Operand> outputs;
  std::vector<Operand> inputs;
};

/// The statement as an expression of C++. What is not known, or does not fit, becomes a call that
/// the compiler refuses where it is really made, with a sentence that says what is wrong.
/// \param number makes names that no other statement has
std::string translate_statement(const Statement& statement, std::size_t number);

/// An instruction that is modelled.
///
/// Its name is a pattern, or several: of `(.a|.b)` one is in the name, of `[.a|.b]` one or
/// none. The operands are a list of kinds: `t` is a value of the type by which the name ends, `w`
/// one of twice that width, `@2` one of the type that the second parentheses have, `u32` and the
/// like themselves, `n` a constant, `s` and `g` addresses of shared memory and of any; before it
/// `=` says that it is written, after it `>` that a larger register will do, and `=t|pred` that a
/// predicate may also be written (the code then has both, as a `Pair`).
struct Instruction {
  std::string_view name;
  std::string_view types;     ///< by which the name ends, or none
  std::string_view operands;  ///< `=t,t,u32`
  /// What it is in C++: $0 is the first operand, T the type, N the name without its dots, @1 what
  /// the first parentheses have, as a type or as an Option, $c the carry.
  std::string_view code;
  std::string_view remark = {};  ///< for the list
};

/// All tables, one after the other.
const std::vector<Instruction>& general_instructions();
const std::vector<Instruction>& integer_instructions();
const std::vector<Instruction>& float_instructions();

/// A special register in C++; empty if it is not modelled.
std::string_view special_register(std::string_view name);

std::vector<std::string_view> special_register_names();

/// The list of all that is modelled, for people: Markdown.
std::string instruction_list();

}  // namespace emulator::compiler::ptx
