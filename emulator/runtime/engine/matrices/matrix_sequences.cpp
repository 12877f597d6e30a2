#include "engine/matrices/matrix_sequences.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include "emulator/numbers/float8_format.h"

namespace emulator::engine {
namespace {

std::uint32_t bits_of_float(float value) {
  return std::isnan(value) ? 0x7FFFFFFFU : std::bit_cast<std::uint32_t>(value);
}

float float_of(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

float float_of_half(std::uint64_t bits) {
  return decode16<HalfFormat>(static_cast<unsigned short>(bits));
}

std::uint64_t half_of_byte(std::uint64_t bits, MatrixType type) {
  return type == MatrixType::e4m3 ? half_of_8<E4m3Format>(static_cast<unsigned>(bits))
                                  : half_of_8<E5m2Format>(static_cast<unsigned>(bits));
}

}  // namespace

// A register has four numbers. The first product takes the lower two of each, and begins with 0;
// the second one the upper two, and begins with what has come of the first.
void multiply_bytes(const MatrixProduct& product, const MatrixBits& matrices) {
  const unsigned half_k = product.k / 2;
  const MatrixProduct of_halves{product.m,       product.n, half_k,   MatrixType::f16,
                                MatrixType::f16, product.d, product.d};
  std::vector<std::uint64_t> a(std::size_t{product.m} * half_k);
  std::vector<std::uint64_t> b(std::size_t{product.n} * half_k);
  std::vector<std::uint64_t> sums(std::size_t{product.m} * product.n);
  for (unsigned upper = 0; upper < 2; ++upper) {
    const auto take = [&](const std::uint64_t* from, std::vector<std::uint64_t>& to,
                          MatrixType type) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = half_of_byte(from[i / 2 * 4 + 2 * upper + i % 2], type);
      }
    };
    take(matrices.a, a, product.a);
    take(matrices.b, b, product.b);
    multiply(of_halves, {a.data(), b.data(), sums.data(), sums.data()});
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    matrices.d[i] = product.d == MatrixType::f16
                        ? sum16<HalfFormat>(static_cast<unsigned short>(matrices.c[i]),
                                            static_cast<unsigned short>(sums[i]))
                        : bits_of_float(float_of(matrices.c[i]) + float_of(sums[i]));
  }
}

std::uint64_t multiply_four(const std::array<std::uint64_t, 4>& a,
                            const std::array<std::uint64_t, 4>& b, std::uint64_t c,
                            MatrixType result) {
  std::array<float, 4> x{};
  std::array<float, 4> y{};
  for (std::size_t i = 0; i < 4; ++i) {
    x[i] = float_of_half(a[i]);
    y[i] = float_of_half(b[i]);
  }
  if (result == MatrixType::f32) {
    float sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum = std::fma(x[i], y[i], sum);
    return bits_of_float(float_of(c) + sum);
  }
  const float first = std::fma(x[1], y[1], x[0] * y[0]);
  const float second = std::fma(x[3], y[3], x[2] * y[2]);
  return encode16<HalfFormat>(float_of_half(c) + first + second);
}

}  // namespace emulator::engine
