#pragma once

#include <cstddef>

#include "compiler/text/token_text.hpp"

/// \file
/// Where a statement begins.

namespace emulator::compiler::text {

/// Whether a statement begins at token i, to judge by what is before it.
bool begins_statement(const TokenText& text, std::size_t i);

}  // namespace emulator::compiler::text
