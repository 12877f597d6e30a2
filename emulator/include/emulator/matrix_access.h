#pragma once
#pragma GCC system_header
/// \file
/// How a warp loads and stores a matrix of wmma's, element by element.

namespace emulator::detail {

/// Waits until all lanes of the warp are there, as they must be.
/// \param name of the function, for messages
/// \param site where the kernel calls it
void meet_for_matrix(const char* name, const void* site);

/// Moves elements that lie side by side between a matrix in memory and the calling lane's fragment.
void load_matrix_elements(void* fragment, const void* matrix, unsigned bytes, const void* site);
void store_matrix_elements(void* matrix, const void* fragment, unsigned bytes, const void* site);

/// For the checks: a matrix of wmma's must begin at a multiple of 32 bytes, and its rows or columns
/// must follow each other at a multiple of 16 bytes.
void check_matrix(const void* matrix, unsigned long stride_in_bytes, const void* site);

}  // namespace emulator::detail
