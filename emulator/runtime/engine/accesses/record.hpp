#pragma once
/// \file
/// Accesses that are recorded by other files than the one that the compiler's calls come to.

#include <cstddef>
#include <cstdint>

namespace emulator::detail {

/// What else happens to barriers and asynchronous copies, for the checks.
enum class AsyncEvent : unsigned {
  makes_barrier = 1,     ///< an mbarrier is initialised; so are all up to here: with its address
  makes_fenced_barrier,  ///< and no fence is needed
  arrives,               ///< in a phase, whose last bits are in the address; what it did is seen
  uses_barrier,          ///< the same without that
  fences,                ///< towards the asynchronous proxy
  fences_barriers,       ///< only for mbarriers that it has initialised
  copy_has_read,         ///< a bulk copy out, with its number
  copy_has_written,
  reads_operands,  ///< of wgmma: from now on it may; with the number of the copy that stands for it
  stores           ///< asynchronously: from now on it may; likewise
};

/// Records such an event, made at `pc`.
void record_event(AsyncEvent event, std::uint64_t address, const void* pc);

/// Records the start of the block's bulk copy of that number; `is_in`: to shared memory.
void record_bulk_copy(std::size_t number, bool is_in, const void* pc);

/// Records an access to one byte, a part of a larger one, made by the instruction before `pc`.
void record_byte(const void* address, bool is_store, const void* pc);

/// Records a store of a runtime function's own, made at `pc`. (A load: record_load().)
void record_store(const void* address, unsigned bytes, const void* pc);

/// The same for the checks only: a store to device memory of which nobody knows how a GPU does it.
void record_uncounted_store(const void* address, unsigned bytes, const void* pc);

namespace access_flags {
/// Of a load: it is the lane's row of ldmatrix. (The bit says is_ordered of what stores.)
inline constexpr unsigned is_matrix_row = 0x80;
}  // namespace access_flags

/// Records that ldmatrix at `pc` loads this row of 16 bytes.
void record_matrix_row(const void* row, const void* pc);

}  // namespace emulator::detail
