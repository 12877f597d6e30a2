#pragma once
#pragma GCC system_header
/// \file
/// The emulator's stand-in for NVIDIA's header of the same name: what a .cu file needs to compile
/// with g++ and to run on a machine without a GPU.

#ifndef __cplusplus
#include "emulator/host/c_api.h"
#else

/// Tells common/ (and nothing else) that the emulator is below.
#define CUDA_EMULATOR 1

/// Programs ask by this name of NVIDIA's include guard whether the runtime's functions are there.
#define __CUDA_RUNTIME_H__

// What NVIDIA's header brings along, and programs rely on. No more: printf(), assert() and
// std::uint64_t have to be included, as for nvcc.
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "emulator/cccl.h"
#include "emulator/device/atomics.h"
#include "emulator/device/fences.h"
#include "emulator/device/memory_functions.h"
#include "emulator/device/memory_hints.h"
#include "emulator/device/nv_atomics.h"
#include "emulator/device/printing.h"
#include "emulator/device/special_registers.h"
#include "emulator/device/surfaces.h"
#include "emulator/device/textures.h"
#include "emulator/device/unmodelled_device.h"
#include "emulator/device/vector_types.h"
#include "emulator/device/warp.h"
#include "emulator/host/arrays.h"
#include "emulator/host/graphs.h"
#include "emulator/host/host_api.h"
#include "emulator/host/host_types.h"
#include "emulator/host/launch.h"
#include "emulator/host/launch_api.h"
#include "emulator/host/launch_config.h"
#include "emulator/host/removed_functions.h"
#include "emulator/host/texture_references.h"
#include "emulator/host/unmodelled.h"
#include "emulator/numbers/bits.h"
#include "emulator/numbers/dpx.h"
#include "emulator/numbers/math.h"
#include "emulator/numbers/simd.h"
#include "emulator/ptx/ptx.h"
#include "emulator/qualifiers.h"

#endif  // __cplusplus
