/// @file
/// Matrices of many kinds, made on the device; a product in FP64; and how far off others are, in
/// units of what rounding one float costs.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "course.hpp"
#include "warp_products.hpp"

namespace fp32 {

/// What numbers A and B have. Lines are rows of A and columns of B.
enum class Kind {
  normal,      ///< mean 0, deviation 1
  uniform,     ///< from -1 to 1
  positive,    ///< from 0 to 1
  cancelling,  ///< neighbouring terms nearly cancel: a thousandth is left
  lines,       ///< normal, each line times a power of two, from 2^-20 to 2^20
  exponents,   ///< each number has an exponent of its own, from -30 to 30
  zero_sums,   ///< neighbouring terms cancel: every sum is 0
  whole,       ///< small whole numbers, none of them 0: all sums are exact in FP32
  terms,       ///< normal, each column of A times a power of two, each row of B divided by it
};
struct NamedKind {
  Kind kind;
  const char* name;
};
inline constexpr NamedKind kinds[] = {
    {Kind::normal, "normal"},         {Kind::uniform, "uniform"},    {Kind::positive, "positive"},
    {Kind::cancelling, "cancelling"}, {Kind::lines, "scaled lines"}, {Kind::exponents, "exponents"},
    {Kind::zero_sums, "sums of 0"},   {Kind::terms, "scaled terms"}};

/// SplitMix64, as in common/lesson/data.hpp, on the device.
inline __device__ std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0xD1342543DE82EF95U + (index + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}
/// From 0 to 1, neither of them.
inline __device__ float fraction(std::uint32_t bits) {
  return (static_cast<float>(bits >> 8) + 0.5F) * 0x1p-24F;
}
/// By Box and Muller.
inline __device__ float normal(std::uint64_t bits) {
  return sqrtf(-2.0F * logf(fraction(static_cast<std::uint32_t>(bits >> 32)))) *
         cospif(2.0F * fraction(static_cast<std::uint32_t>(bits)));
}
/// From -most to most.
inline __device__ int random_exponent(std::uint64_t bits, int most) {
  return static_cast<int>((bits >> 32) * static_cast<unsigned>(2 * most + 1) >> 32) - most;
}

/// The number in a line, of one term.
/// @param terms k
inline __device__ float number_of(Kind kind, bool in_B, int line, int term, int terms,
                                  std::uint64_t seed) {
  const bool pairs = kind == Kind::cancelling || kind == Kind::zero_sums;
  const int number = pairs ? term / 2 : term;
  const std::uint64_t place =
      static_cast<std::uint64_t>(line) << 32 | static_cast<unsigned>(number);
  const std::uint64_t bits = random_bits(2 * seed + (in_B ? 1 : 0), place);
  const float x = normal(bits);
  switch (kind) {
    case Kind::uniform:
      return 2.0F * fraction(static_cast<std::uint32_t>(bits)) - 1.0F;
    case Kind::positive:
      return fraction(static_cast<std::uint32_t>(bits));
    case Kind::cancelling:
      return !in_B || term % 2 == 0 ? x : -x * (1.0F + 0x1p-10F);
    case Kind::zero_sums:
      if (term % 2 == 0 && term + 1 == terms) return 0.0F;  // it has no neighbour
      return !in_B || term % 2 == 0 ? x : -x;
    case Kind::lines:
      return x * power_of_two(random_exponent(random_bits(seed + 77, 2U * line + in_B), 20));
    case Kind::exponents: {
      const float mantissa = 1.0F + fraction(static_cast<std::uint32_t>(bits));
      const int exponent = random_exponent(random_bits(seed + 99, bits), 30);
      return ((bits & 1) != 0 ? mantissa : -mantissa) * power_of_two(exponent);
    }
    case Kind::whole: {  // below 2^24, whatever the signs
      int most = 15;
      while (most > 1 && static_cast<std::int64_t>(most) * most * terms >= 1 << 24) --most;
      const int value =
          static_cast<int>((bits >> 32) * static_cast<unsigned>(2 * most) >> 32) - most;
      return static_cast<float>(value + (value >= 0 ? 1 : 0));
    }
    case Kind::terms: {
      const int exponent = random_exponent(random_bits(seed + 55, static_cast<unsigned>(term)), 15);
      return x * power_of_two(in_B ? -exponent : exponent);
    }
    default:
      return x;
  }
}

static __global__ void fill(float* matrix, int rows, int cols, Kind kind, bool in_B,
                            std::uint64_t seed) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= cols) return;
  for (int row = static_cast<int>(blockIdx.y); row < rows; row += static_cast<int>(gridDim.y)) {
    matrix[static_cast<std::size_t>(row) * cols + col] =
        in_B ? number_of(kind, true, col, row, rows, seed)
             : number_of(kind, false, row, col, cols, seed);
  }
}

