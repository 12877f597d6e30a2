#pragma once
/// \file
/// Managed memory for tests of launches.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

#define OK(call) REQUIRE((call) == cudaSuccess)

namespace launch_test {

/// An array in managed memory, zeroed.
template <class T>
struct Buffer {
  explicit Buffer(size_t count) : size(count) {
    REQUIRE(cudaMallocManaged(&data, count * sizeof(T)) == cudaSuccess);
    std::fill(data, data + count, T{});
  }
  Buffer(const Buffer&) = delete;  // as many a wrapper: launches must take it by reference
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data); }
  operator T*() { return data; }
  T& operator[](size_t i) { return data[i]; }
  size_t size;
  T* data = nullptr;
};

}  // namespace launch_test
