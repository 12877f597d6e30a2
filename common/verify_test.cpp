#include "verify.hpp"

#include <doctest/doctest.h>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using course::Data;
using course::Layout;
using course::SgemvProblem;
using course::Verdict;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
const float poison = std::bit_cast<float>(course::poison_bits);

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// "likely cause: ..." of a message, without these words; "" if it names none.
std::string cause(const Verdict& verdict) {
  const std::string label = "\nlikely cause: ";
  const std::size_t at = verdict.message.find(label);
  return at == std::string::npos ? "" : verdict.message.substr(at + label.size());
}

std::vector<float> as_floats(const std::vector<double>& values) {
  return std::vector<float>(values.begin(), values.end());
}

/// Exact values as a result: nonzero, without a pattern, all float.
std::vector<double> expectation(std::size_t size) {
  const std::vector<float> values = course::exact_vector(size, 1);
  return std::vector<double>(values.begin(), values.end());
}

Verdict verify_exact(const std::vector<float>& got, const std::vector<double>& expected,
                     std::size_t cols = 1) {
  return course::verify_exact(got.data(), expected.data(), expected.size() / cols, cols);
}

/// The matrix-vector product with float accumulators, in one of several orders of summation.
enum class Order { forward, reversed, pairwise, strided, fused };

float sum_pairwise(const std::vector<float>& terms, std::size_t from, std::size_t to) {
  if (to - from == 0) return 0.0f;
  if (to - from == 1) return terms[from];
  const std::size_t middle = from + (to - from) / 2;
  return sum_pairwise(terms, from, middle) + sum_pairwise(terms, middle, to);
}

std::vector<float> multiply(const SgemvProblem& p, Order order) {
  std::vector<float> y(p.rows);
  std::vector<float> a(p.cols);
  std::vector<float> terms(p.cols);
  for (std::size_t i = 0; i < p.rows; ++i) {
    for (std::size_t j = 0; j < p.cols; ++j) {
      a[j] = p.A[course::matrix_index(i, j, p.rows, p.cols, p.layout)];
      terms[j] = a[j] * p.x[j];
    }
    float sum = 0.0f;
    if (order == Order::forward) {
      for (std::size_t j = 0; j < p.cols; ++j) sum += terms[j];
    } else if (order == Order::reversed) {
      for (std::size_t j = p.cols; j-- > 0;) sum += terms[j];
    } else if (order == Order::pairwise) {
      sum = sum_pairwise(terms, 0, p.cols);
    } else if (order == Order::strided) {  // a warp: each lane every 32nd term, then all lanes
      std::vector<float> lanes(32, 0.0f);
      for (std::size_t j = 0; j < p.cols; ++j) lanes[j % 32] += terms[j];
      for (std::size_t step = 16; step > 0; step /= 2) {
        for (std::size_t lane = 0; lane < step; ++lane) lanes[lane] += lanes[lane + step];
      }
      sum = lanes[0];
    } else {
      for (std::size_t j = 0; j < p.cols; ++j) sum = std::fma(a[j], p.x[j], sum);
    }
    y[i] = sum;
  }
  return y;
}

}  // namespace

TEST_CASE("a right result passes with one line that says what was checked") {
  const auto exact = course::make_sgemv(Data::exact, 33, 100, Layout::row_major);
  const Verdict a = course::verify(as_floats(exact.reference), exact);
  CHECK(a);
  CHECK(a.message == "verified: 33 of 33 bit for bit");

  const auto random = course::make_sgemv(Data::random, 33, 100, Layout::row_major);
  const Verdict b = course::verify(as_floats(random.reference), random);
  CHECK(b);
  CHECK(b.message == "verified: 33 of 33 within rounding (at most 0 % of the bound)");
}

