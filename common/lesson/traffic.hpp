/// @file
/// The kernels' memory accesses, for programs that need their counts: checks, tests, timing.
///
///     for (const emulator::LaunchRecord& launch : course::record_traffic([&] { run(x, y, n); })) {
///       // launch.kernel, launch.traffic.global_load_sectors, emulator::lines(launch) ...
///     }
///
/// Only the emulator counts, and only in instrumented programs (docs/emucc.md). On a GPU Nsight
/// Compute does, from outside the program.
#pragma once

#include <cuda_runtime.h>

#include <utility>
#include <vector>

#include "check.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/traffic.h"
#endif

namespace course {

#if defined(CUDA_EMULATOR) && !defined(EMULATOR_FAST)
inline constexpr bool counts_traffic = true;
#else
/// Whether this program counts the traffic of its kernels. On the emulator it does unless it is
/// fast: then no access is reported.
inline constexpr bool counts_traffic = false;
#endif

#ifdef CUDA_EMULATOR

/// Runs `work` and returns its launches, oldest first, each with its traffic: in total, and by
/// emulator::lines() line by line. The recording of launches is afterwards on or off as before, but
/// the earlier contents of emulator::launches() are gone. An exception of `work` passes through. In
/// a program that counts nothing, `work` runs, and no launch is returned.
/// @throws CudaError if a kernel failed
template <class Work>
std::vector<emulator::LaunchRecord> record_traffic(Work&& work) {
  if constexpr (!counts_traffic) {
    // Recording would only prevent blocks from running in parallel.
    std::forward<Work>(work)();
    CUDA_CHECK(cudaDeviceSynchronize());
    return {};
  }
  struct Recording {
    Recording() : before(emulator::recording()) {
      emulator::clear_launches();
      emulator::set_recording(true);
    }
    ~Recording() { emulator::set_recording(before); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    bool before;
  };
  {
    const Recording recording;
    std::forward<Work>(work)();
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  std::vector<emulator::LaunchRecord> launches = emulator::launches();
  emulator::clear_launches();
  return launches;
}

/// The sum over some launches.
inline emulator::Traffic total(const std::vector<emulator::LaunchRecord>& launches) {
  emulator::Traffic sum;
  for (const emulator::LaunchRecord& launch : launches) sum += launch.traffic;
  return sum;
}

#endif

}  // namespace course
