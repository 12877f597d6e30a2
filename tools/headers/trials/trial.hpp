/// @file
/// What the trials of the made headers share: small whole numbers, so that each sum has one right
/// value; arrays on the device; and the end of a program that failed.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct Extents {
  int m, n, k;
};

inline std::vector<float> numbers(int count, int salt) {
  std::vector<float> all(count);
  for (int i = 0; i < count; ++i) all[i] = static_cast<float>((i * 7 + i / 5 + salt) % 9 - 4);
  return all;
}

inline std::vector<__nv_bfloat16> shortened(const std::vector<float>& all) {
  std::vector<__nv_bfloat16> result;
  for (const float number : all) result.push_back(__float2bfloat16(number));
  return result;
}

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

template <class T>
struct Device {
  explicit Device(std::vector<T> values) : on_host(std::move(values)) {
    check(cudaMalloc(reinterpret_cast<void**>(&data), on_host.size() * sizeof(T)));
    check(cudaMemcpy(data, on_host.data(), on_host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(data); }
  operator T*() { return data; }
  operator const T*() const { return data; }
  std::vector<T> to_host() const {
    std::vector<T> values(on_host.size());
    check(cudaMemcpy(values.data(), data, values.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

  std::vector<T> on_host;  ///< as they were at the beginning
  T* data = nullptr;
};
using OnDevice = Device<float>;

inline void require(bool right, const char* what, int m, int n, int element) {
  if (right) return;
  throw std::runtime_error(std::string(what) + " of " + std::to_string(m) + " x " +
                           std::to_string(n) + ": element " + std::to_string(element) +
                           " is wrong");
}

inline int failed(const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
