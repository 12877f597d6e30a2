#pragma once

#include <string>

#include "compiler/text/line_map.hpp"
#include "compiler/text/token_text.hpp"

/// \file
/// What the runtime has to know about a program's device variables. To g++ they are variables like
/// any others; but a kernel may use them and no others.

namespace emulator::compiler::translate {

/// A definition to append to a program: the names of its device variables, each with a null
/// character at its end, in the section `emulator_device_variables`; a managed one's once more,
/// with a star before it. Empty if there are none.
///
/// - Device variables are those declared `__device__` or `__managed__`, be it in namespaces, in
///   classes or in functions, and the static ones of functions that are `__device__` or
///   `__global__`. Those of system headers are left out.
/// - Names are without scopes. The runtime finds addresses and sizes in the symbol table. (A table
///   of addresses would not do: there are variables that cannot be named from outside, and every
///   mistake in a declaration would make for a second message of the compiler's.)
std::string device_variable_table(const text::TokenText& text, const text::LineMap& lines);

}  // namespace emulator::compiler::translate
