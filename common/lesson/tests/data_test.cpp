#include "data.hpp"

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

using course::Data;
using course::Layout;

namespace {

constexpr std::array all_data = {Data::exact, Data::ladder, Data::random};
constexpr std::array both_layouts = {Layout::row_major, Layout::column_major};
constexpr float two_to_24 = 16777216.0f;

/// One float sum in each of several orders, with and without fused multiply-add.
std::vector<float> sums_in_many_orders(const std::vector<float>& a, const std::vector<float>& x) {
  const std::size_t n = a.size();
  std::vector<std::size_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = k;
  const auto sum = [&] {
    float s = 0.0f;
    for (const std::size_t k : order) s += a[k] * x[k];
    return s;
  };
  std::vector<float> sums = {sum()};
  std::reverse(order.begin(), order.end());
  sums.push_back(sum());
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  sums.push_back(sum());
  // The worst order there is: all positive terms before the negative ones.
  std::sort(order.begin(), order.end(),
            [&](std::size_t k, std::size_t l) { return a[k] * x[k] > a[l] * x[l]; });
  sums.push_back(sum());
  float fused = 0.0f;
  for (std::size_t k = 0; k < n; ++k) fused = std::fma(a[k], x[k], fused);
  sums.push_back(fused);
  return sums;
}

}  // namespace

TEST_CASE("exact_limit is the largest r up to 15 with r * r * terms < 2^24") {
  CHECK(course::exact_limit(0) == 15);
  CHECK(course::exact_limit(1) == 15);
  CHECK(course::exact_limit(16384) == 15);
  CHECK(course::exact_limit(74565) == 15);  // 225 * 74565 = 2^24 - 91
  CHECK(course::exact_limit(74566) == 14);
  CHECK(course::exact_limit((1u << 22) - 1) == 2);
  CHECK(course::exact_limit(1u << 22) == 1);  // 4 * 2^22 is 2^24 itself
  CHECK(course::exact_limit(1u << 24) == 1);
  CHECK(course::exact_limit(SIZE_MAX) == 1);
}

TEST_CASE("exact values are whole numbers from -r to r without 0, all about equally often") {
  const std::size_t terms = 400000;  // r = 6
  REQUIRE(course::exact_limit(terms) == 6);
  const std::vector<float> x = course::exact_vector(120000, terms);
  std::array<int, 13> count{};
  for (const float value : x) {
    REQUIRE(value == std::round(value));
    REQUIRE(std::fabs(value) <= 6.0f);
    ++count[static_cast<std::size_t>(value + 6.0f)];
  }
  CHECK(count[6] == 0);
  count[6] = 10000;
  for (const int times : count) CHECK(std::abs(times - 10000) < 500);  // 5 standard deviations
}

TEST_CASE("exact data: every order of summation gives the same bits") {
  for (const std::size_t n : {1u, 2u, 33u, 257u, 16384u, 74565u, 74566u, 1000003u}) {
    CAPTURE(n);
    const std::vector<float> a = course::exact_vector(n, n, 1);
    const std::vector<float> x = course::exact_vector(n, n, 2);
    const std::vector<float> sums = sums_in_many_orders(a, x);
    for (const float sum : sums) CHECK(sum == sums[0]);
    double absolute = 0.0;
    for (std::size_t k = 0; k < n; ++k) absolute += std::fabs(double{a[k]} * double{x[k]});
    CHECK(absolute < double{two_to_24});
  }
}

TEST_CASE("exact data: no partial sum can leave the range, even if all terms were the largest") {
  for (const std::size_t terms : {1u, 16384u, 74565u, 74566u, 1000003u, 16777215u}) {
    const auto r = static_cast<std::size_t>(course::exact_limit(terms));
    CHECK(r * r * terms < (1u << 24));
  }
}

