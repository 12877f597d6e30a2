/// @file
/// Kernels of one warp that load or store a fragment of wmma's, and nothing else that is not the
/// same for all of them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstring>

#include "table.cuh"

namespace counters {

/// The sum of the bits of all elements of a warp's fragment, whichever lane has which.
template <class Fragment>
__device__ unsigned sum_of_bits(const Fragment& fragment) {
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < fragment.num_elements; ++i) {
    unsigned long long bits = 0;
    memcpy(&bits, &fragment.x[i], sizeof fragment.x[i]);
    sum += static_cast<unsigned>(bits ^ bits >> 32);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFFU, sum, distance);
  }
  return sum;
}

/// Copies an array word by word, a warp's lanes side by side.
__device__ inline void copy_words(void* to, const void* from, int bytes) {
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < bytes / 4; i += 32) {
    static_cast<unsigned*>(to)[i] = static_cast<const unsigned*>(from)[i];
  }
}

/// The same element in each place of a matrix.
template <class Element>
__device__ Element some_number() {
  return static_cast<Element>(3.0F);
}

}  // namespace counters

/// A matrix of `lines` rows or columns, `stride` elements from one to the next, is loaded: from
/// global memory, and from shared memory, into which it is copied before.
#define COUNTERS_FRAGMENT(name, use, m, n, k, type, layout, Element, stride, lines) \
  __global__ void load_##name##_global(const Element* in, unsigned* out) {          \
    using namespace nvcuda::wmma; /* NOLINT: names of types */                      \
    fragment<use, m, n, k, type, layout> matrix;                                    \
    load_matrix_sync(matrix, in, stride);                                           \
    out[threadIdx.x] = counters::sum_of_bits(matrix);                               \
  }                                                                                 \
  __global__ void load_##name##_shared(const Element* in, unsigned* out) {          \
    using namespace nvcuda::wmma; /* NOLINT: names of types */                      \
    __shared__ alignas(128) Element tile[(stride) * (lines)];                       \
    counters::copy_words(tile, in, sizeof tile);                                    \
    __syncthreads();                                                                \
    fragment<use, m, n, k, type, layout> matrix;                                    \
    load_matrix_sync(matrix, tile, stride);                                         \
    out[threadIdx.x] = counters::sum_of_bits(matrix);                               \
  }

/// The same of an accumulator, which is also stored.
#define COUNTERS_ACCUMULATOR(name, m, n, k, Element, layout, stride, lines) \
  __global__ void load_##name##_global(const Element* in, unsigned* out) {  \
    using namespace nvcuda::wmma; /* NOLINT: names of types */              \
    fragment<accumulator, m, n, k, Element> matrix;                         \
    load_matrix_sync(matrix, in, stride, layout);                           \
    out[threadIdx.x] = counters::sum_of_bits(matrix);                       \
  }                                                                         \
  __global__ void load_##name##_shared(const Element* in, unsigned* out) {  \
    using namespace nvcuda::wmma; /* NOLINT: names of types */              \
    __shared__ alignas(128) Element tile[(stride) * (lines)];               \
    counters::copy_words(tile, in, sizeof tile);                            \
    __syncthreads();                                                        \
    fragment<accumulator, m, n, k, Element> matrix;                         \
    load_matrix_sync(matrix, tile, stride, layout);                         \
    out[threadIdx.x] = counters::sum_of_bits(matrix);                       \
  }                                                                         \
  __global__ void store_##name##_global(Element* out) {                     \
    using namespace nvcuda::wmma; /* NOLINT: names of types */              \
    fragment<accumulator, m, n, k, Element> matrix;                         \
    fill_fragment(matrix, counters::some_number<Element>());                \
    store_matrix_sync(out, matrix, stride, layout);                         \
  }                                                                         \
  __global__ void store_##name##_shared(Element* out) {                     \
    using namespace nvcuda::wmma; /* NOLINT: names of types */              \
    __shared__ alignas(128) Element tile[(stride) * (lines)];               \
    counters::copy_words(tile, out, sizeof tile);                           \
    __syncthreads();                                                        \
    fragment<accumulator, m, n, k, Element> matrix;                         \
    fill_fragment(matrix, counters::some_number<Element>());                \
    store_matrix_sync(tile, matrix, stride, layout);                        \
    __syncthreads();                                                        \
    counters::copy_words(out, tile, sizeof tile);                           \
  }
