/// @file
/// What a function for a product needs from the device besides its arguments: memory for partial
/// sums and for packed matrices, and a few facts. This header depends on nothing but check.hpp, so
/// that such a function can leave the course with it (tools/headers).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "check.hpp"

namespace course {

/// An attribute of the current device.
/// @throws Error if there is none
inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// It does nothing, and is asked what it was compiled for.
template <int>
__global__ void compiled_kernel() {}

/// Whether the device has what compute capability 9.0 brought, and the program has code for it. A
/// program that was compiled for an older GPU only also runs on a newer one, but its kernels are
/// those for the older one.
inline bool has_hopper_code() {
  static const bool found = [] {
    if (device_attribute(cudaDevAttrComputeCapabilityMajor) < 9) return false;
    cudaFuncAttributes attributes{};
    CUDA_CHECK(
        cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(compiled_kernel<0>)));
    return attributes.ptxVersion >= 90;
  }();
  return found;
}

/// Memory on the device, kept for the next call, and freed with its owner. As cudaMalloc() returns
/// it: whatever is read must have been written.
template <class T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::size_t count) { at_least(count); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { CUDA_WARN(cudaFree(data_)); }

  /// Room for this many elements. If it has to grow, what was there is lost.
  T* at_least(std::size_t count) {
    if (count > count_) {
      CUDA_CHECK(cudaFree(data_));
      data_ = nullptr;
      count_ = 0;
      CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
      count_ = count;
    }
    return data_;
  }

  /// Sets every byte to 0.
  void clear() {
    if (count_ != 0) CUDA_CHECK(cudaMemset(data_, 0, count_ * sizeof(T)));
  }

  operator T*() const { return data_; }
  std::size_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace course
