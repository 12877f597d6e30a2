#pragma once
/// \file
/// Copies to and from arrays, as boxes of bytes.

#include "streams/tasks.hpp"

namespace emulator::detail {

/// The copy that cudaMemcpy3D() is asked for if one side is an array.
cudaError_t make_array_copy(const cudaMemcpy3DParms& parameters, const Sides& sides,
                            CopyTask& copy);

}  // namespace emulator::detail
