// Chapter 26: matrices of the kinds that sparse products have trouble with.
#pragma once

#include <cstdint>

#include "matrix.hpp"

// Where a row's elements are.
enum class Pattern { band, spread, skewed };

// A matrix whose rows have these lengths (no longer than `cols`): in a band around the diagonal,
// one in each of equally long parts of the row, or crowded in the first columns.
inline HostCsr matrix_of(int rows, int cols, const std::vector<int>& lengths, Pattern pattern,
                         std::uint64_t seed) {
  HostCsr A;
  A.rows = rows;
  A.cols = cols;
  A.offsets.resize(rows + size_t{1});
  for (int r = 0; r < rows; ++r) A.offsets[r + 1] = A.offsets[r] + std::min(lengths[r], cols);
  A.columns.resize(A.elements());
  A.values.resize(A.elements());
  const course::RandomBits bits(seed);
  const course::ExactValues values(std::max(1, A.longest()), seed);
  course::detail::in_parallel(rows, A.values.size(), [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) {
      const std::int64_t first = A.offsets[r], length = A.offsets[r + 1] - first;
      const auto middle = static_cast<std::int64_t>(r) * cols / rows;
      const std::int64_t left =
          std::max<std::int64_t>(0, std::min(middle - length / 2, cols - length));
      for (std::int64_t k = 0; k < length; ++k) {
        const std::int64_t from = cols * k / length, to = cols * (k + 1) / length;
        std::int64_t column = left + k;
        if (pattern == Pattern::spread)
          column = from + static_cast<int>(bits(first + k) % (to - from));
        if (pattern == Pattern::skewed) {
          const double u = static_cast<double>(bits(first + k) >> 11) * 0x1p-53;
          column = std::min<std::int64_t>(cols - 1, static_cast<std::int64_t>(cols * u * u * u));
        }
        A.columns[first + k] = static_cast<int>(column);
        A.values[first + k] = values(first + k);
      }
      if (pattern == Pattern::skewed) {
        std::sort(A.columns.begin() + first, A.columns.begin() + first + length);
      }
    }
  });
  return A;
}

// Numbers from 0 to 1, one after the other.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : bits_(seed) {}
  double operator()() { return static_cast<double>(bits_(next_++) >> 11) * 0x1p-53; }
  // From `least` to `most`, uniform on a logarithmic scale.
  double scaled(double least, double most) { return least * std::pow(most / least, (*this)()); }

 private:
  course::RandomBits bits_;
  std::uint64_t next_ = 0;
};

const std::vector<std::string> kinds = {"banded",     "uniform", "power law",
                                        "empty rows", "half",    "rectangular"};

// A matrix of a kind with this many rows, and about `mean` elements in each.
inline HostCsr make_matrix(const std::string& kind, int rows, double mean, std::uint64_t seed = 1) {
  Draw draw(seed);
  std::vector<int> lengths(rows);
  const auto each = [&](auto length) {
    for (int& l : lengths) l = static_cast<int>(std::min<double>(length(), 1 << 30));
  };
  int cols = rows;
  Pattern pattern = Pattern::spread;
  if (kind == "banded") {
    each([&] { return mean; });
    pattern = Pattern::band;
  } else if (kind == "uniform") {
    each([&] { return 2 * mean * draw() + 0.5; });
  } else if (kind == "power law") {  // few rows have most elements; the exponent is drawn
    const double a = 1.3 + draw();
    each([&] { return std::min(rows / 2.0, mean * (a - 1) / a * std::pow(1 - draw(), -1 / a)); });
    pattern = Pattern::skewed;
  } else if (kind == "empty rows") {  // single ones, and in every second matrix half of all at once
    const double share = 0.3 + 0.65 * draw();
    each([&] { return draw() < share ? 0.0 : 2 * mean * draw(); });
    if (draw() < 0.5) std::fill(lengths.begin() + rows / 4, lengths.begin() + rows * 3 / 4, 0);
  } else if (kind == "half") {  // one row has as many elements as all others
    const int half = static_cast<int>(rows * mean / 2);
    cols = std::max(rows, half);
    each([&] { return mean * draw(); });
    if (rows > 0) lengths[static_cast<int>(rows * draw())] = half;
  } else {
    const double factor = draw.scaled(2, 100);
    cols = std::max(1, static_cast<int>(draw() < 0.5 ? rows * factor : rows / factor));
    each([&] { return mean * (0.5 + draw()); });
  }
  return matrix_of(rows, cols, lengths, pattern, seed);
}

// One of many: kinds take turns; elements (from 2^18 to 2^25) and the mean length of a row (from 2
// to 128) are uniform on a logarithmic scale.
inline HostCsr drawn_matrix(int number, std::uint64_t seed) {
  Draw draw(seed * 1000 + number);
  const double elements = draw.scaled(1 << 18, 1 << 25), mean = draw.scaled(2, 128);
  return make_matrix(kinds[number % kinds.size()], static_cast<int>(elements / mean), mean,
                     seed * 1000 + number);
}