TEST_CASE("every order of summation passes: exact data bit for bit, the others bounded") {
  const std::vector<std::pair<std::size_t, std::size_t>> shapes = {
      {1, 1}, {2, 3}, {33, 257}, {5, 16384}, {3, 40000}, {257, 127}};
  for (const auto& [m, n] : shapes) {
    for (const Data data : {Data::exact, Data::ladder, Data::random}) {
      for (const Layout layout : {Layout::row_major, Layout::column_major}) {
        const SgemvProblem problem = course::make_sgemv(data, m, n, layout);
        for (const Order order :
             {Order::forward, Order::reversed, Order::pairwise, Order::strided, Order::fused}) {
          const Verdict verdict = course::verify(multiply(problem, order), problem);
          CAPTURE(verdict.message);
          CHECK(verdict);
        }
      }
    }
  }
}

TEST_CASE("a row of the ladder whose correct sum is off by 7 of the 16 units passes") {
  const std::size_t n = 16384;
  const std::size_t i = 17690;
  std::vector<float> x(n);
  course::fill_ladder_vector(x.data(), n);
  const course::LadderMatrix A;
  float sum = 0.0f;
  double expected = 0.0;
  double magnitude = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    const double term = double{A(i, j)} * double{x[j]};
    sum += A(i, j) * x[j];
    expected += term;
    magnitude += std::fabs(term);
  }
  const double units = std::fabs(double{sum} - expected) / (0x1p-24 * 128.0 * magnitude);
  CHECK(units > 6.0);
  CHECK(course::verify_bounded(&sum, &expected, &magnitude, 1, 1, n));
}

TEST_CASE("NaN, infinity and unwritten elements never pass") {
  for (const Data data : {Data::exact, Data::ladder, Data::random}) {
    const auto problem = course::make_sgemv(data, 40, 50, Layout::row_major);
    const std::vector<float> right = as_floats(problem.reference);
    for (const auto& [value, text] :
         {std::pair{not_a_number, "got nan"}, std::pair{-not_a_number, "got nan"},
          std::pair{infinity, "got inf"}, std::pair{-infinity, "got -inf"},
          std::pair{poison, "never written"}}) {
      CAPTURE(text);
      std::vector<float> y = right;
      y[17] = value;
      const Verdict verdict = course::verify(y, problem);
      CHECK_FALSE(verdict);
      CHECK(contains(verdict.message, "not verified: 1 of 40 are wrong\n"));
      CHECK(contains(verdict.message, std::string("\n  row 17: ") + text + ", expected "));
    }
  }
}

TEST_CASE("an expectation that is no number proves nothing, and nothing passes against it") {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e39}) {
    std::vector<double> expected = {1.0, 2.0, 3.0};
    std::vector<double> magnitude = {1.0, 2.0, 3.0};
    std::vector<float> got = {1.0f, 2.0f, 3.0f};
    expected[1] = bad;
    got[1] = static_cast<float>(bad);
    const std::string message =
        "not verified: the expected value of row 1 is no number that a float can hold, so nothing "
        "can be checked";
    CHECK(verify_exact(got, expected).message == message);
    CHECK_FALSE(verify_exact(got, expected));
    const Verdict bounded =
        course::verify_bounded(got.data(), expected.data(), magnitude.data(), 3, 1, 10);
    CHECK_FALSE(bounded);
    CHECK(bounded.message == message);
  }
}

TEST_CASE("a magnitude that is no number, or negative, does not make a bound") {
  const float got = 1.0f;
  const double expected = 1.0;
  for (const double bad : {std::nan(""), HUGE_VAL, -1.0}) {
    const Verdict verdict = course::verify_bounded(&got, &expected, &bad, 1, 1, 10);
    CHECK_FALSE(verdict);
    CHECK(contains(verdict.message, "so nothing can be checked"));
  }
}

TEST_CASE("a result of the wrong size fails and says so") {
  const auto problem = course::make_sgemv(Data::exact, 7, 5, Layout::row_major);
  for (const std::size_t size : {0u, 6u, 8u}) {
    const Verdict verdict = course::verify(std::vector<float>(size), problem);
    CHECK_FALSE(verdict);
    CHECK(verdict.message ==
          "not verified: the result has " + std::to_string(size) + " elements instead of 7");
  }
}

