#pragma once
/// \file
/// Copies to and from arrays, as boxes of bytes.

#include <cstddef>

#include "base/rooms.hpp"
#include "emulator/host/arrays.h"
#include "events/tasks.hpp"

namespace emulator::textures {

enum class Way { to_array, from_array, on_device };

/// Whether that kind of a copy goes that way. An array is on the device, whatever the other side
/// is.
bool goes(cudaMemcpyKind kind, Way way);

/// One side of a copy, by an array or by a pointer.
struct CopyEnd {
  cudaArray_const_t array;
  cudaPos position;  ///< in the array, in bytes
  const void* pointer;
  std::size_t pitch;
};

/// The box of that extent there. False if it does not fit into the array.
bool place(const CopyEnd& end, const cudaExtent& extent, Box& box);

/// The same of `bytes` that follow each other from a place in an array on: its rows have no gaps
/// between them.
bool place_line(const CopyEnd& end, std::size_t bytes, Box& box);

/// The copy that cudaMemcpy3D() is asked for if one side is an array.
cudaError_t make_array_copy(const cudaMemcpy3DParms& parameters, const Sides& sides,
                            CopyTask& copy);

}  // namespace emulator::textures
