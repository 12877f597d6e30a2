/// @file
/// The ceilings of the device at hand: how fast its memory delivers to the simplest of kernels.
/// Reports give results as per cent of these, measured in the same run. Data sheets are no help:
/// no program reaches what they promise, and two boards of one type differ by a few per cent.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "check.hpp"
#include "device.hpp"
#include "timing.hpp"

namespace course {

/// What bounds a kernel that moves more than it computes.
enum class CeilingKind {
  read,   ///< memory is only read (a matrix-vector product)
  triad,  ///< two arrays are read and one is written (SAXPY)
};

/// A measured ceiling, in GB/s of all bytes read and written.
struct Ceiling {
  std::string name;
  double gigabytes_per_s = 0;
};

namespace detail {

// Four independent 16-byte loads are on their way before the first is used, and the grid strides
// over the array, tail included. The sum goes nowhere, but the compiler cannot know that.
static __global__ void read_all(const float4* data, std::size_t count, float* sink) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float sum = 0.0F;
  for (; i + 3 * stride < count; i += 4 * stride) {
    const float4 a = data[i];
    const float4 b = data[i + stride];
    const float4 c = data[i + 2 * stride];
    const float4 d = data[i + 3 * stride];
    sum += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    sum += c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
  }
  for (; i < count; i += stride) {
    const float4 a = data[i];
    sum += a.x + a.y + a.z + a.w;
  }
  if (sum == 12345.678F) *sink = sum;
}

static __global__ void triad_all(const float4* x, float4* y, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto add = [](float4 p, float4 q) {
    return make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
  };
  for (; i + stride < count; i += 2 * stride) {
    const float4 a = x[i];
    const float4 b = x[i + stride];
    const float4 c = y[i];
    const float4 d = y[i + stride];
    y[i] = add(a, c);
    y[i + stride] = add(b, d);
  }
  if (i < count) y[i] = add(x[i], y[i]);
}

}  // namespace detail

/// Measures a ceiling: the best of several launch shapes, each the median of its samples.
/// @throws Error if it exceeds what the memory can deliver by its clock and width: then the
///         benchmark is wrong, not the memory fast.
inline Ceiling measure_ceiling(CeilingKind kind, const Options& options) {
  // Far more than the cache holds, far less than the memory that is left.
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, free_bytes / 4) & ~0xFFFU;
  const std::size_t count = bytes / sizeof(float4);

  DeviceArray<std::uint8_t> x(bytes);
  DeviceArray<std::uint8_t> y(kind == CeilingKind::triad ? bytes : 0);
  DeviceArray<float> sink(1);
  CUDA_CHECK(cudaMemset(x, 0x3C, bytes));  // 0x3C3C3C3C is the float 0.0115
  auto* const from = reinterpret_cast<float4*>(static_cast<std::uint8_t*>(x));
  auto* const to = reinterpret_cast<float4*>(static_cast<std::uint8_t*>(y));

  Ceiling best{kind == CeilingKind::read ? "read" : "triad", 0};
  const double moved = static_cast<double>(bytes) * (kind == CeilingKind::read ? 1.0 : 3.0);
  for (const int blocks_per_multiprocessor : {8, 16, 32, 64}) {
    const int block = 256;
    const int grid = device().multiprocessors * blocks_per_multiprocessor;
    const Timing timing = TIME_EVENTS(
        options, {},
        if (kind == CeilingKind::read) {
          detail::read_all<<<grid, block>>>(from, count, sink);
        } else { detail::triad_all<<<grid, block>>>(from, to, count); } CUDA_CHECK_LAUNCH());
    best.gigabytes_per_s = std::max(best.gigabytes_per_s, moved / timing.median_ms / 1e6);
  }
  const double peak = device().peak_gigabytes_per_s;
  if (peak > 0 && best.gigabytes_per_s > peak) {
    throw Error("the measured " + best.name + " ceiling of " +
                std::to_string(best.gigabytes_per_s) + " GB/s exceeds the memory's peak of " +
                std::to_string(peak) + " GB/s: the benchmark is wrong");
  }
  return best;
}

}  // namespace course
