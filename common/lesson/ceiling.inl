// The functions of ceiling.hpp, and the kernels that measure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ceiling.hpp"
#include "pinned.hpp"

namespace course {

COURSE_ONCE double peak_gigaflops_per_s() {
  if (on_emulator) return 0.0;  // it has no clock
  const int capability = device().compute_capability;
  const int lanes = capability == 70 || capability == 75 || capability == 80 ? 64 : 128;
  const double kilohertz = device_attribute(cudaDevAttrClockRate);
  return 2.0 * lanes * device().multiprocessors * kilohertz / 1e6;
}

namespace detail {

// Four independent 16-byte loads are in flight before the first is used, and the grid strides over
// the array, tail included. The sum is not used, but the compiler cannot know that.
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

static __global__ void copy_all(const float4* x, float4* y, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 3 * stride < count; i += 4 * stride) {
    const float4 a = x[i];
    const float4 b = x[i + stride];
    const float4 c = x[i + 2 * stride];
    const float4 d = x[i + 3 * stride];
    y[i] = a;
    y[i + stride] = b;
    y[i + 2 * stride] = c;
    y[i + 3 * stride] = d;
  }
  for (; i < count; i += stride) y[i] = x[i];
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

constexpr int fma_chains = 8;

// A multiply-add waits a few clocks for the previous one in its chain, so each thread has
// several chains. With factor < 1 the values stay finite; the compiler knows neither them nor
// the factor.
static __global__ void fma_all(int steps, float factor, float summand, float* sink) {
  float chain[fma_chains];
  for (int k = 0; k < fma_chains; ++k) chain[k] = static_cast<float>(threadIdx.x + 1) * (k + 1);
#pragma unroll 16
  for (int step = 0; step < steps; ++step) {
    for (float& value : chain) value = value * factor + summand;  // nvcc makes one fma of it
  }
  float sum = 0.0F;
  for (const float value : chain) sum += value;
  if (sum == 12345.678F) *sink = sum;
}

// Each address depends on the previous load: the loaded value is always 0, but the compiler does
// not know that. So exactly one load is in flight. The multiplier visits all places in an order
// that no cache can predict (Knuth, TAOCP, volume 2, 3.2.1.2: full period modulo a power of two).
static __global__ void chase(const unsigned* zeros, unsigned places, unsigned distance, int steps,
                             unsigned* sink) {
  unsigned at = 0;
  for (int step = 0; step < steps; ++step) {
    at = (1664525U * at + 1013904223U + zeros[std::size_t{at} * distance]) & (places - 1);
  }
  if (at == places) *sink = at;  // never
}

/// A benchmark that beats the hardware measures something else.
COURSE_ONCE void require_possible(const char* name, double measured, double peak, const char* unit,
                                  const char* source) {
  if (peak <= 0 || measured <= peak) return;
  throw std::runtime_error("the measured " + std::string(name) + " ceiling of " +
                           std::to_string(measured) + " " + unit + " exceeds the " + source +
                           "'s peak of " + std::to_string(peak) + " " + unit +
                           ": the benchmark is wrong");
}

constexpr int ceiling_block = 256;
constexpr int fma_steps = 8192;

}  // namespace detail

COURSE_ONCE void launch_ceiling(CeilingKind kind, int grid, const float4* x, float4* y,
                                std::size_t count, float* sink) {
  switch (kind) {
    case CeilingKind::read:
      detail::read_all<<<grid, detail::ceiling_block>>>(x, count, sink);
      break;
    case CeilingKind::copy:
      detail::copy_all<<<grid, detail::ceiling_block>>>(x, y, count);
      break;
    case CeilingKind::triad:
      detail::triad_all<<<grid, detail::ceiling_block>>>(x, y, count);
      break;
    case CeilingKind::fma:
      detail::fma_all<<<grid, detail::ceiling_block>>>(detail::fma_steps, 0.999F, 0.001F, sink);
      break;
    case CeilingKind::bus:
    case CeilingKind::host_to_device:
    case CeilingKind::device_to_host:
      throw std::logic_error("a copy between host and device is no kernel");
  }
  CUDA_CHECK_LAUNCH();
}

COURSE_ONCE const char* ceiling_name(CeilingKind kind) {
  constexpr const char* names[] = {"read", "copy",           "triad",         "fma",
                                   "bus",  "host to device", "device to host"};
  return names[static_cast<int>(kind)];
}

namespace detail {

/// One copy from pinned memory, or to it, or both one after the other: so large that its start-up
/// time does not matter.
COURSE_ONCE Ceiling measure_link(CeilingKind kind, const Options& options,
                                 const std::function<void()>& before) {
  const std::size_t bytes = std::size_t{1} << (on_emulator ? 20 : 28);
  PinnedArray<std::uint8_t> in_host(bytes);
  DeviceArray<std::uint8_t> in_device(bytes);
  std::fill(in_host.begin(), in_host.end(), std::uint8_t{0x3C});  // so that all pages exist
  const bool goes_in = kind != CeilingKind::device_to_host;
  const bool goes_out = kind != CeilingKind::host_to_device;
  Ceiling ceiling;
  ceiling.name = ceiling_name(kind);
  ceiling.bytes = (goes_in && goes_out ? 2.0 : 1.0) * static_cast<double>(bytes);
  ceiling.timing = time_events(options, before, [&] {
    if (goes_in) {
      CUDA_CHECK(cudaMemcpyAsync(in_device, in_host.data(), bytes, cudaMemcpyHostToDevice));
    }
    if (goes_out) {
      CUDA_CHECK(cudaMemcpyAsync(in_host.data(), in_device, bytes, cudaMemcpyDeviceToHost));
    }
  });
  CUDA_CHECK(cudaDeviceSynchronize());
  if (ceiling.timing.median_ms > 0) {
    ceiling.gigabytes_per_s = ceiling.bytes / ceiling.timing.median_ms / 1e6;
  }
  return ceiling;
}

}  // namespace detail

COURSE_ONCE Ceiling measure_ceiling(CeilingKind kind, const Options& options,
                                    const std::function<void()>& before) {
  if (is_link(kind)) return detail::measure_link(kind, options, before);
  const bool moves = kind != CeilingKind::fma;
  const bool writes = moves && kind != CeilingKind::read;
  // Far more than the cache holds, far less than the free memory.
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const std::size_t bytes =
      moves ? std::min<std::size_t>(std::size_t{1} << 30, free_bytes / 4) & ~std::size_t{0xFFF} : 0;
  const std::size_t count = bytes / sizeof(float4);

  DeviceArray<std::uint8_t> x(bytes);
  DeviceArray<std::uint8_t> y(writes ? bytes : 0);
  DeviceArray<float> sink(1);
  // 0x3C3C3C3C is the float 0.0115.
  if (moves) CUDA_CHECK(cudaMemset(x, 0x3C, bytes));
  if (writes) CUDA_CHECK(cudaMemset(y, 0x3C, bytes));
  auto* const from = reinterpret_cast<float4*>(static_cast<std::uint8_t*>(x));
  auto* const to = reinterpret_cast<float4*>(static_cast<std::uint8_t*>(y));

  Ceiling best;
  best.name = ceiling_name(kind);
  const double arrays = kind == CeilingKind::read ? 1.0 : kind == CeilingKind::copy ? 2.0 : 3.0;
  best.bytes = moves ? static_cast<double>(bytes) * arrays : 0.0;
  std::vector<int> grids;
  for (const int blocks : {8, 16, 32, 64}) grids.push_back(device().multiprocessors * blocks);
  if (moves) {  // and as many blocks as one round of the kernel's loop needs
    const std::size_t loads_a_round = kind == CeilingKind::triad ? 2 : 4;
    grids.push_back(static_cast<int>(count / loads_a_round / detail::ceiling_block));
  }
  for (const int grid : grids) {
    const Timing timing =
        time_events(options, before, [&] { launch_ceiling(kind, grid, from, to, count, sink); });
    if (moves) {
      const double rate = best.bytes / timing.median_ms / 1e6;
      if (rate <= best.gigabytes_per_s) continue;
      best.gigabytes_per_s = rate;
    } else {
      const double operations = 2.0 * detail::fma_chains * detail::fma_steps *
                                static_cast<double>(grid) * detail::ceiling_block;
      const double rate = operations / timing.median_ms / 1e6;
      if (rate <= best.gigaflops_per_s) continue;
      best.gigaflops_per_s = rate;
      best.operations = operations;
    }
    best.blocks_per_multiprocessor = grid / device().multiprocessors;
    best.timing = timing;
  }
  detail::require_possible(best.name.c_str(), best.gigabytes_per_s, device().peak_gigabytes_per_s,
                           "GB/s", "memory");
  detail::require_possible(best.name.c_str(), best.gigaflops_per_s, peak_gigaflops_per_s(),
                           "GFLOP/s", "multiprocessors");
  return best;
}

COURSE_ONCE Timing measure_latency(const Options& options) {
  constexpr int steps = 2048;
  constexpr unsigned distance = 64;  // 256 bytes: no two steps share a line
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  unsigned places = 1U << 22;  // 1 GiB: far more than any cache holds
  while (places > 1 && std::size_t{places} * distance * sizeof(unsigned) > free_bytes / 2) {
    places /= 2;
  }
  DeviceArray<unsigned> zeros(std::size_t{places} * distance);
  DeviceArray<unsigned> sink(1);
  CUDA_CHECK(cudaMemset(zeros, 0, zeros.bytes()));
  Timing timing = time_events(
      options,
      // The previous sample's data must not be in the cache: everything else is read.
      [&] {
        launch_ceiling(CeilingKind::read, 8 * device().multiprocessors,
                       reinterpret_cast<const float4*>(static_cast<unsigned*>(zeros)), nullptr,
                       zeros.bytes() / sizeof(float4),
                       reinterpret_cast<float*>(static_cast<unsigned*>(sink)));
      },
      [&] {
        detail::chase<<<1, 1>>>(zeros, places, distance, steps, sink);
        CUDA_CHECK_LAUNCH();
      });
  for (double* time : {&timing.median_ms, &timing.p10_ms, &timing.p90_ms}) *time *= 1e6 / steps;
  return timing;
}

COURSE_ONCE double bytes_in_flight(double threads, double bytes_a_thread) {
  const double held = static_cast<double>(device().multiprocessors) *
                      device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  return std::min(threads, held) * bytes_a_thread;
}

}  // namespace course
