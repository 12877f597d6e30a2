#pragma once
/// \file
/// What the device says of itself.

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"

namespace emulator::base {

/// What cudaDeviceGetAttribute() returns; 0 for what is not modelled.
int attribute(cudaDeviceAttr wanted);

/// The properties of textures and surfaces.
void tell_of_textures(cudaDeviceProp& p);

/// What CUDA 12 returned, and CUDA 13 does not: the last of the reserved numbers, in the order of
/// emulator/host/device_types.h.
void tell_what_is_removed(cudaDeviceProp& p);

}  // namespace emulator::base
