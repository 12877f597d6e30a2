/// @file
/// The GPU that a program runs on (or the emulator), and memory on it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <vector>

#include "check.hpp"
#include "options.hpp"
#include "scratch.hpp"  // device_attribute()

namespace course {

#ifdef CUDA_EMULATOR
inline constexpr bool on_emulator = true;
#else
/// Whether this program was built for the emulator. Chapters use it only to choose what to print.
inline constexpr bool on_emulator = false;
#endif

/// The device in use, as named in a report.
struct Device {
  std::string name;
  int multiprocessors = 0;
  int compute_capability = 0;       ///< 90 for 9.0
  std::size_t l2_bytes = 0;         ///< size of the level-2 cache
  double peak_gigabytes_per_s = 0;  ///< theoretical bandwidth of its memory; 0 if unknown
};

/// The first device. Without one, a program has nothing to do: it says so and exits with 77, which
/// ctest reports as skipped.
const Device& device();

/// Memory that the host can still allocate, in bytes: what the system calls available, or less if a
/// container's limit is lower.
std::size_t available_host_bytes();

/// Refuses, with one line and exit status 2, a problem that does not fit: better before the
/// allocations than in the middle of them.
/// @param host_bytes,device_bytes the program's largest allocation, at any one time
void require_memory(const Options& options, double host_bytes, double device_bytes);

/// Says that an array need not be poisoned.
struct Unset {};
inline constexpr Unset unset;

/// An array in the device's memory, freed at the end of its lifetime. It converts to the pointer
/// that kernels take.
template <class T>
class DeviceArray {
 public:
  /// `count` elements, poisoned: until a kernel writes an element, it cannot pass for a result.
  explicit DeviceArray(std::size_t count) : DeviceArray(count, unset) { poison(); }

  /// `count` elements, as cudaMalloc() returns them: no work for the device.
  DeviceArray(std::size_t count, Unset) : count_(count) {
    CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
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

  /// Overwrites the array with `values`, which must have the same number of elements.
  template <class Values>
  void copy_from(const Values& values) {
    if (values.size() != count_) throw Error("copy_from: sizes differ");
    if (count_ != 0) {
      CUDA_CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
    }
  }

  /// A copy on the host. Waits for earlier kernels.
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

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "device.inl"
#endif
