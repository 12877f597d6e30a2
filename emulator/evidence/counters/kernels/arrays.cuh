/// @file
/// Arrays on the device, calls that are checked, and random numbers: what micro-kernels are made
/// ready with. Nothing but CUDA, so that a GPU's machine compiles them alone.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace counters {

/// Ends the program if a call has failed: there is nothing to compare then.
inline void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}
#define COUNTERS_CHECK(call) counters::check(call, #call)

/// An array in device memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    COUNTERS_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    COUNTERS_CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  operator T*() { return data_; }
  operator const T*() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    COUNTERS_CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

/// 64 random bits for every index: the generator SplitMix64 (Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", OOPSLA 2014). The files recorded on GPUs depend on
/// these numbers.
class RandomBits {
 public:
  explicit RandomBits(std::uint64_t seed) : start_(mix(seed)) {}

  std::uint64_t operator()(std::uint64_t index) const {
    return mix(start_ + (index + 1) * 0x9E3779B97F4A7C15U);
  }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  std::uint64_t start_;
};

}  // namespace counters
