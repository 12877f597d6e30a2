#pragma once
#pragma GCC system_header
/// \file
/// How a warp loads and stores a matrix of wmma's.

namespace emulator::detail {

/// Waits until all lanes of the warp are there, as they must be.
/// \param name of the function, for messages
/// \param site where the kernel calls it
void meet_for_matrix(const char* name, const void* site);

/// Whether a matrix is in the block's shared memory. Other blocks' of the cluster is no such
/// place.
bool is_in_shared_memory(const void* matrix);

/// Records that the calling lane loads or stores that many bytes of a matrix.
void record_matrix_load(const void* from, unsigned bytes, const void* site);
void record_matrix_store(const void* to, unsigned bytes, const void* site);

/// For the checks: a matrix of wmma's must begin at a multiple of 32 bytes, and its rows or columns
/// must follow each other at a multiple of 16 bytes.
void check_matrix(const void* matrix, unsigned long stride_in_bytes, const void* site);

}  // namespace emulator::detail