TEST_CASE("an empty result passes and says so") {
  const auto problem = course::make_sgemv(Data::exact, 0, 5, Layout::row_major);
  const Verdict verdict = course::verify({}, problem);
  CHECK(verdict);
  CHECK(verdict.message == "verified: nothing to check, the result is empty");
  CHECK(course::verify_bounded(nullptr, nullptr, nullptr, 3, 0, 5));
}

TEST_CASE("a sum of no terms must be 0") {
  for (const Data data : {Data::exact, Data::random}) {
    const auto problem = course::make_sgemv(data, 3, 0, Layout::row_major);
    CHECK(course::verify({0.0f, -0.0f, 0.0f}, problem));
    CHECK_FALSE(course::verify({0.0f, 1e-20f, 0.0f}, problem));
  }
}

TEST_CASE("one wrong element in 2^20 fails") {
  const std::size_t m = 1u << 20;
  for (const std::size_t at : {std::size_t{0}, m / 2 + 17, m - 1}) {
    const std::vector<double> expected = expectation(m);
    std::vector<float> got = as_floats(expected);
    got[at] += 1.0f;
    const Verdict verdict = verify_exact(got, expected);
    CHECK_FALSE(verdict);
    CHECK(contains(verdict.message, "not verified: 1 of 1048576 are wrong\n"));
    CHECK(contains(verdict.message, "\n  row " + std::to_string(at) + ": got "));
  }
}

TEST_CASE("one missing term of 16384 fails, whichever it is, with exact data") {
  const std::size_t n = 16384;
  const auto problem = course::make_sgemv(Data::exact, 3, n, Layout::row_major);
  const std::vector<float> right = multiply(problem, Order::strided);
  REQUIRE(course::verify(right, problem));
  for (std::size_t missing = 0; missing < n; ++missing) {
    std::vector<float> y = right;
    y[1] -= problem.A[n + missing] * problem.x[missing];
    const Verdict verdict = course::verify(y, problem);
    REQUIRE_FALSE(verdict);
    REQUIRE(contains(verdict.message, "not verified: 1 of 3 are wrong\n  row 1: "));
  }
}

TEST_CASE("one unit in the last place fails with exact data, and the message shows it") {
  const std::vector<double> expected = {1.0, 3.0, 5.0};
  for (const float towards : {infinity, -infinity}) {
    std::vector<float> got = as_floats(expected);
    got[1] = std::nextafter(got[1], towards);
    CHECK_FALSE(verify_exact(got, expected));
  }
  std::vector<float> got = as_floats(expected);
  got[1] = std::nextafter(got[1], infinity);
  CHECK(verify_exact(got, expected).message ==
        "not verified: 1 of 3 are wrong\n  row 1: got 3.0000002, expected 3");
}

TEST_CASE("the sign of a zero is free") {
  CHECK(verify_exact({-0.0f, 0.0f}, {0.0, -0.0}));
  CHECK_FALSE(verify_exact({std::numeric_limits<float>::denorm_min(), 0.0f}, {0.0, -0.0}));
}

TEST_CASE("an exact check rounds its expectation to float") {
  CHECK(verify_exact({0.1f}, {0.1}));
  CHECK_FALSE(verify_exact({std::nextafter(0.1f, 1.0f)}, {0.1}));
}

TEST_CASE("an error below the bound passes, one above it fails") {
  const double u = 0x1p-24;
  for (const std::size_t terms : {std::size_t{4}, std::size_t{100}, std::size_t{16384}}) {
    for (const double sign : {-1.0, 1.0}) {
      // Zero expected: then float resolves the error finely, and its own rounding adds nothing.
      const double expected = 0.0;
      const double magnitude = 1000.0;
      const double bound = 16.0 * u * std::sqrt(static_cast<double>(terms)) * magnitude;
      const auto below = static_cast<float>(sign * bound * 0.999);
      const auto above = static_cast<float>(sign * bound * 1.001);
      const Verdict passes = course::verify_bounded(&below, &expected, &magnitude, 1, 1, terms);
      CHECK(passes);
      CHECK(passes.message == "verified: 1 of 1 within rounding (at most 100 % of the bound)");
      CHECK_FALSE(course::verify_bounded(&above, &expected, &magnitude, 1, 1, terms));
    }
  }
}