TEST_CASE("exact data follows no pattern: no repeats, no steps, no equal rows or columns") {
  const std::size_t n = 64;
  std::vector<float> A(n * n);
  course::fill_matrix(A.data(), n, n, Layout::row_major, course::ExactValues(n));
  std::set<std::vector<float>> lines;
  std::size_t equal_steps = 0;
  std::size_t symmetric = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<float> row, column;
    for (std::size_t j = 0; j < n; ++j) {
      row.push_back(A[i * n + j]);
      column.push_back(A[j * n + i]);
      if (i < j && A[i * n + j] == A[j * n + i]) ++symmetric;
      if (j >= 2 && row[j] - row[j - 1] == row[j - 1] - row[j - 2]) ++equal_steps;
    }
    lines.insert(row);
    lines.insert(column);
  }
  CHECK(lines.size() == 2 * n);
  CHECK(equal_steps < n * n / 20);    // by chance about 1 in 45
  CHECK(symmetric < n * n / 2 / 20);  // by chance 1 in 30
}

TEST_CASE("random values are multiples of 2^-23 between -1 and 1 with mean 0 and variance 1/3") {
  const std::vector<float> x = course::random_vector(100000);
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : x) {
    REQUIRE(value >= -1.0f);
    REQUIRE(value < 1.0f);
    REQUIRE(value * 0x1p23f == std::round(value * 0x1p23f));
    sum += double{value};
    squares += double{value} * double{value};
  }
  CHECK(std::fabs(sum / 1e5) < 0.01);
  CHECK(std::fabs(squares / 1e5 - 1.0 / 3.0) < 0.01);
  CHECK(*std::max_element(x.begin(), x.end()) > 0.999f);
  CHECK(*std::min_element(x.begin(), x.end()) < -0.999f);
}

TEST_CASE("seeds select different numbers, and the same seed the same ones") {
  CHECK(course::random_vector(100, 5) == course::random_vector(100, 5));
  CHECK(course::random_vector(100, 5) != course::random_vector(100, 6));
  CHECK(course::exact_vector(100, 9, 5) == course::exact_vector(100, 9, 5));
  CHECK(course::exact_vector(100, 9, 5) != course::exact_vector(100, 9, 6));
  // Neighbouring seeds must not give the same sequence shifted by some elements.
  const std::vector<float> a = course::random_vector(1000, 1);
  const std::vector<float> b = course::random_vector(1000, 2);
  CHECK(std::search(a.begin(), a.end(), b.begin(), b.begin() + 3) == a.end());
  CHECK(std::search(b.begin(), b.end(), a.begin(), a.begin() + 3) == b.end());
}

TEST_CASE("random bits differ for different indices and change about half with each bit") {
  const course::RandomBits bits(1);
  std::set<std::uint64_t> seen;
  for (std::uint64_t k = 0; k < 10000; ++k) seen.insert(bits(k));
  CHECK(seen.size() == 10000);
  for (int bit = 0; bit < 64; ++bit) {
    int changed = 0;
    for (std::uint64_t k = 0; k < 100; ++k) {
      changed += __builtin_popcountll(bits(k) ^ bits(k ^ (std::uint64_t{1} << bit)));
    }
    CHECK(std::abs(changed - 3200) < 300);
  }
}

TEST_CASE("the ladder's elements are its formulas, rounded once") {
  std::vector<float> A(3 * 4);
  course::fill_ladder_matrix(A.data(), 3, 4, Layout::row_major);
  CHECK(A[0] == 1.0f);
  CHECK(A[1] == 0.9f);
  CHECK(A[3] == 0.7f);
  CHECK(A[1 * 4 + 2] == 1.8f);
  CHECK(A[2 * 4 + 0] == 3.0f);
  std::vector<float> x(1001);
  course::fill_ladder_vector(x.data(), x.size());
  CHECK(x[0] == static_cast<float>(0.5 * std::log(2.0)));
  CHECK(x[1] == x[0]);
  CHECK(double{x[2]} == doctest::Approx(0.5 * std::log(4.0)).epsilon(1e-7));
  CHECK(double{x[1000]} == doctest::Approx(0.5 * std::log(999002.0)).epsilon(1e-7));
}

