/// @file
/// Numbers on the host: normal random ones, rounded to the tensor cores' formats, and the error
/// bound of their products.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "course.hpp"
#include "tensor_cores/mma.hpp"

namespace tensor {

/// The format of a product's inputs.
enum class Numbers { bf16, fp16, tf32, tf32_cut };

/// Half a unit of the last bit, relative to the number: the largest relative error of rounding.
inline double unit_roundoff(Numbers numbers) {
  constexpr double units[] = {0x1p-8, 0x1p-11, 0x1p-11, 0x1p-10};  // truncation: a whole unit
  return units[static_cast<int>(numbers)];
}

/// The error bound of a product of k terms, relative to the sum of their magnitudes. Both inputs
/// were rounded. And the tensor core truncates each sum: by at most 2^-23 of it.
inline double tolerance(Numbers numbers, std::size_t k) {
  const double u = unit_roundoff(numbers);
  return 2 * u + u * u + static_cast<double>(k) * 0x1p-23;
}

/// The kinds of data that the program can use.
enum class Kind { normal, constant, zero };

/// Numbers with a normal distribution of mean 0 and deviation 1 (Box and Muller). Those nearer to 0
/// than 2^-14 become 0: there a half has less than its 11 bits of precision.
class NormalValues {
 public:
  explicit NormalValues(Kind kind, std::uint64_t seed) : kind_(kind), bits_(seed) {}

  COURSE_DETAIL_INLINE float operator()(std::uint64_t i, std::uint64_t j) const {
    if (kind_ != Kind::normal) return kind_ == Kind::constant ? 1.0F : 0.0F;
    const std::uint64_t bits = bits_(i << 32 | j);
    const double u = (static_cast<double>(bits >> 32) + 0.5) * 0x1p-32;
    const double v = static_cast<double>(bits & 0xFFFFFFFFU) * 0x1p-32;
    const double x = std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
    return std::fabs(x) < 0x1p-14 ? 0.0F : static_cast<float>(x);
  }

 private:
  Kind kind_;
  course::RandomBits bits_;
};

/// A product's data. `reference` is computed from the numbers before rounding.
inline course::GemmProblem make_problem(Kind kind, std::size_t m, std::size_t n, std::size_t k,
                                        std::uint64_t seed) {
  using course::HostMatrix;
  course::GemmProblem p{course::Data::random, m,  n, k, HostMatrix(m * k),
                        HostMatrix(k * n),    {}, {}};
  const auto rows = course::Layout::row_major;
  course::fill_matrix(p.A.data(), m, k, rows, NormalValues(kind, seed));
  course::fill_matrix(p.B.data(), k, n, rows, NormalValues(kind, ~seed));
  p.reference.resize(m * n);
  p.magnitude.resize(m * n);
  course::reference_gemm(p.A.data(), p.B.data(), m, n, k, p.reference.data(), p.magnitude.data());
  return p;
}

/// The nearest number of a type.
template <class Element>
Element rounded(float x);
template <>
inline float rounded<float>(float x) {
  return x;  // TF32 is rounded later, in the kernel
}
template <>
inline __nv_bfloat16 rounded<__nv_bfloat16>(float x) {
  return __float2bfloat16(x);
}
template <>
inline __half rounded<__half>(float x) {
  return __float2half(x);
}

/// All of them, each times `scale`: a power of two, which rounds nothing itself.
template <class Element, class Values>
std::vector<Element> all_rounded(const Values& values, float scale = 1.0F) {
  std::vector<Element> result(values.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = rounded<Element>(values[i] * scale);
  return result;
}

/// Numbers of T for mma_alone(), two or one in a word of 4 bytes.
template <class T>
std::vector<std::uint32_t> words_of(Kind kind, std::size_t count) {
  using Element = typename T::Element;
  const std::size_t in_word = 4 / sizeof(Element);
  std::vector<float> values(count * in_word);
  const NormalValues normal(kind, 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = normal(0, i);
  const std::vector<Element> numbers = all_rounded<Element>(values);
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), numbers.data(), count * 4);
  return words;
}

}  // namespace tensor
