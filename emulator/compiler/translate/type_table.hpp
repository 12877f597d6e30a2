#pragma once

#include <optional>
#include <string>

#include "compiler/text/line_map.hpp"
#include "compiler/text/token_text.hpp"

/// \file
/// What the runtime has to know about a program's types. A GPU moves a structure in pieces that
/// its alignment allows; g++ tells the runtime only its size.

namespace emulator::compiler::translate {

/// Definitions to append to a program: sizes and alignments of its types, in the section
/// `emulator_types`. Empty if there are none.
///
/// - The types are the classes that the program defines in namespaces, whatever these are, and
///   those of CUDA's vector types that it mentions, if they are wider than one access. Left out are
///   classes from system headers, templates and their instances, and classes inside classes and
///   functions.
/// - The size of a class that is not copied whole, but by a function, is given as 0.
///
/// \return Nothing for a text whose brackets do not match, or that ends in the middle of a
///         declaration: the compiler has enough to say about it.
std::optional<std::string> type_table(const text::TokenText& text, const text::LineMap& lines);

}  // namespace emulator::compiler::translate
