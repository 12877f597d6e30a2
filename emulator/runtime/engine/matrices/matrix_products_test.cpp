// The arithmetic of tensor cores, where it differs from that of everything else. What is expected
// follows from what has been published of it. emulator/evidence/matrices holds it against a GPU.

#include "engine/matrices/matrix_products.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "engine/matrices/matrix_sequences.hpp"

namespace {

using emulator::engine::MatrixBits;
using emulator::engine::MatrixForm;
using emulator::engine::MatrixProduct;
using emulator::engine::MatrixType;
using Numbers = std::initializer_list<std::uint64_t>;

// One element of a product: a row of A, a column of B, an element of C.
std::uint64_t one(MatrixType type, MatrixType result, unsigned k, Numbers a_row, Numbers b_column,
                  std::uint64_t c_element, MatrixForm form = MatrixForm::dense) {
  MatrixProduct product{16, 8, k, type, type, result, result};
  product.form = form;
  std::vector<std::uint64_t> a(std::size_t{16} * k);
  std::vector<std::uint64_t> b(std::size_t{8} * k);
  std::vector<std::uint64_t> c(128);
  std::vector<std::uint64_t> d(128);
  std::copy(a_row.begin(), a_row.end(), a.begin() + k);            // row 1
  std::copy(b_column.begin(), b_column.end(), b.begin() + 2 * k);  // column 2
  c[1 * 8 + 2] = c_element;
  multiply(product, MatrixBits{a.data(), b.data(), c.data(), d.data()});
  CHECK(d[0] == 0);
  return d[1 * 8 + 2];
}

std::uint64_t halves(Numbers a, Numbers b, float c) {
  return one(MatrixType::f16, MatrixType::f32, 16, a, b, std::bit_cast<std::uint32_t>(c));
}
std::uint64_t to_half(Numbers a, Numbers b, std::uint64_t c) {
  return one(MatrixType::f16, MatrixType::f16, 16, a, b, c);
}
std::uint64_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

constexpr std::uint64_t half_one = 0x3C00;
constexpr std::uint64_t half_minus_one = 0xBC00;
constexpr std::uint64_t half_infinity = 0x7C00;
constexpr std::uint64_t half_smallest = 0x0001;  // 2^-24
constexpr std::uint64_t half_2_to_minus_12 = 0x0C00;
constexpr std::uint64_t half_2_to_minus_13 = 0x0800;
constexpr std::uint64_t half_2_to_minus_14 = 0x0400;

}  // namespace

TEST_CASE("tensor cores: a term keeps 25 places below the largest one, and the sum is exact") {
  const std::uint64_t p12 = half_2_to_minus_12;
  const std::uint64_t p13 = half_2_to_minus_13;
  CHECK(halves({p13, p13, p13, p13}, {p12, p12, p12, p12}, 1) == bits(1 + 0x1p-23F));  // 2^-25 each
  CHECK(halves({p13, p13, p13, p13, p13, p13, p13, p13}, {p13, p13, p13, p13, p13, p13, p13, p13},
               1) == bits(1));  // 2^-26 each
  // All 16 products are added at once, and not eight of them first.
  CHECK(halves({half_one, 0, 0, 0, 0, 0, 0, 0, p13}, {half_one, 0, 0, 0, 0, 0, 0, 0, p13}, -1) ==
        0);
  // What is cut off is cut off towards 0, of each term.
  CHECK(halves({p13}, {0x8800}, 1) == bits(1));  // 1 - 2^-26
  CHECK(halves({half_one, half_minus_one, p13}, {half_one, half_one, p13}, 0) == 0);
}

TEST_CASE("tensor cores: a float is rounded towards 0, and a half to the nearest") {
  const std::uint64_t p12 = half_2_to_minus_12;
  CHECK(halves({p12, p12}, {p12, p12}, 1) == bits(1 + 0x1p-23F));
  CHECK(halves({p12}, {0x0E00}, 1) == bits(1));  // 1 + 1.5 * 2^-24
  CHECK(halves({p12}, {0x8E00}, -1) == bits(-1));
  CHECK(to_half({half_one}, {half_2_to_minus_12}, half_one) == half_one);
  CHECK(to_half({half_one}, {0x1000}, half_one) == half_one);  // 2^-11 in the middle: to even
  CHECK(to_half({half_one}, {0x1000}, 0x3C01) == 0x3C02);
  CHECK(to_half({half_one}, {0x1001}, half_one) == 0x3C01);  // a little more
}

TEST_CASE("tensor cores: denormal numbers count, and a sum of 0 has no sign") {
  CHECK(halves({half_smallest}, {half_smallest}, 0) == bits(0x1p-48F));
  CHECK(to_half({half_smallest}, {half_one}, half_smallest) == 2);
  CHECK(one(MatrixType::bf16, MatrixType::f32, 8, {0x0001}, {0x3F80}, 1) == 0x00010001);
  CHECK(halves({0x8000}, {half_one}, -0.0F) == 0);
  CHECK(halves({half_one}, {half_minus_one}, 1) == 0);
  CHECK(to_half({0x8001}, {half_2_to_minus_12}, 0) == 0);  // too small
}

