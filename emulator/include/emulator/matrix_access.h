#pragma once
#pragma GCC system_header
/// \file
/// How a warp loads and stores a matrix of wmma's, element by element.

namespace emulator::detail {

/// Waits until all lanes of the warp are there, as they must be.
/// \param name of the function, for messages
/// \param site where the kernel calls it
void meet_for_matrix(const char* name, const void* site);

/// Records an access that the calling lane is about to make.
void record_of_matrix(const void* place, unsigned bytes, bool is_store, const void* site);

/// For the checks: a matrix of wmma's must begin at a multiple of 32 bytes, and its rows or columns
/// must follow each other at a multiple of 16 bytes.
void check_matrix(const void* matrix, unsigned long stride_in_bytes, const void* site);

}  // namespace emulator::detail
