#pragma once
#pragma GCC system_header
/// \file
/// The emulator's stand-in for NVIDIA's header of the same name: what a .cu file needs to compile
/// with g++ and to run on a machine without a GPU.

#ifndef __cplusplus
#include "emulator/c_api.h"
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

#include "emulator/arrays.h"
#include "emulator/atomics.h"
#include "emulator/bits.h"
#include "emulator/cccl.h"
#include "emulator/dpx.h"
#include "emulator/fences.h"
#include "emulator/graphs.h"
#include "emulator/host_api.h"
#include "emulator/host_types.h"
#include "emulator/launch.h"
#include "emulator/launch_api.h"
#include "emulator/launch_config.h"
#include "emulator/math.h"
#include "emulator/memory_functions.h"
#include "emulator/memory_hints.h"
#include "emulator/nv_atomics.h"
#include "emulator/ptx.h"
#include "emulator/qualifiers.h"
#include "emulator/removed_functions.h"
#include "emulator/simd.h"
#include "emulator/special_registers.h"
#include "emulator/surfaces.h"
#include "emulator/texture_references.h"
#include "emulator/textures.h"
#include "emulator/unmodelled.h"
#include "emulator/unmodelled_device.h"
#include "emulator/vector_types.h"
#include "emulator/warp.h"

#endif  // __cplusplus
