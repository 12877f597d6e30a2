/// @file
/// The ceiling of a format: as wgmma_peak.hpp, with operands of any type, both K-major.
#pragma once

#include "format_data.hpp"
#include "tensor_cores/format_instructions.hpp"
#include "tensor_cores/wgmma_peak.hpp"

namespace hopper {

/// Bytes that a block multiplies: 128 rows of A and 256 columns of B, 128 bytes along k.
constexpr int format_peak_bytes = (128 + 256) * 128;

/// `steps`: of 128 bytes along k.
template <class F>
__global__ void __launch_bounds__(256, 1)
    multiply_format_alone(const uint4* numbers, const int steps, float* sink) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  for (int i = threadIdx.x; i < format_peak_bytes / 16; i += 256) {
    reinterpret_cast<uint4*>(shared)[i] = numbers[i];
  }
  fence_for_copies();  // wgmma reads through the same proxy as copies
  __syncthreads();
  const std::uint64_t A = describe_A(shared + threadIdx.x / 128 * 64 * 128);
  const std::uint64_t B = describe_A(shared + 128 * 128);
  float d[128];
  for (int step = 0; step < steps; ++step) {
    fence_products();
#pragma unroll
    for (int i = 0; i < 4; ++i) multiply<F>(d, A + 2 * i, B + 2 * i, step + i > 0);
    commit_products();
    wait_for_products<1>();
  }
  wait_for_products<0>();
  float total = 0.0F;
#pragma unroll
  for (const float sum : d) total += sum;
  if (total == 12345.678F) *sink = total;  // never true, but the compiler does not know that
#endif
}

/// Measures it, with normal random numbers: the power that a product takes depends on them.
template <class T>
TensorPeak measure_format_peak(const course::Options& options) {
  constexpr int count = format_peak_bytes / static_cast<int>(sizeof(T));
  const NormalValues values(5);
  std::vector<T> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(element_of<T>(values(0, i)));
  const course::DeviceArray<T> on_device(numbers);
  course::DeviceArray<float> sink(1);
  const auto* const words = reinterpret_cast<const uint4*>(static_cast<const T*>(on_device));
  const int steps = course::on_emulator ? 1 : 2048;
  const int blocks = course::on_emulator ? 1 : course::device().multiprocessors;
  const auto kernel = multiply_format_alone<Format<T, T, float, Major::k, Major::k>>;
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, format_peak_bytes));
  TensorPeak alone;
  alone.operations = 2.0 * 128 * 256 * (128.0 / sizeof(T)) * steps * blocks;
  alone.timing = TIME_EVENTS(options, , {
    kernel<<<blocks, 256, format_peak_bytes>>>(words, steps, sink);
    CUDA_CHECK_LAUNCH();
  });
  return alone;
}

}  // namespace hopper
