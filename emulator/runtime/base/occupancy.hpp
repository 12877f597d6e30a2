#pragma once
/// \file
/// How many blocks of a kernel a multiprocessor holds at a time.

#include <cstddef>

#include "base/host_state.hpp"
#include "base/rooms.hpp"

namespace emulator::base {

/// The threads that a block of the kernel may have by its `__launch_bounds__`: 1,024 without, and
/// for a kernel that is not the program's own or whose program has no symbol table.
int largest_block(const void* function);

/// The blocks of that size that fit, by the limits of the device (host_state.hpp) on threads,
/// blocks and shared memory. A GPU also asks how many registers a thread takes, which the emulator
/// does not know: it takes them to be few enough (32 a thread with full multiprocessors). Static
/// shared memory is not known either and taken for none. \return 0 for a block that no launch could
/// have
int resident_blocks(const void* function, int block_size, std::size_t dynamic_shared_bytes);

/// The clusters of `blocks` blocks that the device holds at a time, where a multiprocessor holds
/// `resident` of these. That a GPU's multiprocessors come in groups, which no cluster may leave, is
/// left out.
inline int clusters_at_once(int resident, unsigned blocks) {
  return resident * multiprocessors() / static_cast<int>(blocks);
}

}  // namespace emulator::base
