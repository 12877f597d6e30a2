#pragma once
#pragma GCC system_header
/// \file
/// The runtime API for files in C: what cuda_runtime.h and cuda_runtime_api.h are to them. The
/// functions are declared once for both languages, in the headers that are included at the end.

typedef struct dim3 {
  unsigned x, y, z;
} dim3;

#define EMULATOR_VECTORS(name, type, two, four) \
  typedef struct name##1 {                      \
    type x;                                     \
  }                                             \
  name##1;                                      \
  typedef struct name##2 {                      \
    type x __attribute__((aligned(two)));       \
    type y;                                     \
  }                                             \
  name##2;                                      \
  typedef struct name##3 {                      \
    type x, y, z;                               \
  }                                             \
  name##3;                                      \
  typedef struct name##4 {                      \
    type x __attribute__((aligned(four)));      \
    type y, z, w;                               \
  }                                             \
  name##4;
EMULATOR_VECTORS(float, float, 8, 16)
EMULATOR_VECTORS(double, double, 16, 16)
EMULATOR_VECTORS(int, int, 8, 16)
EMULATOR_VECTORS(uint, unsigned, 8, 16)
EMULATOR_VECTORS(char, signed char, 2, 4)
EMULATOR_VECTORS(uchar, unsigned char, 2, 4)
EMULATOR_VECTORS(short, short, 4, 8)
EMULATOR_VECTORS(ushort, unsigned short, 4, 8)
EMULATOR_VECTORS(long, long, 16, 16)
EMULATOR_VECTORS(ulong, unsigned long, 16, 16)
EMULATOR_VECTORS(longlong, long long, 16, 16)
EMULATOR_VECTORS(ulonglong, unsigned long long, 16, 16)
#undef EMULATOR_VECTORS

#include "emulator/host/arrays.h"
#include "emulator/host/graphs.h"
#include "emulator/host/host_api.h"
#include "emulator/host/launch_api.h"
