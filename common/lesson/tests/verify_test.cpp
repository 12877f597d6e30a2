#include "verify.hpp"

#include <doctest/doctest.h>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "verify_test_data.hpp"

using course::Data;
using course::Layout;
using course::SgemvProblem;
using course::Verdict;
using namespace course::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

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

TEST_CASE("a product with the transposed matrix fails") {
  for (const Data data : {Data::exact, Data::ladder, Data::random}) {
    const auto right = course::make_sgemv(data, 64, 64, Layout::row_major);
    SgemvProblem wrong = course::make_sgemv(data, 64, 64, Layout::row_major);
    wrong.layout = Layout::column_major;
    CHECK_FALSE(course::verify(multiply(wrong, Order::forward), right));
  }
}
