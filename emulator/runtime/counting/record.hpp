#pragma once
/// \file
/// Accesses that are recorded by other files than the one that the compiler's calls come to.

namespace emulator::detail {

/// Records an access to one byte, a part of a larger one, made by the instruction before `pc`.
void record_byte(const void* address, bool is_store, const void* pc);

}  // namespace emulator::detail
