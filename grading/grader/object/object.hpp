/// @file
/// What a student's object file holds: what it asks of others, and what it must not hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/object/allowed_symbols.hpp"

namespace course::tool::grading {

using Lines = std::vector<std::string>;

/// A line of `nm`.
struct Symbol {
  std::string name;
  char type = '?';

  bool is_undefined() const { return type == 'U' || type == 'w' || type == 'v'; }
  /// Defined, and seen by other objects. Weak ones and those that are unique in a program are.
  bool is_global() const {
    return !is_undefined() && ((type >= 'A' && type <= 'Z') || type == 'u' || type == 'i');
  }
};

/// Reads what `nm` prints of one 64-bit object file; nothing if a line is not of that form.
std::optional<std::vector<Symbol>> read_symbols(const Lines& output);

/// Why an object is refused by the symbols that it has, as a line: "uses fork(), which no solution
/// needs". Nothing if it is not.
std::optional<std::string> refused_for_symbols(const std::vector<Symbol>& symbols,
                                               const Permissions& needs);

/// The same by its instructions.
/// @param disassembly what `objdump -d --no-show-raw-insn` prints
std::optional<std::string> refused_for_instructions(const Lines& disassembly);

/// The same by where its data lie.
/// @param sections what `objdump -hw` prints
/// @param symbols what `objdump -t` prints
std::optional<std::string> refused_for_data(const Lines& sections, const Lines& symbols);

/// The functions that a linker missed, mangled, from its complaints.
std::vector<std::string> undefined_references(const Lines& complaints);

}  // namespace course::tool::grading
