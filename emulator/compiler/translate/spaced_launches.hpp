#pragma once

#include <string>

/// \file
/// Launches that some formatters have pulled apart: `kernel << <grid, block >> >(x)`. nvcc takes
/// them.

namespace emulator::compiler::translate {

/// Closes up `<< <` to `<<<`, and the `>> >` that belongs to it to `>>>`. The blanks go after it,
/// so that everything else stays in its column. `<< <` means nothing else in C++.
void join_launch_brackets(std::string& text);

}  // namespace emulator::compiler::translate
