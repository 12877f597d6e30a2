/// @file
/// Atomic operations. Lanes that mean one word or one bank wait for each other; what that costs
/// depends on the operation, on whether its result is used, and on whether the compiler can see
/// that all lanes mean the same address.
#pragma once

#include "table.cuh"

// ---------------------------------------------------------------- in global memory

__global__ void atomic_each_its_own(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[i], in[i]);
}
__global__ void atomic_stride_8(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[8 * i], in[i]);
}
__global__ void atomic_all_one(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(out, in[i]);
}
__global__ void atomic_float(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[i / 4], in[i]);
}
__global__ void atomic_histogram(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[in[i] % 64], 1);
}
__global__ void atomic_with_result(const int* in, int* out, int* counters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = atomicAdd(&counters[i], in[i]);
}
__global__ void atomic_maximum(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) atomicMax(&out[i / 8], in[i]);
}
__global__ void shared_atomic_histogram(const int* in, int* out) {
  __shared__ int counts[32];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (t < 32) counts[t] = 0;
  __syncthreads();
  atomicAdd(&counts[in[i] % 32], 1);
  __syncthreads();
  if (t < 32) atomicAdd(&out[t], counts[t]);
}
__global__ void atomic_count_one_address(const int* in, int* out) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] % 3 == 0) atomicAdd(out, 1);
}
__global__ void atomic_float_one_address(const float* in, float* out) {
  atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
__global__ void atomic_maximum_one_address(const int* in, int* out) {
  atomicMax(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
__global__ void atomic_double_pairs(const double* in, double* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[i / 2], in[i]);
}
__global__ void atomic_swap_of_four(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomicCAS(&out[i / 4], 0, 7) < 0) out[8192] = in[i];  // never
}

// ---------------------------------------------------------------- in shared memory

/// A kernel of one warp whose lanes all do `operation` once on `cells`, each with an index `t` and
/// a number `v` from 0 .. 999 of its own.
#define COUNTERS_SHARED_ATOMIC(name, T, count, operation)                           \
  __global__ void name(const int* in, int* out) {                                   \
    __shared__ T cells[count];                                                      \
    const int t = threadIdx.x, v = in[t];                                           \
    int ignored = 0;                                                                \
    _Pragma("unroll 1") for (int i = t; i < (count); i += 32) cells[i] = 0;         \
    __syncthreads();                                                                \
    operation;                                                                      \
    __syncthreads();                                                                \
    out[t] = static_cast<int>(static_cast<double>(cells[t * ((count) / 32)])) + v + \
             (ignored < 0 ? 1 : 0);                                                 \
  }

COUNTERS_SHARED_ATOMIC(shared_add_own, int, 32, atomicAdd(&cells[t], v))
COUNTERS_SHARED_ATOMIC(shared_add_pairs, int, 32, atomicAdd(&cells[t / 2], v))
COUNTERS_SHARED_ATOMIC(shared_add_halves, int, 32, if (t < 16) atomicAdd(&cells[t / 8], v))
COUNTERS_SHARED_ATOMIC(shared_add_one_word, int, 32, atomicAdd(&cells[v / 1000], v))
COUNTERS_SHARED_ATOMIC(shared_add_one_address, int, 32, atomicAdd(&cells[5], v))
COUNTERS_SHARED_ATOMIC(shared_add_stride_2, int, 64, atomicAdd(&cells[2 * t], v))
COUNTERS_SHARED_ATOMIC(shared_add_stride_32, int, 1024, atomicAdd(&cells[32 * t], v))
COUNTERS_SHARED_ATOMIC(shared_add_random, int, 64, atomicAdd(&cells[v % 64], v))
COUNTERS_SHARED_ATOMIC(shared_subtract_random, int, 64, atomicSub(&cells[v % 64], v))
COUNTERS_SHARED_ATOMIC(shared_count_one_word, int, 32, atomicAdd(&cells[v / 1000], 1))
COUNTERS_SHARED_ATOMIC(shared_count_stride_2, int, 64, atomicAdd(&cells[2 * t], 1))
COUNTERS_SHARED_ATOMIC(shared_count_random, int, 64, atomicAdd(&cells[v % 64], 1))
COUNTERS_SHARED_ATOMIC(shared_count_with_result, int, 64, ignored = atomicAdd(&cells[v % 64], 1))
COUNTERS_SHARED_ATOMIC(shared_maximum_one_address, int, 32, atomicMax(&cells[5], v))
COUNTERS_SHARED_ATOMIC(shared_maximum_with_result, int, 32, ignored = atomicMax(&cells[5], v))
COUNTERS_SHARED_ATOMIC(shared_exchange_pairs, int, 32, ignored = atomicExch(&cells[t / 2], 7))
COUNTERS_SHARED_ATOMIC(shared_swap_pairs, int, 32, ignored = atomicCAS(&cells[t / 2], 0, 7))
COUNTERS_SHARED_ATOMIC(shared_swap_stride_32, int, 1024, ignored = atomicCAS(&cells[32 * t], 0, 7))
COUNTERS_SHARED_ATOMIC(shared_float_add_own, float, 32, atomicAdd(&cells[t], v))
COUNTERS_SHARED_ATOMIC(shared_float_add_pairs, float, 32, atomicAdd(&cells[t / 2], v))
COUNTERS_SHARED_ATOMIC(shared_float_add_one_address, float, 32, atomicAdd(&cells[5], v + 1))
COUNTERS_SHARED_ATOMIC(shared_float_add_stride_32, float, 1024, atomicAdd(&cells[32 * t], v))
COUNTERS_SHARED_ATOMIC(shared_double_add_own, double, 32, atomicAdd(&cells[t], v + 1))
COUNTERS_SHARED_ATOMIC(shared_double_add_pairs, double, 32, atomicAdd(&cells[t / 2], v + 1))
COUNTERS_SHARED_ATOMIC(shared_long_count_one_address, unsigned long long, 32,
                       atomicAdd(&cells[5], 1ULL))
COUNTERS_SHARED_ATOMIC(shared_long_exchange_stride_2, unsigned long long, 64,
                       ignored = static_cast<int>(atomicExch(&cells[2 * t], 7ULL)))
COUNTERS_SHARED_ATOMIC(shared_long_swap_pairs, unsigned long long, 32,
                       ignored = static_cast<int>(atomicCAS(&cells[t / 2], 0ULL, 7ULL)))
#undef COUNTERS_SHARED_ATOMIC

inline counters::Table atomic_kernels() {
  return {
      COUNTERS_KERNEL(atomic_each_its_own, 4, 128, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(atomic_stride_8, 4, 128, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(atomic_all_one, 4, 128, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(atomic_float, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(atomic_histogram, 4, 128, arrays.random, arrays.out_as<int>()),
      COUNTERS_KERNEL(atomic_with_result, 4, 128, arrays.ints, arrays.out_as<int>(),
                      arrays.out_as<int>() + 4096),
      COUNTERS_KERNEL(atomic_maximum, 4, 128, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_atomic_histogram, 4, 128, arrays.random, arrays.out_as<int>()),
      COUNTERS_KERNEL(atomic_count_one_address, 4, 128, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(atomic_float_one_address, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(atomic_maximum_one_address, 4, 128, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(atomic_double_pairs, 4, 128, arrays.doubles, arrays.out_as<double>()),
      COUNTERS_KERNEL(atomic_swap_of_four, 4, 128, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_add_own, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_add_pairs, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_add_halves, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_add_one_word, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_add_one_address, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_add_stride_2, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_add_stride_32, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_add_random, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_subtract_random, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_count_one_word, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_count_stride_2, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_count_random, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_count_with_result, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_maximum_one_address, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_maximum_with_result, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_exchange_pairs, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_swap_pairs, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_swap_stride_32, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_float_add_own, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_float_add_pairs, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_float_add_one_address, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_float_add_stride_32, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_double_add_own, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_double_add_pairs, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_long_count_one_address, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_long_exchange_stride_2, 1, 32, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(shared_long_swap_pairs, 1, 32, arrays.ints, arrays.out_as<int>()),
  };
}