TEST_CASE("the bound always allows one rounding of the result, and no more where it ends there") {
  const double no_magnitude = 0.0;
  for (const double expected : {1.0 + 0x1p-24, 1.0 / 3.0, 1e-42 / 3.0, 0x1p-150}) {
    const auto rounded = static_cast<float>(expected);
    CAPTURE(expected);
    CHECK(course::verify_bounded(&rounded, &expected, &no_magnitude, 1, 1, 1));
  }
  const double expected = 1.0;
  const float next = 1.0f + 0x1p-23f;
  CHECK_FALSE(course::verify_bounded(&next, &expected, &no_magnitude, 1, 1, 1));
}

TEST_CASE("a failed bounded check says how far off an element might be") {
  const double expected = 1.0;
  const double magnitude = 1.0;
  const float got = 1.5f;
  const Verdict verdict = course::verify_bounded(&got, &expected, &magnitude, 1, 1, 1);
  CHECK(verdict.message.starts_with(
      "not verified: 1 of 1 are wrong\n  row 0: got 1.5, expected 1 or at most 1.01"));
  CHECK(verdict.message.ends_with("e-06 off"));
}

TEST_CASE("a missing tile of 32 terms fails with random data as well") {
  const std::size_t n = 4096;
  const auto problem = course::make_sgemv(Data::random, 64, n, Layout::row_major);
  std::vector<float> y = multiply(problem, Order::forward);
  for (std::size_t j = 0; j < 32; ++j) y[5] -= problem.A[5 * n + j] * problem.x[j];
  CHECK_FALSE(course::verify(y, problem));
}

TEST_CASE("the first five wrong elements are listed, with rows and columns in a matrix") {
  const std::vector<double> expected(6 * 7, 5.0);
  std::vector<float> got = as_floats(expected);
  for (const std::size_t k : {3u, 10u, 11u, 20u, 30u}) got[k] = 4.0f;
  CHECK(verify_exact(got, expected, 7).message ==
        "not verified: 5 of 42 are wrong\n"
        "  row 0, column 3: got 4, expected 5\n"
        "  row 1, column 3: got 4, expected 5\n"
        "  row 1, column 4: got 4, expected 5\n"
        "  row 2, column 6: got 4, expected 5\n"
        "  row 4, column 2: got 4, expected 5");
  got[41] = poison;
  const std::string six = verify_exact(got, expected, 7).message;
  CHECK(six.starts_with("not verified: 6 of 42 are wrong\n"));
  CHECK(six.ends_with("\n  row 4, column 2: got 4, expected 5\n  ..."));
}

TEST_CASE("cause: nothing was written") {
  const auto problem = course::make_sgemv(Data::ladder, 40, 50, Layout::row_major);
  std::vector<float> y(40, poison);
  CHECK(cause(course::verify(y, problem)).starts_with("every element is what it was before"));
  y[3] = 1.0f;
  CHECK(cause(course::verify(y, problem)) == "");
  y.assign(40, not_a_number);  // written, but not with a number
  CHECK(cause(course::verify(y, problem)) == "");
}

TEST_CASE("cause: every element is 0") {
  const auto problem = course::make_sgemv(Data::exact, 40, 50, Layout::row_major);
  std::vector<float> y(40, 0.0f);
  CHECK(cause(course::verify(y, problem)).starts_with("every element is 0: nothing"));
  for (const float other : {1.0f, -1.0f}) {
    y[3] = other;
    CHECK(cause(course::verify(y, problem)) == "");
  }
}