TEST_CASE("a matrix holds the same elements in either layout") {
  const std::size_t m = 7;
  const std::size_t n = 33;
  for (const Data data : all_data) {
    CAPTURE(static_cast<int>(data));
    const auto by_rows = course::make_sgemv(data, m, n, Layout::row_major, 3);
    const auto by_cols = course::make_sgemv(data, m, n, Layout::column_major, 3);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        CHECK(by_rows.A[i * n + j] == by_cols.A[j * m + i]);
      }
    }
    CHECK(by_rows.x == by_cols.x);
    for (std::size_t i = 0; i < m; ++i) {
      CHECK(by_rows.reference[i] == doctest::Approx(by_cols.reference[i]).epsilon(1e-12));
      CHECK(by_rows.magnitude[i] == doctest::Approx(by_cols.magnitude[i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("an element does not depend on the shape of its matrix") {
  const auto small = course::make_sgemv(Data::random, 2, 3, Layout::row_major);
  const auto large = course::make_sgemv(Data::random, 5, 8, Layout::column_major);
  CHECK(small.A[1 * 3 + 2] == large.A[2 * 5 + 1]);
  CHECK(small.x[2] == large.x[2]);
}

TEST_CASE("matrix_index says where an element lies") {
  CHECK(course::matrix_index(2, 3, 5, 7, Layout::row_major) == 2 * 7 + 3);
  CHECK(course::matrix_index(2, 3, 5, 7, Layout::column_major) == 3 * 5 + 2);
}

TEST_CASE("make_sgemv: reference and magnitude are the sums that their definitions say") {
  const std::array<std::pair<std::size_t, std::size_t>, 6> shapes = {
      {{1, 1}, {2, 3}, {31, 33}, {1, 257}, {257, 1}, {127, 32}}};
  for (const auto& [m, n] : shapes) {
    for (const Data data : all_data) {
      for (const Layout layout : both_layouts) {
        CAPTURE(m);
        CAPTURE(n);
        const auto p = course::make_sgemv(data, m, n, layout);
        CHECK(p.data == data);
        CHECK(p.rows == m);
        CHECK(p.cols == n);
        CHECK(p.layout == layout);
        REQUIRE(p.A.size() == m * n);
        REQUIRE(p.x.size() == n);
        REQUIRE(p.reference.size() == m);
        REQUIRE(p.magnitude.size() == m);
        for (std::size_t i = 0; i < m; ++i) {
          double sum = 0.0;
          double absolute = 0.0;
          for (std::size_t j = 0; j < n; ++j) {
            const float a = p.A[course::matrix_index(i, j, m, n, layout)];
            sum += double{a} * double{p.x[j]};
            absolute += std::fabs(double{a} * double{p.x[j]});
          }
          CHECK(std::fabs(p.reference[i] - sum) <= 1e-13 * absolute);
          CHECK(std::fabs(p.magnitude[i] - absolute) <= 1e-13 * absolute);
        }
      }
    }
  }
}

TEST_CASE("make_sgemv: exact data is small enough for the number of columns") {
  const std::size_t n = 400000;
  const auto limit = static_cast<float>(course::exact_limit(n));
  REQUIRE(limit < 15.0f);
  const auto p = course::make_sgemv(Data::exact, 1, n, Layout::row_major);
  const auto fits = [&](float value) { return std::fabs(value) <= limit; };
  CHECK(std::all_of(p.A.begin(), p.A.end(), fits));
  CHECK(std::all_of(p.x.begin(), p.x.end(), fits));
}

TEST_CASE("make_sgemv: x is not a row of A") {
  for (const Data data : {Data::exact, Data::random}) {
    const auto p = course::make_sgemv(data, 4, 50, Layout::row_major);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto row = p.A.begin() + static_cast<std::ptrdiff_t>(i * 50);
      CHECK_FALSE(std::equal(p.x.begin(), p.x.end(), row));
    }
  }
}

TEST_CASE("make_sgemv takes empty shapes") {
  for (const Layout layout : both_layouts) {
    const auto no_rows = course::make_sgemv(Data::exact, 0, 5, layout);
    CHECK(no_rows.A.empty());
    CHECK(no_rows.x.size() == 5);
    CHECK(no_rows.reference.empty());
    const auto no_cols = course::make_sgemv(Data::exact, 3, 0, layout);
    CHECK(no_cols.A.empty());
    CHECK(no_cols.x.empty());
    CHECK(no_cols.reference == std::vector<double>(3, 0.0));
    CHECK(no_cols.magnitude == std::vector<double>(3, 0.0));
  }
}