TEST_CASE("tensor cores: a zero hides nothing, and what is far too small does not decide a tie") {
  CHECK(one(MatrixType::bf16, MatrixType::f32, 8, {0, 0x3F80}, {0x7F00, 0x0080}, 0) == 0x00800000);
  // 2^-25 in the middle between 0 and the smallest number, and 2^-47.
  CHECK(to_half({half_2_to_minus_14, half_smallest}, {0x1000, 0x0002}, 0) == 0);
  CHECK(to_half({half_2_to_minus_14, half_smallest}, {0x1000, 0x0004}, 0) == half_smallest);
}

TEST_CASE("tensor cores: infinities, NaN, and what is too large") {
  CHECK(halves({half_infinity}, {half_minus_one}, 5) == 0xFF800000);
  CHECK(halves({half_infinity}, {0}, 5) == 0x7FFFFFFF);
  CHECK(halves({half_infinity, half_infinity}, {half_one, half_minus_one}, 5) == 0x7FFFFFFF);
  CHECK(halves({half_one}, {0xFE01}, 0) == 0x7FFFFFFF);
  CHECK(to_half({half_one}, {0x7C01}, 0) == 0x7FFF);
  CHECK(to_half({half_one}, {half_one}, 0xFC00) == 0xFC00);
  CHECK(to_half({0x7BFF}, {0x7BFF}, 0) == 0x7C00);
  CHECK(one(MatrixType::bf16, MatrixType::f32, 16, {0x7F7F}, {0xFF7F}, 0) == 0xFF800000);
}

TEST_CASE("tensor cores: of TF32 the last 13 bits are not looked at") {
  CHECK(one(MatrixType::tf32, MatrixType::f32, 8, {0x3F801FFF}, {0x3F800000}, 0) == 0x3F800000);
  CHECK(one(MatrixType::tf32, MatrixType::f32, 8, {0x3F802000}, {0x3F800000}, 0) == 0x3F802000);
}

TEST_CASE("tensor cores: double is a chain of fused multiply-adds, and integers are exact") {
  const auto in_bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  CHECK(one(MatrixType::f64, MatrixType::f64, 4, {in_bits(1 + 0x1p-30), in_bits(1)},
            {in_bits(1 - 0x1p-30), in_bits(-1)}, 0) == in_bits(-0x1p-60 + 0x1p-60));
  CHECK(one(MatrixType::f64, MatrixType::f64, 4, {in_bits(1 + 0x1p-30)}, {in_bits(1 - 0x1p-30)},
            in_bits(-1)) == in_bits(-0x1p-60));
  // Unlike in the other types, a NaN keeps its bits: b's before c's before a's.
  const std::uint64_t nan_a = 0x7FF0000000000001;
  const std::uint64_t nan_b = 0xFFF0000000000002;
  const std::uint64_t nan_c = 0x7FF0000000000003;
  CHECK(one(MatrixType::f64, MatrixType::f64, 4, {nan_a}, {nan_b}, nan_c) == 0xFFF8000000000002);
  CHECK(one(MatrixType::f64, MatrixType::f64, 4, {nan_a}, {0}, nan_c) == 0x7FF8000000000003);
  CHECK(one(MatrixType::f64, MatrixType::f64, 4, {nan_a}, {0}, 0) == 0x7FF8000000000001);
  CHECK(one(MatrixType::f64, MatrixType::f64, 4, {in_bits(HUGE_VAL)}, {0}, 0) ==
        0xFFF8000000000000);
  CHECK(one(MatrixType::s8, MatrixType::s32, 16, {0x80, 0x7F}, {0x80, 0xFF}, 1) == 16384 - 127 + 1);
  CHECK(one(MatrixType::u8, MatrixType::s32, 16, {0xFF}, {0xFF}, 0x7FFFFFFF) ==
        0x80000000U + 65024);
  CHECK(one(MatrixType::s4, MatrixType::s32, 32, {0x8}, {0x7}, 0) == 0xFFFFFFC8);
}

