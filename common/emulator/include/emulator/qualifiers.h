#pragma once
#pragma GCC system_header
/// \file
/// CUDA's function and variable qualifiers, as g++ sees them.
///
/// `__shared__` and `__constant__` are missing here on purpose: they stay plain words until the
/// translator rewrites them, because what they become depends on the declaration they stand in.

#define __host__
#define __device__
#define __global__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __cluster_dims__(...)

// CUDA's `__noinline__` is absent: libstdc++ spells an attribute with that very word.