TEST_CASE("cause: the result of a square problem is transposed, in one piece or not at all") {
  const std::size_t n = 33;
  const std::vector<double> expected = expectation(n * n);
  std::vector<float> got(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) got[j * n + i] = static_cast<float>(expected[i * n + j]);
  }
  const Verdict verdict = verify_exact(got, expected, n);
  CHECK_FALSE(verdict);
  CHECK(cause(verdict).starts_with("the result is transposed."));
  got[5] += 1.0f;
  CHECK(cause(verify_exact(got, expected, n)) == "");
}

TEST_CASE("cause: a matrix that is not square is stored by columns") {
  const std::size_t m = 20;
  const std::size_t n = 33;
  const std::vector<double> expected = expectation(m * n);
  std::vector<float> got(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) got[j * m + i] = static_cast<float>(expected[i * n + j]);
  }
  const Verdict verdict = verify_exact(got, expected, n);
  CHECK_FALSE(verdict);
  CHECK(cause(verdict).starts_with("the result lies column after column"));
}

TEST_CASE("a product with the transposed matrix fails") {
  for (const Data data : {Data::exact, Data::ladder, Data::random}) {
    const auto right = course::make_sgemv(data, 64, 64, Layout::row_major);
    SgemvProblem wrong = course::make_sgemv(data, 64, 64, Layout::row_major);
    wrong.layout = Layout::column_major;
    CHECK_FALSE(course::verify(multiply(wrong, Order::forward), right));
  }
}

TEST_CASE("cause: every element is a multiple") {
  for (const Data data : {Data::exact, Data::random}) {
    const auto problem = course::make_sgemv(data, 40, 50, Layout::row_major);
    for (const int factor : {2, 3, 32, -1}) {
      std::vector<float> y = as_floats(problem.reference);
      for (float& value : y) value *= static_cast<float>(factor);
      const Verdict verdict = course::verify(y, problem);
      CHECK_FALSE(verdict);
      CHECK(cause(verdict).starts_with("every element is " + std::to_string(factor) + " times "));
      y[7] += 100.0f;
      CHECK(cause(course::verify(y, problem)) == "");
    }
  }
  // A factor that no program adds up by mistake; and one element is a multiple of it by chance.
  CHECK(cause(verify_exact({3e30f, 5e30f}, {3.0, 5.0})) == "");
  CHECK(cause(verify_exact({6.0f}, {3.0})) == "");
  CHECK(cause(verify_exact({6.0f, 0.0f}, {3.0, 0.0})) == "");
}

TEST_CASE("cause: the last rows of a vector, from a multiple of a block on") {
  const std::vector<double> expected = expectation(1000);
  const auto spoil_from = [&](std::size_t first) {
    std::vector<float> got = as_floats(expected);
    for (std::size_t k = first; k < 1000; ++k) got[k] = poison;
    return cause(verify_exact(got, expected));
  };
  CHECK(spoil_from(896).starts_with("the ragged edge: all rows from 896 on are unwritten."));
  CHECK(spoil_from(512).starts_with("the ragged edge: all rows from 512 on are unwritten."));
  CHECK(spoil_from(900) == "");

  std::vector<float> got = as_floats(expected);
  for (std::size_t k = 896; k < 1000; ++k) got[k] = poison;
  got[3] += 1.0f;
  CHECK(cause(verify_exact(got, expected)) == "");
}

TEST_CASE("cause: no ragged edge is larger than a block") {
  const std::vector<double> expected = expectation(4000);
  std::vector<float> got = as_floats(expected);
  for (std::size_t k = 2048; k < 4000; ++k) got[k] = poison;
  CHECK_FALSE(contains(cause(verify_exact(got, expected)), "ragged"));
}

