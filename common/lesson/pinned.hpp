/// @file
/// Pinned memory of the host, which the device's copy engines access directly.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "check.hpp"

namespace course {

/// An array in the host's memory that the system may not move, freed at the end of its lifetime.
/// Only copies from such memory, or to it, overlap with the host's work and with each other.
template <class T>
class PinnedArray {
 public:
  /// `count` elements, unset.
  explicit PinnedArray(std::size_t count) : count_(count) {
    if (count != 0) CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&data_), bytes()));
  }

  /// A copy of `values`.
  explicit PinnedArray(const std::vector<T>& values) : PinnedArray(values.size()) {
    for (std::size_t i = 0; i < count_; ++i) data_[i] = values[i];
  }

  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { CUDA_WARN(cudaFreeHost(data_)); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

}  // namespace course
