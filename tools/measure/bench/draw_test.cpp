#include "bench/draw.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace course::measure;

namespace {

template <class Shape, class Holds>
auto count_of(const std::vector<Shape>& shapes, Holds holds) {
  return std::count_if(shapes.begin(), shapes.end(), holds);
}

}  // namespace

TEST_CASE("drawn shapes: a seed gives the same ones again, another one others") {
  const auto first = draw_matrices(50, 7);
  const auto again = draw_matrices(50, 7);
  const auto other = draw_matrices(50, 8);
  const auto same = [](const DrawnMatrix& a, const DrawnMatrix& b) {
    return a.rows == b.rows && a.cols == b.cols && a.offset == b.offset;
  };
  CHECK(std::equal(first.begin(), first.end(), again.begin(), again.end(), same));
  CHECK_FALSE(std::equal(first.begin(), first.end(), other.begin(), other.end(), same));
  CHECK(draw_products(5, 7)[4].k == draw_products(5, 7)[4].k);
  CHECK(draw_products(5, 7)[4].k != draw_products(5, 8)[4].k);
}

TEST_CASE("drawn matrices: flat and tall, aligned and not, none too small or too large") {
  const auto all = draw_matrices(1000, 1);
  REQUIRE(all.size() == 1000);
  for (const DrawnMatrix& one : all) {
    const double elements = static_cast<double>(one.rows) * one.cols;
    CAPTURE(one.rows);
    CAPTURE(one.cols);
    CHECK(elements > 0.6e5);  // the extents are rounded: 1.5 x 66,666 may become 1 x 66,666
    CHECK(elements < 9e8);
  }
  CHECK(count_of(all, [](const DrawnMatrix& one) { return one.rows <= 16; }) > 80);
  CHECK(count_of(all, [](const DrawnMatrix& one) { return one.cols <= 16; }) > 80);
  CHECK(count_of(all, [](const DrawnMatrix& one) {
          return one.rows % 4 == 0 && one.cols % 4 == 0;
        }) > 350);
  const auto beside = count_of(all, [](const DrawnMatrix& one) { return one.offset == 1; });
  CHECK(beside > 200);
  CHECK(beside < 300);
}

TEST_CASE("drawn products: within their limits, and with enough to do") {
  const auto all = draw_products(300, 1);
  REQUIRE(all.size() == 300);
  for (const ProductShape& one : all) {
    CHECK(std::min({one.m, one.n, one.k}) >= 1);
    CHECK(std::max({one.m, one.n, one.k}) <= 20000);
    CHECK(2.0 * one.m * one.n * one.k >= 1e9);
  }
  CHECK(count_of(all, [](const ProductShape& one) {
          return std::min({one.m, one.n, one.k}) < 64;
        }) > 20);
}

TEST_CASE("drawn general products: half with odd leading dimensions, half with a beta") {
  const auto all = draw_general_products(200, 1);
  REQUIRE(all.size() == 200);
  for (const GeneralProduct& one : all) {
    CHECK(2.0 * one.m * one.n * one.k >= 4e9);
    CHECK(one.lda >= one.k);
    CHECK(std::min(one.ldb, one.ldc) >= one.n);
    if (one.lda % 2 == 0) CHECK((one.lda | one.ldb | one.ldc) % 4 == 0);
    if (one.lda % 2 == 0) CHECK(one.offset == 0);
  }
  const auto odd = [](const GeneralProduct& one) {
    return one.lda % 2 == 1 && one.ldb % 2 == 1 && one.ldc % 2 == 1;
  };
  CHECK(count_of(all, odd) == 100);
  CHECK(count_of(all, [](const GeneralProduct& one) { return one.beta != 0.0F; }) == 100);
  CHECK(count_of(all, [&](const GeneralProduct& one) { return odd(one) && one.beta != 0.0F; }) ==
        50);
  CHECK(count_of(all, [](const GeneralProduct& one) { return one.offset == 1; }) == 50);
}

TEST_CASE("drawn products for tensor cores: seven of ten in eights") {
  const auto all = draw_short_products(300, 1);
  REQUIRE(all.size() == 300);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ProductShape& one = all[i];
    CHECK(2.0 * one.m * one.n * one.k >= 4e9);
    if (i % 10 < 7) CHECK((one.m | one.n | one.k) % 8 == 0);
  }
  CHECK(count_of(all, [](const ProductShape& one) { return (one.n | one.k) % 8 != 0; }) > 60);
}
