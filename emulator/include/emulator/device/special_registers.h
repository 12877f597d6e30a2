#pragma once
#pragma GCC system_header
/// \file
/// The special registers of PTX that mean something here. The translator writes these functions in
/// place of `asm("mov.u32 %0, %%laneid;" : "=r"(x))`.

#include <time.h>

#include "emulator/device/fences.h"
#include "emulator/host/launch.h"
#include "emulator/inline.h"

namespace emulator::special {

EMULATOR_INLINE unsigned laneid() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}
EMULATOR_INLINE unsigned lanemask_eq() {
  return 1U << laneid();
}
EMULATOR_INLINE unsigned lanemask_lt() {
  return lanemask_eq() - 1;
}
EMULATOR_INLINE unsigned lanemask_le() {
  return lanemask_lt() | lanemask_eq();
}
EMULATOR_INLINE unsigned lanemask_gt() {
  return ~lanemask_le();
}
EMULATOR_INLINE unsigned lanemask_ge() {
  return ~lanemask_lt();
}
/// Of the block, in the order of its threads. A GPU promises no more than that it is a number.
EMULATOR_INLINE unsigned warpid() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
/// Blocks go round the multiprocessors of an H200; a GPU gives a block to whichever has room.
EMULATOR_INLINE unsigned nsmid() {
  return 132;
}
EMULATOR_INLINE unsigned smid() {
  return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % nsmid();
}
/// As clock64(): it only grows.
EMULATOR_INLINE unsigned long long clock64() {
  return static_cast<unsigned long long>(::clock64());
}
EMULATOR_INLINE unsigned clock() {
  return static_cast<unsigned>(::clock64());
}
EMULATOR_INLINE unsigned long long globaltimer() {
  return static_cast<unsigned long long>(::clock64());
}

}  // namespace emulator::special
