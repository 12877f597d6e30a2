// The functions of device.hpp.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "device.hpp"

namespace course {

COURSE_ONCE const Device& device() {
  static const Device found = [] {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
      std::printf("SKIPPED: no CUDA device to run on (%s)\n",
                  status != cudaSuccess ? cudaGetErrorString(status) : "none found");
      std::exit(77);
    }
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    Device result;
    result.name = properties.name;
    result.multiprocessors = properties.multiProcessorCount;
    result.compute_capability = properties.major * 10 + properties.minor;
    result.l2_bytes = static_cast<std::size_t>(device_attribute(cudaDevAttrL2CacheSize));
    // Two transfers per clock on a bus of this width. (kHz * bits / 8 bits a byte) / 10^6 = GB/s.
    const double kilohertz = device_attribute(cudaDevAttrMemoryClockRate);
    const double bits = device_attribute(cudaDevAttrGlobalMemoryBusWidth);
    result.peak_gigabytes_per_s = 2.0 * kilohertz * bits / 8.0 / 1e6;
    return result;
  }();
  return found;
}

COURSE_ONCE std::size_t available_host_bytes() {
  std::size_t available = std::numeric_limits<std::size_t>::max();
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word;) {
    if (word == "MemAvailable:") {
      std::size_t kilobytes = 0;
      info >> kilobytes;
      available = kilobytes * 1024;
      break;
    }
  }
  std::size_t limit = 0;
  std::size_t used = 0;
  std::ifstream limit_file("/sys/fs/cgroup/memory.max");  // holds "max" if there is no limit
  std::ifstream used_file("/sys/fs/cgroup/memory.current");
  if (limit_file >> limit && used_file >> used) {
    available = std::min(available, limit > used ? limit - used : 0);
  }
  return available;
}

namespace detail {

[[noreturn]] COURSE_ONCE void refuse_size(const Options& options, double needed, double available,
                                          const char* where) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  std::fprintf(stderr,
               "%s: this size needs %.1f GiB of %s memory, and %.1f GiB are free: choose a smaller "
               "one (see --help)\n",
               options.program.c_str(), needed / gib, where, available / gib);
  std::exit(2);
}

}  // namespace detail

COURSE_ONCE void require_memory(const Options& options, double host_bytes, double device_bytes) {
  if (on_emulator) {  // there "device" memory is the host's
    host_bytes += device_bytes;
  } else {
    device();
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    const auto available = static_cast<double>(free_bytes);
    if (device_bytes > available) {
      detail::refuse_size(options, device_bytes, available, "GPU");
    }
  }
  const auto available = static_cast<double>(available_host_bytes());
  if (host_bytes > available) detail::refuse_size(options, host_bytes, available, "host");
}

}  // namespace course