TEST_CASE("numbers of 8 bits: two products of halves, and C is added in the end, to the nearest") {
  constexpr std::uint64_t e5m2_one = 0x3C;
  constexpr std::uint64_t e5m2_2_to_minus_12 = 0x0C;
  const auto bytes = [](Numbers a, Numbers b, float c) {
    return one(MatrixType::e5m2, MatrixType::f32, 32, a, b, bits(c));
  };
  // As a term of a tensor core's sum 2^-24 would be cut off; here the sum of both is rounded.
  const std::uint64_t p12 = e5m2_2_to_minus_12;
  CHECK(bytes({p12}, {p12}, 1) == bits(1));                        // a tie, to even
  CHECK(bytes({p12}, {p12}, 1 + 0x1p-23F) == bits(1 + 0x1p-22F));  // and up
  CHECK(bytes({p12, e5m2_one}, {p12, 0}, -1) == bits(-1 + 0x1p-24F));
  // The products of columns 2 and 3 come after those of 0, 1, 4, 5: what cancels comes too late.
  CHECK(bytes({0x78, 0, 0xF8, 0, 0x04}, {0x3C, 0, 0x3C, 0, 0x04}, 0) == 0);
  CHECK(bytes({0x78, 0, 0, 0, 0xF8, 0, 0x04}, {0x3C, 0, 0, 0, 0x3C, 0, 0x04}, 0) == bits(0x1p-28F));
  CHECK(bytes({0x7C}, {0}, 0) == 0x7FFFFFFF);
  CHECK(one(MatrixType::e4m3, MatrixType::f16, 32, {0x38}, {0x38}, half_one) == 0x4000);
}

TEST_CASE("numbers of 8 bits by wgmma: 32 products and C at once, of 13 places") {
  constexpr std::uint64_t e5m2_one = 0x3C;
  constexpr std::uint64_t p6 = 0x24;  // 2^-6
  constexpr std::uint64_t p7 = 0x20;  // 2^-7
  const auto bytes = [](Numbers a, Numbers b, float c) {
    return one(MatrixType::e5m2, MatrixType::f32, 32, a, b, bits(c), MatrixForm::warpgroup);
  };
  CHECK(bytes({p6}, {p7}, 1) == bits(1 + 0x1p-13F));
  CHECK(bytes({p7, p7, p7, p7}, {p7, p7, p7, p7}, 1) == bits(1));  // 2^-14 each: cut off
  CHECK(bytes({p7}, {p7}, -1) == bits(-1));
  // Whatever its place along k, a term counts as the others do; C is one of them.
  CHECK(bytes({0x78, 0, 0xF8, 0, 0x04}, {e5m2_one, 0, e5m2_one, 0, 0x04}, 0) == 0);
  CHECK(bytes({e5m2_one}, {e5m2_one}, 0x1p-13F) == bits(1 + 0x1p-13F));
  CHECK(bytes({}, {}, 1 + 0x1p-23F) == bits(1));
  CHECK(bytes({}, {}, 0x1.0008p-130F) == bits(0x1p-130F));  // a denormal C has 13 places as well
  // The sum is exact, and has 13 places again.
  CHECK(bytes({e5m2_one, p6}, {e5m2_one, p7}, 1) == bits(2));  // 2 + 2^-13
  CHECK(bytes({e5m2_one, p6, p6}, {e5m2_one, p7, p7}, 1) == bits(2 + 0x1p-12F));
  CHECK(bytes({e5m2_one, e5m2_one, p6}, {e5m2_one, 0xBC, p7}, 0) == bits(0x1p-13F));
  CHECK(bytes({0x7C}, {e5m2_one}, 0) == 0x7F800000);
  CHECK(bytes({0x7C}, {0}, 0) == 0x7FFFFFFF);
  const auto to_half_from = [](MatrixType type, Numbers a, Numbers b, std::uint64_t c) {
    return one(type, MatrixType::f16, 32, a, b, c, MatrixForm::warpgroup);
  };
  CHECK(to_half_from(MatrixType::e4m3, {0x38}, {0x38}, half_one) == 0x4000);
  CHECK(to_half_from(MatrixType::e4m3, {0x7E}, {0x38}, 0) == 0x5F00);  // 448 is a number
  CHECK(to_half_from(MatrixType::e4m3, {0x7F}, {0x38}, 0) == 0x7FFF);
  // To the nearest, ties to even: 1 + 2^-11, and a little more.
  CHECK(to_half_from(MatrixType::e5m2, {0x28}, {p6}, half_one) == half_one);
  CHECK(to_half_from(MatrixType::e5m2, {0x28, p6}, {p6, p7}, half_one) == 0x3C01);
}

TEST_CASE("four halves times four: one after another to float, by pairs to half") {
  using emulator::engine::multiply_four;
  using Four = std::array<std::uint64_t, 4>;
  const Four ones{half_one, half_one, half_one, half_one};
  // 2^15 * 2^15 swallows what comes before -2^30 does, and keeps what comes after.
  CHECK(multiply_four({0x7800, 0x3C00, 0xF800, 0}, {0x7800, half_one, 0x7800, 0}, 0,
                      MatrixType::f32) == 0);
  CHECK(multiply_four({0x7800, 0xF800, 0x3C00, 0}, {0x7800, 0x7800, half_one, 0}, 0,
                      MatrixType::f32) == bits(1));
  CHECK(multiply_four(ones, ones, bits(0.5F), MatrixType::f32) == bits(4.5F));
  CHECK(multiply_four(ones, ones, 0x3800, MatrixType::f16) == 0x4480);
  CHECK(multiply_four({0x7E00, 0, 0, 0}, ones, 0, MatrixType::f32) == 0x7FFFFFFF);
}
