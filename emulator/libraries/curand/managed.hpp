#pragma once
/// \file
/// Memory for the tests of cuRAND.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstddef>

namespace emulator::curand {

/// Managed memory for the length of a scope.
template <class T>
class Managed {
 public:
  explicit Managed(std::size_t count) {
    REQUIRE(cudaMallocManaged(&data_, count * sizeof(T)) == cudaSuccess);
  }
  ~Managed() { cudaFree(data_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  T* get() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
};

}  // namespace emulator::curand
