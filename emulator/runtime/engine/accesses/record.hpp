#pragma once
/// \file
/// Accesses that are recorded by other files than the one that the compiler's calls come to.

#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"
#include "events/async_events.hpp"

namespace emulator::engine {

/// Records such an event, made at `pc`.
void record_event(AsyncEvent event, std::uint64_t address, const void* pc);

/// Records a barrier that is not the hardware's: threads of the block are waited for otherwise.
void record_block_wait(const void* pc);

/// Records the start of the block's bulk copy of that number; `is_in`: to shared memory.
void record_bulk_copy(std::size_t number, bool is_in, const void* pc);

/// Records an access to one byte, a part of a larger one, made by the instruction before `pc`.
void record_byte(const void* address, bool is_store, const void* pc);

/// Records a store of a runtime function's own, made at `pc`. (A load: record_load().)
void record_store(const void* address, unsigned bytes, const void* pc);

/// The same for the checks only: a store to device memory of which nobody knows how a GPU does it.
void record_uncounted_store(const void* address, unsigned bytes, const void* pc);

/// Records that ldmatrix at `pc` loads this row of 16 bytes.
void record_matrix_row(const void* row, const void* pc);

}  // namespace emulator::engine
