#pragma once
#pragma GCC system_header
/// \file
/// CUDA's built-in vector types (`float4`, `int2`, ...), `dim3`, and the `make_` functions.
///
/// Sizes and alignments are CUDA's, because an aligned vector is loaded and stored in one access:
/// `float4` is one access of 16 bytes, but `float3`, aligned to 4, is three accesses of 4 bytes.
/// The four-component types of 8-byte elements come in three forms: the plain one and `_16a` are
/// aligned to 16 bytes, `_32a` to 32.

#include "emulator/inline.h"

/// Defines the vectors `name1` to `name3` of elements of type `T`; only the two-component one is
/// aligned.
#define EMULATOR_VECTORS_1_TO_3(name, T)                                     \
  struct name##1 {                                                           \
    T x;                                                                     \
  };                                                                         \
  struct alignas(2 * sizeof(T)) name##2 {                                    \
    T x, y;                                                                  \
  };                                                                         \
  struct name##3 {                                                           \
    T x, y, z;                                                               \
  };                                                                         \
  EMULATOR_INLINE constexpr name##1 make_##name##1(T x) noexcept {           \
    return {x};                                                              \
  }                                                                          \
  EMULATOR_INLINE constexpr name##2 make_##name##2(T x, T y) noexcept {      \
    return {x, y};                                                           \
  }                                                                          \
  EMULATOR_INLINE constexpr name##3 make_##name##3(T x, T y, T z) noexcept { \
    return {x, y, z};                                                        \
  }

/// Defines one four-component vector, aligned to `alignment` bytes.
#define EMULATOR_VECTOR_4(name, T, alignment)                               \
  struct alignas(alignment) name {                                          \
    T x, y, z, w;                                                           \
  };                                                                        \
  EMULATOR_INLINE constexpr name make_##name(T x, T y, T z, T w) noexcept { \
    return {x, y, z, w};                                                    \
  }

/// All vectors of a type of at most 4 bytes.
#define EMULATOR_SMALL_VECTORS(name, T) \
  EMULATOR_VECTORS_1_TO_3(name, T)      \
  EMULATOR_VECTOR_4(name##4, T, 4 * sizeof(T))

/// All vectors of an 8-byte type.
#define EMULATOR_LARGE_VECTORS(name, T) \
  EMULATOR_VECTORS_1_TO_3(name, T)      \
  EMULATOR_VECTOR_4(name##4, T, 16)     \
  EMULATOR_VECTOR_4(name##4_16a, T, 16) \
  EMULATOR_VECTOR_4(name##4_32a, T, 32)

EMULATOR_SMALL_VECTORS(char, signed char)
EMULATOR_SMALL_VECTORS(uchar, unsigned char)
EMULATOR_SMALL_VECTORS(short, short)
EMULATOR_SMALL_VECTORS(ushort, unsigned short)
EMULATOR_SMALL_VECTORS(int, int)
EMULATOR_SMALL_VECTORS(uint, unsigned int)
EMULATOR_SMALL_VECTORS(float, float)
EMULATOR_LARGE_VECTORS(long, long)
EMULATOR_LARGE_VECTORS(ulong, unsigned long)
EMULATOR_LARGE_VECTORS(longlong, long long)
EMULATOR_LARGE_VECTORS(ulonglong, unsigned long long)
EMULATOR_LARGE_VECTORS(double, double)

#undef EMULATOR_LARGE_VECTORS
#undef EMULATOR_SMALL_VECTORS
#undef EMULATOR_VECTOR_4
#undef EMULATOR_VECTORS_1_TO_3

/// The shape of a grid or a block. Directions that are not given are 1. x is the fast one.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
