#pragma once
#pragma GCC system_header
/// \file
/// For clang alone, which is asked whether a program keeps CUDA's rules, and compiles nothing: it
/// is to see whose each function is. This comes before the emulator's headers, clang_end.h after
/// them.
///
/// In between all functions are the host's and the device's, but those that say otherwise. So the
/// standard library, which is the host's, comes first; what a device has of it is declared here.

// The C headers themselves, without libstdc++'s around them.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <bits/c++config.h>
// A type that no device has; libstdc++ does the same where __CUDACC__ is defined.
#undef _GLIBCXX_USE_FLOAT128

// Mathematics is everybody's, and so is what nvcc takes for a language feature: std::move,
// std::forward and initializer lists. What these headers include, and is the host's, precedes.
#pragma clang force_cuda_host_device begin
#include <bits/move.h>

#include <initializer_list>
#include <type_traits>
#pragma clang force_cuda_host_device end
#include <bits/stl_algobase.h>

#include <limits>
#include <utility>
#pragma clang force_cuda_host_device begin
#include <bits/std_abs.h>
#include <math.h>

#include <cmath>
#pragma clang force_cuda_host_device end

// The rest of what the emulator's headers include.
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cfenv>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <new>
// Three times as much to read as all else, so only where g++ has read it.
#ifdef EMULATOR_READS_STRINGS
#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>
#endif

#define EMULATOR_DEVICE __attribute__((device))
extern "C" {
EMULATOR_DEVICE int printf(const char*, ...);
EMULATOR_DEVICE int vprintf(const char*, __builtin_va_list);
EMULATOR_DEVICE void* malloc(size_t);
EMULATOR_DEVICE void free(void*);
EMULATOR_DEVICE void* memcpy(void*, const void*, size_t);
EMULATOR_DEVICE void* memset(void*, int, size_t);
EMULATOR_DEVICE clock_t clock(void);
EMULATOR_DEVICE __attribute__((noreturn)) void __assert_fail(const char*, const char*, unsigned,
                                                             const char*);
}
namespace std {
using ::clock;
using ::free;
using ::malloc;
using ::memcpy;
using ::memset;
using ::printf;
using ::vprintf;
}  // namespace std
EMULATOR_DEVICE void* operator new(std::size_t);
EMULATOR_DEVICE void* operator new[](std::size_t);
EMULATOR_DEVICE void operator delete(void*) noexcept;
EMULATOR_DEVICE void operator delete[](void*) noexcept;
EMULATOR_DEVICE void operator delete(void*, std::size_t) noexcept;
EMULATOR_DEVICE void operator delete[](void*, std::size_t) noexcept;
EMULATOR_DEVICE inline void* operator new(std::size_t, void* place) noexcept {
  return place;
}
EMULATOR_DEVICE inline void* operator new[](std::size_t, void* place) noexcept {
  return place;
}
EMULATOR_DEVICE inline void operator delete(void*, void*) noexcept {}
EMULATOR_DEVICE inline void operator delete[](void*, void*) noexcept {}
#undef EMULATOR_DEVICE
/// clang has a __syncthreads() of its own, which it also lets the host call.
#define __syncthreads emulator__syncthreads

/// Around functions that are the device's alone.
#define EMULATOR_DEVICE_ONLY_BEGIN            \
  _Pragma("clang force_cuda_host_device end") \
      _Pragma("clang attribute push(__attribute__((device)), apply_to = function)")
#define EMULATOR_DEVICE_ONLY_END \
  _Pragma("clang attribute pop") _Pragma("clang force_cuda_host_device begin")

#pragma clang force_cuda_host_device begin
