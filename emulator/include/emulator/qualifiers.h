#pragma once
#pragma GCC system_header
/// \file
/// CUDA's function and variable qualifiers, as g++ sees them.
///
/// Some are missing here on purpose: they stay plain words until the translator rewrites them, or
/// reads them and leaves them out. What becomes of `__shared__` and `__constant__` depends on the
/// declaration they are in; the others tell what is the device's.

#if defined(__clang__) && defined(__CUDA__)
// clang, which has no translator, reads kernels as the CUDA that it knows: clang-tidy does, and
// the second opinion on whether a program keeps CUDA's rules.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#else
#ifndef EMULATOR_DEVICE_PASS  // which is read only for what differs between host and device
#define __host__
#endif
#ifndef EMULATOR_TRANSLATOR  // plain g++, which meets them in headers that host code shares
#define __device__
#define __global__
#define __managed__
#elif defined(EMULATOR_FLAT_KERNELS)
// Functions become part of the kernel that calls them, where nothing speaks against it. For g++
// reports no load of a structure that is handed to a function straight from memory; what becomes
// of it when there is no call, it reports. The word itself is left to the translator.
#define __global__ __global__ __attribute__((flatten))
#endif
#endif
#define __grid_constant__
// The translator makes statements of the kernel's of these.
#if defined(EMULATOR_TRANSLATOR) && !defined(__clang__)
#define __cluster_dims__(...) __attribute__((__cluster_dims__(__VA_ARGS__)))
#define __launch_bounds__(...) __attribute__((__launch_bounds__(__VA_ARGS__)))
#else
#define __cluster_dims__(...)
#define __launch_bounds__(...)
#endif
// A function that is forced into one that is not instrumented is not instrumented either. Code
// whose every access must be seen has this macro.
#ifdef EMULATOR_NO_FORCED_INLINING
#define __forceinline__ inline
#else
#define __forceinline__ inline __attribute__((always_inline))
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __no_return__ __attribute__((noreturn))
// What they ask of registers and of scheduling changes no result.
#define __maxnreg__(...)
#define __local_maxnreg__(...)
#define __inline_hint__
#define __nv_pure__
#ifndef __clang__
// Looked at, and not computed: an assumption loads nothing.
#define __builtin_assume(...) static_cast<void>(sizeof(static_cast<bool>(__VA_ARGS__)))
#endif

// CUDA's `__noinline__` is absent: libstdc++ spells an attribute with that very word, so it is left
// to the translator. `__block_size__` is not modelled, which the translator also says: it
// changes what the numbers of a launch mean.
