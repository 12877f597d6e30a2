#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/line_map.hpp"

/// \file
/// What a compiler for GPUs can see of a call such as `atomicAdd(&count, 1)`, and makes use of:
/// where all lanes add to one address it adds up the warp's values first, and where every lane adds
/// 1 the hardware counts them. The runtime counts accordingly, but sees addresses and values only
/// as they come; so the call passes it on.

namespace emulator::compiler::translate {

/// An atomic function's first argument, and the function to put around it.
struct AtomicHint {
  std::size_t before;      ///< token: the `(` of the call
  std::size_t last;        ///< token: the last of the first argument
  std::string begin_text;  ///< `::emulator::atomic_hint<BITS>(`; what follows the argument is `)`
};

/// The calls in the program's own text of which there is something to tell, in its order.
///
/// An address is taken to be the same for all lanes if nothing is in it but numbers, the kernel's
/// parameters, variables of the device's (shared ones among them), indices and extents of blocks
/// and of the grid, and local variables that are computed from such once. nvcc sees a little more:
/// loop variables that run alike in all lanes, and through functions that it inlines.
std::vector<AtomicHint> atomic_hints(const text::CudaText& text, const text::LineMap& lines);

}  // namespace emulator::compiler::translate
