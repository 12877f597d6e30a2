#pragma once
#pragma GCC system_header
/// \file
/// Asynchronous copies from global to shared memory, as functions: what
/// cuda_pipeline_primitives.h has. `__pipeline_arrive_on`, which needs a barrier object, is not
/// modelled.

#include <cstddef>

#include "emulator/device/async_copies.h"

/// Starts to copy 4, 8 or 16 bytes, to which both addresses are aligned; the last `zfill` bytes are
/// not read but become 0.
EMULATOR_INLINE void __pipeline_memcpy_async(void* __restrict__ dst_shared,
                                             const void* __restrict__ src_global,
                                             std::size_t size_and_align, std::size_t zfill = 0) {
  ::emulator::detail::start_copy(dst_shared, src_global, size_and_align, zfill);
}

/// Makes a batch of the copies started since the last one.
EMULATOR_INLINE void __pipeline_commit() {
  ::emulator::detail::commit_copies();
}

/// Waits for the thread's own batches, but for the newest `prior`. A barrier must follow before
/// other threads may read what was copied.
EMULATOR_INLINE void __pipeline_wait_prior(std::size_t prior) {
  ::emulator::detail::wait_for_copies(prior);
}
