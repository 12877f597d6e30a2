/// @file
/// Loops: of equal and of unequal length, left early, with more than one access a turn. Those with
/// `#pragma unroll 1` stay loops in the machine's code; the others are left to the compiler.
#pragma once

#include "table.cuh"

__global__ void loop_of_8(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += in[i + 512 * k];
  out[i] = sum;
}
__global__ void loop_of_8_neighbours(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += in[8 * i + k];
  out[i] = sum;
}
__global__ void loop_of_given_length(const float* in, float* out, int length) {
  const int i = global_index();
  float sum = 0;
  for (int k = 0; k < length; ++k) sum += in[i + 512 * k];
  out[i] = sum;
}
__global__ void loop_along_rows(const float* in, float* out, int length) {
  const int i = global_index();
  float sum = 0;
  for (int k = 0; k < length; ++k) sum += in[i * length + k];
  out[i] = sum;
}
__global__ void loop_rolled(const float* in, float* out, int length) {
  const int i = global_index();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < length; ++k) sum += in[i + 512 * k];
  out[i] = sum;
}
__global__ void loop_of_stores(const float* in, float* out, int length) {
  const int i = global_index();
  const float value = in[i];
#pragma unroll 1
  for (int k = 0; k < length; ++k) out[i * length + k] = value * static_cast<float>(k);
}
__global__ void loop_in_loop(const float* in, float* out, int rows, int cols) {
  const int i = global_index();
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rows; ++r) {
#pragma unroll 1
    for (int c = 0; c < cols; ++c) sum += in[r * 1000 + c * 33 + i];
  }
  out[i] = sum;
}
__global__ void grid_stride(const float* in, float* out, int count) {
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = global_index(); i < count; i += stride) out[i] = 2 * in[i];
}
__global__ void grid_stride_rolled(const float* in, float* out, int count) {
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
#pragma unroll 1
  for (int i = global_index(); i < count; i += stride) out[i] = 2 * in[i];
}

// Lanes that turn more or less often than their neighbours.
__global__ void unequal_trips(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < i % 5; ++k) sum += in[i + 512 * k];
  out[i] = sum;
}
__global__ void unequal_trips_by_data(const float* in, const int* random, float* out) {
  const int i = global_index();
  const int length = random[i] % 11;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < length; ++k) sum += in[i * 16 + k];
  out[i] = sum;
}
__global__ void unequal_trips_as_it_is(const float* in, const int* random, float* out) {
  const int i = global_index();
  const int length = random[i] % 11;
  float sum = 0;
  for (int k = 0; k < length; ++k) sum += in[i * 16 + k];
  out[i] = sum;
}
__global__ void triangle(const float* in, float* out) {
  const int i = global_index() % 32;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k <= i; ++k) sum += in[i * 32 + k];
  out[global_index()] = sum;
}
__global__ void loop_with_continue(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 6; ++k) {
    if ((i + k) % 3 == 0) continue;
    sum += in[i + 512 * k];
  }
  out[i] = sum;
}
__global__ void loop_with_break(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    const float value = in[i + 512 * k];
    if (value > 3) break;
    sum += value;
  }
  out[i] = sum;
}
__global__ void loop_with_two_exits(const float* in, const int* random, float* out) {
  const int i = global_index();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 12; ++k) {
    if (random[i] % 13 == k) break;
    if (k % 2 == 1) {
      sum += in[i + 512 * k];
      continue;
    }
    sum -= in[i + 1024 + k];
  }
  out[i] = sum;
}
__global__ void while_by_arithmetic(const float* in, float* out) {
  const int i = global_index();
  int number = i % 32 + 1;
  float sum = 0;
#pragma unroll 1
  while (number != 1) {  // the lengths of Collatz's sequences
    sum += in[number];
    number = number % 2 == 0 ? number / 2 : 3 * number + 1;
  }
  out[i] = sum;
}
__global__ void linked_list(const float* in, const int* next, float* out) {
  const int i = global_index();
  float sum = 0;
  int at = i;
#pragma unroll 1
  for (int step = 0; step < 5; ++step) {
    sum += in[at];
    at = next[at];
  }
  out[i] = sum;
}
__global__ void binary_search(const int* sorted, const int* random, int* out, int count) {
  const int i = global_index();
  const int wanted = random[i];
  int first = 0;
  int last = count;
#pragma unroll 1
  while (first < last) {
    const int middle = (first + last) / 2;
    if (sorted[middle] < wanted) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  out[i] = first;
}
__global__ void do_while(const float* in, float* out) {
  const int i = global_index();
  float sum = 0;
  int k = i;
#pragma unroll 1
  do {
    sum += in[k];
    k += 300;
  } while (k < 1000);
  out[i] = sum;
}

inline counters::Table loop_kernels() {
  return {
      COUNTERS_KERNEL(loop_of_8, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(loop_of_8_neighbours, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(loop_of_given_length, 4, 128, arrays.floats, arrays.out_as(), 11),
      COUNTERS_KERNEL(loop_along_rows, 4, 128, arrays.floats, arrays.out_as(), 37),
      COUNTERS_KERNEL(loop_rolled, 4, 128, arrays.floats, arrays.out_as(), 7),
      COUNTERS_KERNEL(loop_of_stores, 4, 128, arrays.floats, arrays.out_as(), 5),
      COUNTERS_KERNEL(loop_in_loop, 4, 128, arrays.floats, arrays.out_as(), 3, 4),
      COUNTERS_KERNEL(grid_stride, 3, 96, arrays.floats, arrays.out_as(), 1000),
      COUNTERS_KERNEL(grid_stride_rolled, 3, 96, arrays.floats, arrays.out_as(), 1000),
      COUNTERS_KERNEL(unequal_trips, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(unequal_trips_by_data, 4, 128, arrays.floats, arrays.random, arrays.out_as()),
      COUNTERS_KERNEL(unequal_trips_as_it_is, 4, 128, arrays.floats, arrays.random,
                      arrays.out_as()),
      COUNTERS_KERNEL(triangle, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(loop_with_continue, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(loop_with_break, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(loop_with_two_exits, 4, 128, arrays.floats, arrays.random, arrays.out_as()),
      COUNTERS_KERNEL(while_by_arithmetic, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(linked_list, 4, 128, arrays.floats, arrays.next, arrays.out_as()),
      COUNTERS_KERNEL(binary_search, 4, 128, arrays.sorted, arrays.random, arrays.out_as<int>(),
                      1000),
      COUNTERS_KERNEL(do_while, 4, 128, arrays.floats, arrays.out_as()),
  };
}