/// The row of C that is the sample number `i` of `samples`.
inline __device__ int sampled_row(int i, int samples, int m) {
  return samples == 1 ? 0
                      : static_cast<int>(static_cast<std::int64_t>(i) * (m - 1) / (samples - 1));
}

/// Sums of some rows of C in FP64, and of the magnitudes of their terms.
static __global__ void reference(const Product g, double* sums, double* magnitudes, int samples) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= g.n) return;
  const int sample = static_cast<int>(blockIdx.y);
  const float* const row = g.A + static_cast<std::size_t>(sampled_row(sample, samples, g.m)) * g.k;
  double sum = 0.0;
  double magnitude = 0.0;
  for (int i = 0; i < g.k; ++i) {
    const double product =
        static_cast<double>(row[i]) * g.B[static_cast<std::size_t>(i) * g.n + col];
    sum += product;
    magnitude += fabs(product);
  }
  sums[static_cast<std::size_t>(sample) * g.n + col] = sum;
  magnitudes[static_cast<std::size_t>(sample) * g.n + col] = magnitude;
}

/// The error of each element of these rows as a multiple of u times the sum of its terms'
/// magnitudes, where u = 2^-24: half of a float's last bit.
static __global__ void errors_of(const Product g, const double* sums, const double* magnitudes,
                                 float* errors, int samples) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= g.n) return;
  const int sample = static_cast<int>(blockIdx.y);
  const std::size_t i = static_cast<std::size_t>(sample) * g.n + col;
  const float got = g.C[static_cast<std::size_t>(sampled_row(sample, samples, g.m)) * g.n + col];
  const double error = fabs(static_cast<double>(got) - sums[i]);
  errors[i] = error == 0.0 ? 0.0F : static_cast<float>(error / (magnitudes[i] * 0x1p-24));
}

/// Of all elements that were looked at.
struct Errors {
  float largest = 0, most = 0, mean = 0;  ///< most: 99.9 % are no larger
};

/// A product of one kind of numbers, and what it should be.
class AccuracyProblem {
 public:
  AccuracyProblem(Kind kind, int m, int n, int k, std::uint64_t seed)
      : m_(m),
        n_(n),
        k_(k),
        samples_(std::min(m, 64)),
        A_(static_cast<std::size_t>(m) * k),
        B_(static_cast<std::size_t>(k) * n),
        C_(static_cast<std::size_t>(m) * n),
        sums_(static_cast<std::size_t>(samples_) * n),
        magnitudes_(sums_.size()),
        errors_(sums_.size()) {
    fill<<<dim3((k - 1) / 128 + 1, std::min(m, 32768)), 128>>>(A_, m, k, kind, false, seed);
    CUDA_CHECK_LAUNCH();
    fill<<<dim3((n - 1) / 128 + 1, std::min(k, 32768)), 128>>>(B_, k, n, kind, true, seed);
    CUDA_CHECK_LAUNCH();
    reference<<<grid(), 128>>>(product(), sums_, magnitudes_, samples_);
    CUDA_CHECK_LAUNCH();
  }

  void poison() { C_.poison(); }
  void launch(const course::GemmLauncher& launcher) { launcher(A_, B_, C_, m_, n_, k_); }

  /// The errors of the last launch.
  Errors errors() {
    errors_of<<<grid(), 128>>>(product(), sums_, magnitudes_, errors_, samples_);
    CUDA_CHECK_LAUNCH();
    std::vector<float> all = errors_.to_host();
    double sum = 0.0;
    for (float& error : all) {
      if (std::isnan(error)) error = std::numeric_limits<float>::infinity();
      sum += error;
    }
    const auto count = static_cast<double>(all.size());
    std::sort(all.begin(), all.end());
    return {all.back(), all[static_cast<std::size_t>(0.999 * (count - 1))],
            static_cast<float>(sum / count)};
  }
  /// The errors of a launch function's product.
  Errors errors(const course::GemmLauncher& launcher) {
    poison();
    launch(launcher);
    return errors();
  }

 private:
  dim3 grid() const {
    return {static_cast<unsigned>((n_ - 1) / 128 + 1), static_cast<unsigned>(samples_)};
  }
  Product product() { return {A_, B_, C_, m_, n_, k_}; }

  int m_, n_, k_, samples_;
  course::DeviceArray<float> A_, B_, C_;
  course::DeviceArray<double> sums_, magnitudes_;
  course::DeviceArray<float> errors_;
};

}  // namespace fp32
