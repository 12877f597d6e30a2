#pragma once
#pragma GCC system_header
/// \file
/// Loads and stores with a cache hint: `__ldg` (read-only cache), `__ldca`, `__ldcg`, `__ldcs`,
/// `__ldlu`,
/// `__ldcv`, and `__stwb`, `__stcg`, `__stcs`, `__stwt`.
///
/// The emulator has no caches, so a hint changes nothing but that the checks look at what `__ldg()`
/// reads: each is one plain access of the whole
/// type, counted for the calling line. The types are those for which CUDA declares the functions; a
/// `float3`, which no single instruction can move, is an error here as it is there.

#include "emulator/device/vector_types.h"
#include "emulator/inline.h"

namespace emulator::detail {

/// Tells the checks that the running thread is about to load from there what its kernel does not
/// write. Defined by the runtime; its return address is in the line of the kernel.
void note_read_only(const void* address);

EMULATOR_INLINE void promise_read_only([[maybe_unused]] const void* address) {
#ifndef EMULATOR_FAST
  note_read_only(address);
#endif
}

}  // namespace emulator::detail

#define EMULATOR_LOAD_READ_ONLY(name, T)        \
  EMULATOR_INLINE T name(const T* ptr) {        \
    ::emulator::detail::promise_read_only(ptr); \
    return *ptr;                                \
  }
#define EMULATOR_LOAD(name, T)           \
  EMULATOR_INLINE T name(const T* ptr) { \
    return *ptr;                         \
  }
#define EMULATOR_STORE(name, T)                \
  EMULATOR_INLINE void name(T* ptr, T value) { \
    *ptr = value;                              \
  }
#define EMULATOR_MEMORY_HINTS(T)    \
  EMULATOR_LOAD_READ_ONLY(__ldg, T) \
  EMULATOR_LOAD(__ldca, T)          \
  EMULATOR_LOAD(__ldcg, T)          \
  EMULATOR_LOAD(__ldcs, T)          \
  EMULATOR_LOAD(__ldlu, T)          \
  EMULATOR_LOAD(__ldcv, T)          \
  EMULATOR_STORE(__stwb, T)         \
  EMULATOR_STORE(__stcg, T)         \
  EMULATOR_STORE(__stcs, T)         \
  EMULATOR_STORE(__stwt, T)

EMULATOR_DEVICE_ONLY_BEGIN

EMULATOR_MEMORY_HINTS(char)
EMULATOR_MEMORY_HINTS(signed char)
EMULATOR_MEMORY_HINTS(unsigned char)
EMULATOR_MEMORY_HINTS(short)
EMULATOR_MEMORY_HINTS(unsigned short)
EMULATOR_MEMORY_HINTS(int)
EMULATOR_MEMORY_HINTS(unsigned int)
EMULATOR_MEMORY_HINTS(long)
EMULATOR_MEMORY_HINTS(unsigned long)
EMULATOR_MEMORY_HINTS(long long)
EMULATOR_MEMORY_HINTS(unsigned long long)
EMULATOR_MEMORY_HINTS(float)
EMULATOR_MEMORY_HINTS(double)
EMULATOR_MEMORY_HINTS(char2)
EMULATOR_MEMORY_HINTS(char4)
EMULATOR_MEMORY_HINTS(uchar2)
EMULATOR_MEMORY_HINTS(uchar4)
EMULATOR_MEMORY_HINTS(short2)
EMULATOR_MEMORY_HINTS(short4)
EMULATOR_MEMORY_HINTS(ushort2)
EMULATOR_MEMORY_HINTS(ushort4)
EMULATOR_MEMORY_HINTS(int2)
EMULATOR_MEMORY_HINTS(int4)
EMULATOR_MEMORY_HINTS(uint2)
EMULATOR_MEMORY_HINTS(uint4)
EMULATOR_MEMORY_HINTS(longlong2)
EMULATOR_MEMORY_HINTS(ulonglong2)
EMULATOR_MEMORY_HINTS(float2)
EMULATOR_MEMORY_HINTS(float4)
EMULATOR_MEMORY_HINTS(double2)

/// The address with a hint of how level 2 shall keep what is there. `cuda::annotated_ptr` gives it
/// from sm_80 on.
EMULATOR_INLINE void* __nv_associate_access_property(const void* ptr, unsigned long long) {
  return const_cast<void*>(ptr);
}

EMULATOR_DEVICE_ONLY_END

#undef EMULATOR_MEMORY_HINTS
#undef EMULATOR_STORE
#undef EMULATOR_LOAD
#undef EMULATOR_LOAD_READ_ONLY
