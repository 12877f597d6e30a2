/// @file
/// The types of the functions that compute a chapter's product.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace course {

/// y = A x with A of m x n, everything on the device.
using SgemvLauncher = std::function<void(const float* A, const float* x, float* y, int m, int n)>;

/// C = A B with A of m x k, B of k x n and C of m x n, row-major, everything on the device.
using GemmLauncher =
    std::function<void(const float* A, const float* B, float* C, int m, int n, int k)>;

/// C = A B on the CPU, with all three in the host's memory.
struct GemmOnCpu {
  std::string name;
  int threads;
  std::function<void(const float* A, const float* B, float* C, std::size_t m, std::size_t n,
                     std::size_t k)>
      run;
};

}  // namespace course
