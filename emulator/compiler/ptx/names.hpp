#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ptx/code.hpp"

/// \file
/// Names of instructions: which row of the tables one means, and the list of all.

namespace emulator::compiler::ptx {

/// A name that fits a row.
struct InstructionMatch {
  const Instruction* row = nullptr;
  std::vector<std::string_view> parts;  ///< what parentheses and brackets stand for, dot included
  std::string_view type;                ///< by which the name ends
  std::string name;                     ///< the rest of it
};

/// Whether the text fits the pattern, and what its parentheses stand for.
bool fits_pattern(std::string_view pattern, std::string_view text,
                  std::vector<std::string_view>& parts);

/// A name without the parts that change nothing here.
std::string canonical_name(std::string_view name);

/// The rows that a name fits. Their text must outlive them.
std::vector<InstructionMatch> instruction_matches(std::string_view name);

/// Patterns of those instructions that begin with the same word.
std::string similar_instructions(std::string_view name);

}  // namespace emulator::compiler::ptx
