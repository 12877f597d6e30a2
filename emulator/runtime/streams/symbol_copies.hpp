#pragma once
/// \file
/// The copies that the functions for symbols ask for, with the checks that a GPU's driver makes.

#include <cstddef>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "events/tasks.hpp"

namespace emulator::streams {

/// Whether the object is a variable of the program or of a library, as symbols are; writable, if it
/// is to be written. Objects on a stack or on the heap are not. Where the host is not trusted, one
/// that can be written must be the device's, all `bytes` of it.
bool is_variable(const void* object, std::size_t bytes, bool writable);

cudaError_t make_copy_to_symbol(void* symbol, std::size_t symbol_bytes, const void* source,
                                std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                CopyTask& copy);
cudaError_t make_copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                                  std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                  CopyTask& copy);

}  // namespace emulator::streams
