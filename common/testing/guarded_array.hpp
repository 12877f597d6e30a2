/// @file
/// An array whose surroundings are watched.
#pragma once

#include <cstddef>
#include <vector>

#include "device.hpp"
#include "traffic.hpp"

namespace course::testing {

/// An array in the device's memory for a kernel under test. Where the emulator sees every access it
/// is exactly as long as it says, so that each one beside it is found. Elsewhere, on a GPU and in
/// fast programs, poison is on both sides of it: what is read there spoils a result, and what is
/// written there shows in intact().
template <class T>
class GuardedArray {
 public:
  /// `count` elements, poisoned: what no kernel writes does not pass for a result.
  explicit GuardedArray(std::size_t count) : count_(count), all_(count + 2 * guard) {}

  /// A copy of `values`.
  template <class Values>
  requires requires(const Values& values) { values.data()[values.size()]; }
  explicit GuardedArray(const Values& values) : GuardedArray(values.size()) {
    if (count_ != 0) {
      CUDA_CHECK(cudaMemcpy(data(), values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
  }

  T* data() { return static_cast<T*>(all_) + guard; }
  const T* data() const { return static_cast<const T*>(all_) + guard; }
  std::size_t size() const { return count_; }

  /// Makes every element unwritten again.
  void poison() {
    if (count_ != 0) CUDA_CHECK(cudaMemset(data(), 0xFF, count_ * sizeof(T)));
  }

  /// A copy on the host. Waits for the kernels before it.
  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    if (count_ != 0) {
      CUDA_CHECK(cudaMemcpy(values.data(), data(), count_ * sizeof(T), cudaMemcpyDeviceToHost));
    }
    return values;
  }

  /// Whether the memory on both sides is as it was.
  bool intact() const {
    if (guard == 0) return true;
    const std::vector<T> all = all_.to_host();
    const auto* const bytes = reinterpret_cast<const unsigned char*>(all.data());
    const std::size_t end = all.size() * sizeof(T);
    for (std::size_t k = 0; k < guard * sizeof(T); ++k) {
      if (bytes[k] != 0xFF || bytes[end - 1 - k] != 0xFF) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t guard = counts_traffic ? 0 : 1024;  // keeps cudaMalloc's alignment
  std::size_t count_;
  DeviceArray<T> all_;
};

}  // namespace course::testing
