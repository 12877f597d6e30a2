#pragma once
#pragma GCC system_header
/// \file
/// In which of the orders that CUDA allows the work in streams is done, for programs that want to
/// try several: what `EMULATOR_ORDER` in the environment says for a whole program.

#include <string>

namespace emulator {

/// Runs what waits in the streams, and does what comes in another order: `issue`, `late`, or a
/// number, the seed of a random order. See docs/emucc.md.
/// \throws std::invalid_argument if the text is not one of these
void set_order(const std::string& text);

/// The order that holds, as text.
std::string order();

}  // namespace emulator
