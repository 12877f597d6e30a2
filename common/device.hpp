/// @file
/// The GPU that a program runs on (or the emulator), and memory on it.
#pragma once

#include <cuda_runtime.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "options.hpp"

namespace course {

#ifdef CUDA_EMULATOR
inline constexpr bool on_emulator = true;
#else
/// Whether this program was built for the emulator. Chapters ask it only to choose what to print.
inline constexpr bool on_emulator = false;
#endif

/// The device in use, as a report names it.
struct Device {
  std::string name;
  int multiprocessors = 0;
  int compute_capability = 0;       ///< 90 for 9.0
  std::size_t l2_bytes = 0;         ///< size of the level-2 cache
  double peak_gigabytes_per_s = 0;  ///< theoretical bandwidth of its memory; 0 if unknown
};

/// Asks the device for one of its attributes.
inline int device_attribute(cudaDeviceAttr attribute) {
  int value = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
  return value;
}

/// The first device. A program that finds none has nothing to do: it says so and exits with 77,
/// which ctest reports as skipped.
inline const Device& device() {
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
    // Two transfers a clock on a bus so many bits wide. (kHz * bits / 8 bits a byte) / 10^6 = GB/s.
    const double kilohertz = device_attribute(cudaDevAttrMemoryClockRate);
    const double bits = device_attribute(cudaDevAttrGlobalMemoryBusWidth);
    result.peak_gigabytes_per_s = 2.0 * kilohertz * bits / 8.0 / 1e6;
    return result;
  }();
  return found;
}

namespace detail {

/// Memory that the host could still give out, in bytes: what the system calls available, or less
/// where a container's limit is nearer.
inline std::size_t available_host_bytes() {
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
  std::ifstream limit_file("/sys/fs/cgroup/memory.max");  // holds "max" where there is no limit
  std::ifstream used_file("/sys/fs/cgroup/memory.current");
  if (limit_file >> limit && used_file >> used) {
    available = std::min(available, limit > used ? limit - used : 0);
  }
  return available;
}

[[noreturn]] inline void refuse_size(const Options& options, double needed, double available,
                                     const char* where) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  std::fprintf(stderr,
               "%s: this size needs %.1f GiB of %s memory, and %.1f GiB are free: choose a smaller "
               "one (see --help)\n",
               options.program.c_str(), needed / gib, where, available / gib);
  std::exit(2);
}

}  // namespace detail

/// Refuses, with one line and exit status 2, a problem that will not fit: better before the
/// allocations than in the middle of them.
/// @param host_bytes,device_bytes what the program will have allocated at most, at one time
inline void require_memory(const Options& options, double host_bytes, double device_bytes) {
  if (on_emulator) {  // where "device" memory is the host's
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
  const auto available = static_cast<double>(detail::available_host_bytes());
  if (host_bytes > available) detail::refuse_size(options, host_bytes, available, "host");
}

/// An array in the device's memory, freed at the end of its life. It converts to the pointer that
/// kernels take.
template <class T>
class DeviceArray {
 public:
  /// `count` elements, poisoned: until a kernel writes it, no element passes for a result.
  explicit DeviceArray(std::size_t count) : count_(count) {
    CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
    poison();
  }

  /// A copy of `values`.
  template <class Values>
  requires requires(const Values& values) { values.data()[values.size()]; }
  explicit DeviceArray(const Values& values) : count_(values.size()) {
    CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
    copy_from(values);
  }

  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { CUDA_WARN(cudaFree(data_)); }

  operator T*() { return data_; }
  operator const T*() const { return data_; }

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  /// Sets every byte to 0xFF. As floats these are NaNs that verify() calls "never written".
  void poison() {
    if (count_ != 0) CUDA_CHECK(cudaMemset(data_, 0xFF, bytes()));
  }

  /// Overwrites the array with `values`, which must be as many.
  template <class Values>
  void copy_from(const Values& values) {
    if (values.size() != count_) throw Error("copy_from: sizes differ");
    if (count_ != 0) {
      CUDA_CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
    }
  }

  /// A copy on the host. Waits for the kernels before it.
  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    if (count_ != 0) {
      CUDA_CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    }
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

}  // namespace course
