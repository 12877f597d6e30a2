/// @file
/// The ceilings of the device in use: how fast its memory delivers to the simplest kernels, and how
/// fast its multiprocessors multiply and add. Reports give results as per cent of these, measured
/// in the same run. Data sheets do not help: no program reaches their numbers, and two boards of
/// one type differ by a few per cent.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <string>

#include "check.hpp"
#include "device.hpp"
#include "timing.hpp"

namespace course {

/// What bounds a kernel.
enum class CeilingKind {
  read,   ///< memory is only read (a matrix-vector product)
  copy,   ///< one array is read and one is written (a transposition)
  triad,  ///< two arrays are read and one is written (SAXPY)
  fma,    ///< nothing is moved: fused multiply-adds of floats in registers (a matrix product)
  bus,    ///< pinned memory of the host is copied to the device, and then back
  host_to_device,  ///< a copy from pinned memory of the host to the device
  device_to_host,  ///< the other way
};

constexpr CeilingKind ceiling_kinds[] = {
    CeilingKind::read, CeilingKind::copy,           CeilingKind::triad,         CeilingKind::fma,
    CeilingKind::bus,  CeilingKind::host_to_device, CeilingKind::device_to_host};

/// Whether the link between host and device is the bound, and not something within the device.
inline bool is_link(CeilingKind kind) {
  return kind == CeilingKind::bus || kind == CeilingKind::host_to_device ||
         kind == CeilingKind::device_to_host;
}

/// A measured ceiling: the best of several launch shapes.
struct Ceiling {
  std::string name;
  double gigabytes_per_s = 0;         ///< of all bytes read and written; 0 for fma
  double gigaflops_per_s = 0;         ///< additions and multiplications; 0 for memory ceilings
  double bytes = 0;                   ///< that a launch moves
  double operations = 0;              ///< per launch
  int blocks_per_multiprocessor = 0;  ///< of the best launch shape; 0 where nothing is launched
  Timing timing;                      ///< of the best launch shape
};

/// What the floats of a device could do at most, in GFLOP/s: two operations a clock and lane, at
/// the highest clock; 0 if unknown. Lanes of a multiprocessor: CUDA C++ Programming Guide,
/// "Arithmetic Instructions", throughput of 32-bit multiply-add.
double peak_gigaflops_per_s();

/// A ceiling's name in reports: "read", "copy", "triad", "fma", "bus", "host to device",
/// "device to host".
const char* ceiling_name(CeilingKind kind);

/// Launches the kernel of a ceiling once. The link's ceilings have none.
/// @param x,y read and written, if the kernel does so; of `count` elements
/// @param sink one float, for a result that is not used
void launch_ceiling(CeilingKind kind, int grid, const float4* x, float4* y, std::size_t count,
                    float* sink);

/// Measures a ceiling: the best of several launch shapes, each the median of its samples.
/// @param before runs before each sample, untimed: for example to flush the cache
/// @throws Error if it exceeds what the device can deliver at its clocks and widths: then the
///         benchmark is wrong; the device is not that fast.
Ceiling measure_ceiling(
    CeilingKind kind, const Options& options, const std::function<void()>& before = [] {});

/// The latency of one load from memory with no other load in flight: cache, address translation and
/// the few instructions between two loads included.
/// @returns nanoseconds in place of a Timing's milliseconds
Timing measure_latency(const Options& options);

/// The bytes in flight, at most, if each thread that is resident on the device at one time requests
/// `bytes_a_thread` before it waits.
double bytes_in_flight(double threads, double bytes_a_thread);

}  // namespace course

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "ceiling.inl"
#endif
