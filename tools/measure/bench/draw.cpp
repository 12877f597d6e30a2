#include "bench/draw.hpp"

#include <algorithm>
#include <cmath>

#include "data.hpp"

namespace course::measure {
namespace {

/// One number after the other from a seed.
class RandomExtents {
 public:
  explicit RandomExtents(std::uint64_t seed) : bits_(seed) {}

  /// Uniform from 0 to less than 1.
  double uniform() { return static_cast<double>(bits_(next_++) >> 11) * 0x1p-53; }

  /// Uniform on a logarithmic scale.
  double logarithmic(double least, double most) {
    return least * std::pow(most / least, uniform());
  }

 private:
  RandomBits bits_;
  std::uint64_t next_ = 0;
};

int whole(double extent) {
  return static_cast<int>(std::lround(std::max(1.0, extent)));
}

int next_multiple(int extent, int of) {
  return (extent + of - 1) / of * of;
}

int multiple_of_4(int extent) {
  return extent < 4 ? extent : next_multiple(extent, 4);
}

/// Products of at least that many operations. `adjusted`: an extent of the i-th one.
template <class Adjusted>
std::vector<ProductShape> draw_products(int count, std::uint64_t seed, double operations,
                                        Adjusted adjusted) {
  RandomExtents draw(seed);
  std::vector<ProductShape> all;
  while (static_cast<int>(all.size()) < count) {
    const auto extent = [&] { return adjusted(whole(draw.logarithmic(1.0, 20000.0)), all.size()); };
    ProductShape one{};
    one.m = extent();
    one.n = extent();
    one.k = extent();
    if (2.0 * one.m * one.n * one.k >= operations) all.push_back(one);
  }
  return all;
}

}  // namespace

std::vector<DrawnMatrix> draw_matrices(int count, std::uint64_t seed) {
  RandomExtents draw(seed);
  std::vector<DrawnMatrix> all;
  while (static_cast<int>(all.size()) < count) {
    const double elements = draw.logarithmic(1e5, 5e8);
    DrawnMatrix one{};
    one.rows = whole(draw.logarithmic(1.0, elements));
    one.cols = whole(elements / one.rows);
    if (draw.uniform() < 0.5) {
      one.rows = multiple_of_4(one.rows);
      one.cols = multiple_of_4(one.cols);
    }
    one.offset = draw.uniform() < 0.25 ? 1 : 0;
    all.push_back(one);
  }
  return all;
}

std::vector<ProductShape> draw_products(int count, std::uint64_t seed) {
  return draw_products(count, seed, 1e9, [](int extent, std::size_t) { return extent; });
}

std::vector<ProductShape> draw_short_products(int count, std::uint64_t seed) {
  return draw_products(count, seed, 4e9, [](int extent, std::size_t i) {
    return i % 10 < 7 ? next_multiple(extent, 8) : extent;
  });
}

std::vector<GeneralProduct> draw_general_products(int count, std::uint64_t seed) {
  const auto shapes =
      draw_products(count, seed, 4e9, [](int extent, std::size_t) { return extent; });
  RandomExtents draw(~seed);
  std::vector<GeneralProduct> all;
  for (const ProductShape& one : shapes) {
    const std::size_t i = all.size();
    const auto ld = [&](int columns) -> std::int64_t {
      if (i % 2 == 1) return next_multiple(columns, 4);
      return (std::int64_t{columns} + 1 + static_cast<int>(8 * draw.uniform())) | 1;
    };
    const bool plain = i / 2 % 2 == 1;
    GeneralProduct general{};
    general.m = one.m;
    general.n = one.n;
    general.k = one.k;
    general.lda = ld(one.k);
    general.ldb = ld(one.n);
    general.ldc = ld(one.n);
    general.offset = i % 4 == 0 ? 1 : 0;
    general.alpha = plain ? 1.0F : 2.0F;
    general.beta = plain ? 0.0F : -3.0F;
    all.push_back(general);
  }
  return all;
}

}  // namespace course::measure
