/// @file
/// The ceiling: a kernel that runs only mma.sync. It multiplies the same fragments again and again,
/// like a warp's inner loop, but loads nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "course.hpp"
#include "tensor_cores/mma.hpp"

namespace tensor {

constexpr int peak_words = 4 * 4 + 8 * 2;  ///< of 4 bytes: the inputs of one thread

/// `words`: peak_words for each thread of a block, numbers of T.
template <class T, int columns>
__global__ void mma_alone(const std::uint32_t* words, int steps, float* sink) {
  FragmentA a[4];
  FragmentB b[columns];
  FragmentC sum[4][columns] = {};
  const std::uint32_t* mine = words + std::size_t{threadIdx.x} * peak_words;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int r = 0; r < 4; ++r) a[i][r] = mine[4 * i + r];
  }
#pragma unroll
  for (int j = 0; j < columns; ++j) {
#pragma unroll
    for (int r = 0; r < 2; ++r) b[j][r] = mine[16 + 2 * j + r];
  }
#pragma unroll 8  // so that the loop's own instructions hardly count
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int right = 0; right < columns; ++right) {
        const int j = i % 2 == 0 ? right : columns - 1 - right;
        multiply(T{}, sum[i][j], a[i], b[j]);
      }
    }
  }
  float total = 0.0F;
#pragma unroll
  for (const auto& row : sum) {
#pragma unroll
    for (const FragmentC& c : row) total += c[0] + c[1] + c[2] + c[3];
  }
  if (total == 12345.678F) *sink = total;  // never true, but the compiler does not know that
}

/// The measured peak of this device's tensor cores.
struct TensorPeak {
  course::Timing timing;  ///< of the best launch shape
  double operations = 0;  ///< per launch
  double gigaflops_per_s() const {
    return timing.median_ms > 0 ? operations / timing.median_ms / 1e6 : 0.0;
  }
};

/// The kernel with numbers for a whole launch: eight warps with 64 x 64 sums each, or sixteen with
/// half as many.
template <class T, int columns>
class PeakLaunch {
 public:
  /// @param words numbers of T, peak_words for each of 512 threads
  explicit PeakLaunch(const std::vector<std::uint32_t>& words) : numbers_(words), sink_(1) {}

  void operator()() {
    mma_alone<T, columns><<<grid_, 32 * warps>>>(numbers_, steps_, sink_);
    CUDA_CHECK_LAUNCH();
  }
  double operations() const {
    constexpr int terms = 32 / static_cast<int>(sizeof(typename T::Element));
    return 2.0 * 16 * 8 * terms * 4 * columns * steps_ * grid_ * warps;
  }

 private:
  static constexpr int warps = 64 / columns;
  course::DeviceArray<std::uint32_t> numbers_;
  course::DeviceArray<float> sink_;
  int steps_ = course::on_emulator ? 1 : 4096;
  int grid_ = course::on_emulator ? 1 : course::device().multiprocessors;
};

/// Measures it in both shapes.
template <class T>
TensorPeak measure_peak(const course::Options& options, const std::vector<std::uint32_t>& words) {
  const auto measure = [&]<int columns>() {
    PeakLaunch<T, columns> launch(words);
    return TensorPeak{TIME_EVENTS(options, , launch()), launch.operations()};
  };
  const TensorPeak few = measure.template operator()<8>();
  const TensorPeak many = measure.template operator()<4>();
  return few.gigaflops_per_s() < many.gigaflops_per_s() ? many : few;
}

}  // namespace tensor
