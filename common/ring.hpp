/// @file
/// A ring of stages in shared memory, between warps that copy and warps that multiply (chapters 20
/// and 21), and the registers of both.
#pragma once

#include <cuda/ptx>

#include <cstdint>

namespace course {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define COURSE_OLDER_THAN_HOPPER  // no barrier of these
#endif
/// From here on a thread of this group of four warps has so many registers: fewer than before ...
/// (Only code for sm_90a can say so.)
template <int registers>
__device__ void give_registers() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // sm_90a
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}
/// ... or more. It waits until there are enough.
template <int registers>
__device__ void take_registers() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // sm_90a
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}

/// The barriers of a ring of stages, in shared memory.
template <class T>
struct Ring {
  std::uint64_t full[T::stages];   ///< the stage has arrived
  std::uint64_t empty[T::stages];  ///< all warps have read it
  std::uint64_t all;               ///< all warps that multiply are here
  bool answer[2];                  ///< of thread 0 to all of them
};

/// A place in the ring, and whether it is an odd or an even time that it is used.
template <class T>
struct Turn {
  int stage = 0;
  unsigned parity = 0;
  __device__ void next() {
    if (++stage == T::stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

#ifndef COURSE_OLDER_THAN_HOPPER
inline __device__ void wait(std::uint64_t& barrier, unsigned parity) {
  while (!cuda::ptx::mbarrier_try_wait_parity(&barrier, parity)) {
  }
}
#endif

}  // namespace course
