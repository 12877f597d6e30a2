#pragma once
/// \file
/// What the tests of all libraries share. It works with NVIDIA's libraries as well.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace libraries {

/// Numbers on the device for the length of a scope.
template <class T>
class Array {
 public:
  explicit Array(const std::vector<T>& numbers) : size_(numbers.size()) {
    REQUIRE(cudaMalloc(&data_, std::max(bytes(), sizeof(T))) == cudaSuccess);
    REQUIRE(cudaMemcpy(data_, numbers.data(), bytes(), cudaMemcpyDefault) == cudaSuccess);
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* get() const { return data_; }
  std::vector<T> numbers() const {
    std::vector<T> numbers(size_);
    REQUIRE(cudaMemcpy(numbers.data(), data_, bytes(), cudaMemcpyDefault) == cudaSuccess);
    return numbers;
  }

 private:
  std::size_t bytes() const { return size_ * sizeof(T); }

  T* data_ = nullptr;
  std::size_t size_;
};

/// A handle of a library, or what else it creates and destroys, for the length of a scope.
/// @tparam create,destroy the library's functions. The status that says that all is well is 0.
template <class T, auto create, auto destroy>
struct Owned {
  T value = nullptr;
  Owned() { REQUIRE(static_cast<int>(create(&value)) == 0); }
  ~Owned() { destroy(value); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  operator T() const { return value; }
};

}  // namespace libraries
