/// @file
/// The ceiling: what wgmma reaches if nothing has to be copied. Two warpgroups multiply the same
/// tiles in shared memory, over and over.
#pragma once

#include "ceiling.hpp"
#include "course.hpp"
#include "normal_values.hpp"
#include "products.hpp"
#include "tiles.hpp"

namespace hopper {

/// Numbers of BF16 that a block multiplies: two tiles of A, 64 x 64, and one of B, 64 x 256.
constexpr int peak_numbers = (2 * 64 + 256) * 64;

/// `steps`: of 64 along k.
template <int columns>
__global__ void __launch_bounds__(256, 1)
    multiply_alone(const uint4* numbers, const int steps, float* sink) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  for (int i = threadIdx.x; i < peak_numbers / 8; i += 256) {
    reinterpret_cast<uint4*>(shared)[i] = numbers[i];
  }
  fence_for_copies();  // wgmma reads through the same proxy as copies
  __syncthreads();
  const std::uint64_t A = describe_A(shared + threadIdx.x / 128 * 64 * 128);
  const std::uint64_t B = describe_B(shared + 2 * 64 * 128, 64 * 128);
  float d[columns / 2];
  for (int step = 0; step < steps; ++step) {
    fence_products();
#pragma unroll
    for (int i = 0; i < 4; ++i) multiply<false>(d, A + 2 * i, B + 128 * i, step + i > 0);
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

/// The measured peak of this device's tensor cores.
struct TensorPeak {
  course::Timing timing;
  double operations = 0;  ///< per launch
  double gigaflops_per_s() const {
    return timing.median_ms > 0 ? operations / timing.median_ms / 1e6 : 0.0;
  }
  /// As the bench has it.
  course::Ceiling ceiling() const {
    course::Ceiling result;
    result.name = "wgmma BF16";
    result.gigaflops_per_s = gigaflops_per_s();
    result.operations = operations;
    result.blocks_per_multiprocessor = 1;
    result.timing = timing;
    return result;
  }
};

/// Measures it, with normal random numbers: the power that a product takes depends on them.
inline TensorPeak measure_peak(const course::Options& options) {
  const NormalValues values(5);
  std::vector<Bf16> numbers;
  for (int i = 0; i < peak_numbers; ++i) numbers.push_back(__float2bfloat16(values(0, i)));
  const course::DeviceArray<Bf16> on_device(numbers);
  course::DeviceArray<float> sink(1);
  const auto* const words = reinterpret_cast<const uint4*>(static_cast<const Bf16*>(on_device));
  const int steps = course::on_emulator ? 1 : 2048;
  const int blocks = course::on_emulator ? 1 : course::device().multiprocessors;
  constexpr int bytes = peak_numbers * static_cast<int>(sizeof(Bf16));
  const auto kernel = multiply_alone<256>;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  TensorPeak alone;
  alone.operations = 2.0 * 128 * 256 * 64 * steps * blocks;
  alone.timing = TIME_EVENTS(options, , {
    kernel<<<blocks, 256, bytes>>>(words, steps, sink);
    CUDA_CHECK_LAUNCH();
  });
  return alone;
}

}  // namespace hopper
