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

/// Products of at least so many operations. `adjusted`: an extent of the i-th one.
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

}  // namespace course::measure
