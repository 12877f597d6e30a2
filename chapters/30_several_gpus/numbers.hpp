/// @file
/// Chapter 30: data that each device makes for itself, and results that each can check: small whole
/// numbers, whose sums are exact in every order.
#pragma once

#include "devices.hpp"

namespace gpus {

/// Number i of a series: from -16 to 15.
__host__ __device__ inline float number_of(std::size_t i, unsigned series) {
  const unsigned bits = (static_cast<unsigned>(i) + series * 77777U) * 2654435769U;
  return static_cast<float>(static_cast<int>((bits ^ bits >> 13) >> 11 & 31U) - 16);
}

__global__ void fill(float* x, std::size_t n, std::size_t first, unsigned series) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    x[i] = number_of(first + i, series);
  }
}
/// x[i] is to be the sum of numbers i of all devices' series.
__global__ void count_wrong_sums(const float* x, std::size_t n, int devices, unsigned* wrong) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    float sum = 0;
    for (int device = 0; device < devices; ++device) sum += number_of(i, device);
    if (x[i] != sum) atomicAdd(wrong, 1U);
  }
}

/// A is series 0, 1, ... and B series 8, 9, ...: C is to be the sum of these products.
struct ProductOf {
  std::size_t m, n, k;  ///< k of each
  int terms;            ///< products
};
inline constexpr unsigned series_of_B = 8;

/// Looks at every `stride`-th row of C, and at the last one.
__global__ void count_wrong_products(const float* C, ProductOf of, std::size_t stride,
                                     unsigned* wrong) {
  const std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::size_t i = min(blockIdx.y * stride, of.m - 1);
  if (j >= of.n) return;
  float sum = 0;
  for (int term = 0; term < of.terms; ++term) {
    for (std::size_t l = 0; l < of.k; ++l) {
      sum += number_of(i * of.k + l, term) * number_of(l * of.n + j, series_of_B + term);
    }
  }
  if (C[i * of.n + j] != sum) atomicAdd(wrong, 1U);
}

inline int blocks_to_fill(std::size_t n) {
  return static_cast<int>(std::clamp<std::size_t>((n + 255) / 256, 1, 2048));
}

/// On the current device.
inline void launch_fill(float* x, std::size_t n, std::size_t first, unsigned series) {
  fill<<<blocks_to_fill(n), 256>>>(x, n, first, series);
  CUDA_CHECK_LAUNCH();
}

inline course::Verdict verdict_of(unsigned wrong, int device) {
  if (wrong == 0) return {true, "right"};
  return {false, std::to_string(wrong) + " elements are wrong on device " + std::to_string(device)};
}

/// On the current device, whose number is for the message.
inline course::Verdict verify_product(const float* C, ProductOf of, int device) {
  if (of.m * of.n == 0) return {true, "empty"};
  course::DeviceArray<unsigned> wrong(std::vector<unsigned>{0});
  const std::size_t stride = std::max<std::size_t>(1, of.m / 61);
  const dim3 grid(static_cast<unsigned>((of.n + 255) / 256),
                  static_cast<unsigned>((of.m + stride - 1) / stride + 1));
  count_wrong_products<<<grid, 256>>>(C, of, stride, wrong);
  CUDA_CHECK_LAUNCH();
  return verdict_of(wrong.to_host()[0], device);
}

inline course::Verdict verify_sums(const float* x, std::size_t n, int devices, int device) {
  if (n == 0) return {true, "empty"};
  course::DeviceArray<unsigned> wrong(std::vector<unsigned>{0});
  count_wrong_sums<<<blocks_to_fill(n), 256>>>(x, n, devices, wrong);
  CUDA_CHECK_LAUNCH();
  return verdict_of(wrong.to_host()[0], device);
}

}  // namespace gpus
