#pragma once
/// \file
/// What host code does wrong with memory, and launches that CUDA refuses. To be called only while
/// the checks are on.

#include <cstddef>
#include <string>

#include "base/host_state.hpp"

namespace emulator::detail {

/// Finds out why memory could not be freed: `double-free` or `invalid-free`.
/// \param function the API's function that was asked to
void find_bad_free(const void* pointer, const char* function);

/// Host code uses memory that is the device's, or nobody's: `device-pointer`. To be called where it
/// faulted, before the program ends by it.
void find_host_access(const void* address);

/// One side of a copy, or what is to be set, is not what it has to be: `invalid-copy`, a note
/// beside the error that the API's function returns. \param side what it is called: "destination"
/// \param bytes from the pointer to the end of what is copied
/// \param of_device whether it has to be the device's; else it has to be the host's, or may be
/// either
void find_bad_copy(const char* side, const void* pointer, std::size_t bytes, bool of_device);

/// Memory that is still allocated: `leak`, one for each place where some was.
void find_leaks();

/// A launch that cannot be: `invalid-launch`.
/// \param reason what is too large and what the limit is
void find_invalid_launch(const char* kernel, const std::string& reason, const std::string& remedy);

/// `4000 bytes allocated by cudaMalloc`: an allocation in a finding's words.
std::string describe(const Allocation& allocation);

/// The function that frees what `made_by` allocates.
const char* function_to_free(const Allocation& allocation);

}  // namespace emulator::detail
