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

int multiple_of_8(int extent) {
  return (extent + 7) / 8 * 8;
}

int multiple_of_4(int extent) {
  return extent < 4 ? extent : (extent + 3) / 4 * 4;
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
  RandomExtents draw(seed);
  std::vector<ProductShape> all;
  while (static_cast<int>(all.size()) < count) {
    const auto extent = [&] { return whole(draw.logarithmic(1.0, 20000.0)); };
    ProductShape one{};
    one.m = extent();
    one.n = extent();
    one.k = extent();
    if (2.0 * one.m * one.n * one.k >= 1e9) all.push_back(one);
  }
  return all;
}

std::vector<ProductShape> draw_short_products(int count, std::uint64_t seed) {
  RandomExtents draw(seed);
  std::vector<ProductShape> all;
  while (static_cast<int>(all.size()) < count) {
    const bool round = all.size() % 10 < 7;
    const auto extent = [&] {
      const int any = whole(draw.logarithmic(1.0, 20000.0));
      return round ? multiple_of_8(any) : any;
    };
    ProductShape one{};
    one.m = extent();
    one.n = extent();
    one.k = extent();
    if (2.0 * one.m * one.n * one.k >= 4e9) all.push_back(one);
  }
  return all;
}

}  // namespace course::measure