TEST_CASE("cause: the last rows and columns of a matrix, from a multiple of a tile on") {
  const std::size_t m = 50;
  const std::size_t n = 70;
  const std::vector<double> expected = expectation(m * n);
  const auto spoil_from = [&](std::size_t row, std::size_t col) {
    std::vector<float> got = as_floats(expected);
    for (std::size_t k = 0; k < m * n; ++k) {
      if (k / n >= row || k % n >= col) got[k] += 1.0f;
    }
    return cause(verify_exact(got, expected, n));
  };
  CHECK(spoil_from(48, n).starts_with("the ragged edge: all rows from 48 on are wrong."));
  CHECK(spoil_from(m, 64).starts_with("the ragged edge: all columns from 64 on are wrong."));
  CHECK(spoil_from(48, 64).starts_with(
      "the ragged edge: all rows from 48 and columns from 64 on are wrong."));
  CHECK(spoil_from(47, n) == "");
  CHECK(spoil_from(m, 69) == "");
}

TEST_CASE("cause: whole warps of a vector") {
  const std::vector<double> expected = expectation(2000);
  std::vector<float> got = as_floats(expected);
  for (std::size_t k = 96; k < 128; ++k) got[k] += 1.0f;
  CHECK(cause(verify_exact(got, expected))
            .starts_with("whole warps are wrong, the first from row 96 on. Do warps hand"));
  for (std::size_t k = 320; k < 336; ++k) got[k] += 1.0f;
  CHECK(cause(verify_exact(got, expected)).starts_with("whole warps are wrong, or halves of them"));
}

TEST_CASE("cause: whole blocks of a vector") {
  const std::vector<double> expected = expectation(2000);
  std::vector<float> got = as_floats(expected);
  for (std::size_t k = 256; k < 384; ++k) got[k] += 1.0f;
  CHECK(cause(verify_exact(got, expected))
            .starts_with("whole blocks of 128 rows are wrong, the first from row 256 on."));
  for (std::size_t k = 1024; k < 1152; ++k) got[k] += 1.0f;
  CHECK(cause(verify_exact(got, expected)).starts_with("whole blocks of 128 rows are wrong"));
  got[300] -= 1.0f;
  CHECK(cause(verify_exact(got, expected)) == "");
}

TEST_CASE("cause: whole tiles of a matrix") {
  const std::size_t m = 100;
  const std::size_t n = 130;
  const std::vector<double> expected = expectation(m * n);
  for (const std::size_t tile : {16u, 32u}) {
    const std::string size = std::to_string(tile);
    std::vector<float> got = as_floats(expected);
    for (std::size_t i = tile; i < 2 * tile; ++i) {
      for (std::size_t j = 2 * tile; j < 3 * tile; ++j) got[i * n + j] += 1.0f;
    }
    CHECK(cause(verify_exact(got, expected, n))
              .starts_with("whole tiles of " + size + " x " + size +
                           " are wrong, the first from row " + size + ", column " +
                           std::to_string(2 * tile) + " on."));
    got[0] += 1.0f;
    CHECK(cause(verify_exact(got, expected, n)) == "");
  }
}

TEST_CASE("cause: a tile that the edge cuts to one element is none") {
  const std::size_t n = 33;
  const std::vector<double> expected = expectation(n * n);
  std::vector<float> got = as_floats(expected);
  got[n * n - 1] += 1.0f;
  CHECK(cause(verify_exact(got, expected, n)) == "");
}

TEST_CASE("cause: the same lanes of every warp") {
  const std::vector<double> expected = expectation(1000);
  std::vector<float> got = as_floats(expected);
  for (std::size_t k = 0; k < 1000; ++k) {
    if (k % 32 == 0 || k % 32 == 31) got[k] += 1.0f;
  }
  CHECK(cause(verify_exact(got, expected))
            .starts_with("it is the same rows of every 32, counted from 0: 0 31."));
  got[5] += 1.0f;
  CHECK(cause(verify_exact(got, expected)) == "");
}

TEST_CASE("no cause is named without a pattern") {
  const std::vector<double> expected = expectation(1000);
  std::vector<float> got = as_floats(expected);
  got[123] += 1.0f;
  got[700] += 1.0f;
  CHECK(cause(verify_exact(got, expected)) == "");
  for (std::size_t k = 0; k < 1000; ++k) got[k] = static_cast<float>(expected[k]) + 1.0f;
  CHECK(cause(verify_exact(got, expected)) == "");
}
