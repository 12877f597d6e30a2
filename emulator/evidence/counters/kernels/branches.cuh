/// @file
/// Warps of which not every lane takes part.
#pragma once

#include "table.cuh"

__global__ void odd_lanes(const float* in, float* out) {
  const int i = global_index();
  if (i % 2 == 1) out[i] = in[i];
}
__global__ void first_lane(const float* in, float* out) {
  const int i = global_index();
  if (i % 32 == 0) out[i] = in[i];
}
__global__ void first_half_of_warp(const float* in, float* out) {
  const int i = global_index();
  if (i % 32 < 16) out[i] = in[i];
}
__global__ void two_distant_lanes(const float* in, float* out) {
  const int i = global_index();
  if (i % 32 == 3 || i % 32 == 30) out[i] = in[i];
}
__global__ void first_warp(const float* in, float* out) {
  const int i = global_index();
  if (threadIdx.x < 32) out[i] = in[i];
}
__global__ void random_lanes(const float* in, const int* random, float* out) {
  const int i = global_index();
  if (random[i] % 3 == 0) out[i] = in[i];
}
__global__ void no_lane_of_some_warps(const float* in, float* out, int from) {
  const int i = global_index();
  if (i >= from) out[i] = in[i];
}

// The end of the data.
__global__ void tail(const float* in, float* out, int count) {
  const int i = global_index();
  if (i < count) out[i] = in[i];
}
__global__ void early_return(const float* in, float* out, int count) {
  const int i = global_index();
  if (i >= count) return;
  out[i] = in[i] + 1;
}
__global__ void or_zero(const float* in, float* out, int count) {
  const int i = global_index();
  out[i] = i < count ? in[i] : 0.0F;
}

// Two sides.
__global__ void if_else_one_array(const float* in, float* out) {
  const int i = global_index();
  if (i % 2 == 0) {
    out[i] = in[i];
  } else {
    out[i] = in[i + 1000];
  }
}
__global__ void if_else_two_arrays(const float* a, const int* b, float* out) {
  const int i = global_index();
  if (i % 2 == 0) {
    out[i] = a[i] * 2;
  } else {
    out[i] = static_cast<float>(b[i]);
  }
}
__global__ void if_else_stores_apart(const float* in, float* out, float* other) {
  const int i = global_index();
  const float value = in[i];
  if (value > 0) {
    out[i] = value;
  } else {
    other[i] = -value;
  }
}
__global__ void if_else_unequal_work(const float* in, float* out) {
  const int i = global_index();
  if (i % 4 == 0) {
    out[i] = in[i] + in[i + 512] + in[i + 1024];
  } else {
    out[i] = in[i] - in[2 * i];
  }
}
__global__ void choice_of_index(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i % 2 == 0 ? i : 7 * i];
}
__global__ void choice_of_value(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i] > 0 ? in[i + 512] : in[i + 1024];
}
__global__ void nested_branches(const float* in, float* out) {
  const int i = global_index();
  float sum = in[i];
  if (i % 2 == 0) {
    sum += in[i + 512];
    if (i % 4 == 0) {
      sum += in[i + 1024];
      if (i % 8 == 0) sum += in[i + 1536];
    }
  }
  out[i] = sum;
}
__global__ void both_must_hold(const float* in, float* out) {
  const int i = global_index();
  if (in[i] > 0 && in[i + 512] > 0) {
    out[i] = 1;
  } else {
    out[i] = 0;
  }
}
__global__ void switch_four_ways(const float* in, float* out) {
  const int i = global_index();
  switch (i % 4) {
    case 0:
      out[i] = in[i];
      break;
    case 1:
      out[i] = in[2 * i] + 1;
      break;
    case 2:
      out[i] = in[3 * i] * 2;
      break;
    default:
      out[i] = -1;
  }
}
__global__ void switch_by_data(const float* in, const int* random, float* out) {
  const int i = global_index();
  float value = 0;
  switch (random[i] % 5) {
    case 0:
      value = in[i];
      break;
    case 1:
    case 2:
      value = in[i + 1];
      break;
    case 3:
      value = in[i] + in[i + 2];
      break;
    default:
      break;
  }
  out[i] = value;
}

// Functions that are called, not inlined.
__attribute__((noinline)) __device__ float fetch(const float* in, int i) {
  return in[i];
}
__attribute__((noinline)) __device__ void deposit(float* out, int i, float value) {
  out[i] = value;
}
__global__ void call_by_all(const float* in, float* out) {
  const int i = global_index();
  deposit(out, i, fetch(in, 2 * i));
}
__global__ void call_twice(const float* in, float* out) {
  const int i = global_index();
  out[i] = fetch(in, i) + fetch(in, i + 512);
}
__global__ void call_from_one_side(const float* in, float* out) {
  const int i = global_index();
  float value = 1;
  if (i % 3 == 0) value = fetch(in, i);
  out[i] = value;
}
__global__ void call_from_two_sides(const float* in, float* out) {
  const int i = global_index();
  if (i % 2 == 0) {
    deposit(out, i, fetch(in, i) + 1);
  } else {
    deposit(out, i, fetch(in, i + 512) * fetch(in, 2 * i));
  }
}

inline counters::Table branch_kernels() {
  return {
      COUNTERS_KERNEL(odd_lanes, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(first_lane, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(first_half_of_warp, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(two_distant_lanes, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(first_warp, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(random_lanes, 4, 128, arrays.floats, arrays.random, arrays.out_as()),
      COUNTERS_KERNEL(no_lane_of_some_warps, 4, 128, arrays.floats, arrays.out_as(), 200),
      COUNTERS_KERNEL(tail, 4, 128, arrays.floats, arrays.out_as(), 413),
      COUNTERS_KERNEL(early_return, 4, 128, arrays.floats, arrays.out_as(), 250),
      COUNTERS_KERNEL(or_zero, 4, 128, arrays.floats, arrays.out_as(), 413),
      COUNTERS_KERNEL(if_else_one_array, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(if_else_two_arrays, 4, 128, arrays.floats, arrays.ints, arrays.out_as()),
      COUNTERS_KERNEL(if_else_stores_apart, 4, 128, arrays.floats, arrays.out_as(),
                      arrays.out_as() + 4096),
      COUNTERS_KERNEL(if_else_unequal_work, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(choice_of_index, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(choice_of_value, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(nested_branches, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(both_must_hold, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(switch_four_ways, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(switch_by_data, 4, 128, arrays.floats, arrays.random, arrays.out_as()),
      COUNTERS_KERNEL(call_by_all, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(call_twice, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(call_from_one_side, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(call_from_two_sides, 4, 128, arrays.floats, arrays.out_as()),
  };
}
