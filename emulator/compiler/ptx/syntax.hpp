#pragma once

#include <string>
#include <string_view>
#include <vector>

/// \file
/// Words of PTX: how its text is taken apart, and what its types are in C++.

namespace emulator::compiler::ptx {

/// What is wrong with a statement, for its user.
struct StatementError {
  std::string what;
};

inline constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text);

/// Whether a character may be in a name.
bool is_word(char c);

/// The parts between the separators that are in no braces or brackets; empty ones are left out.
std::vector<std::string_view> split(std::string_view text, char by);

/// The parts of an instruction's name, between its dots.
using NameParts = std::vector<std::string_view>;

/// Takes the part away, and says whether it was there.
bool take(NameParts& parts, std::string_view part);

/// A type of PTX's in C++; empty if it is not a type.
std::string_view cpp_type(std::string_view type);

/// Whether a register of the one type may be where the other is wanted: the size must be the
/// same, and only bits may be either integers or floating-point numbers.
/// \param wider whether the register may be larger, as for loads and conversions of integers
bool fits(std::string_view has, std::string_view wanted, bool wider = false);

/// In how many bits a value of the type is kept.
unsigned width(std::string_view type);

}  // namespace emulator::compiler::ptx
