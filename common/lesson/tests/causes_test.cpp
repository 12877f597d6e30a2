// Which cause of a wrong result verify() names.

#include <doctest/doctest.h>
#include <cstddef>
#include <string>
#include <vector>

#include "verify_test_data.hpp"

using course::Data;
using course::Layout;
using course::Verdict;
using namespace course::test;

namespace {

/// "likely cause: ..." of a message, without these words; "" if it names none.
std::string cause(const Verdict& verdict) {
  const std::string label = "\nlikely cause: ";
  const std::size_t at = verdict.message.find(label);
  return at == std::string::npos ? "" : verdict.message.substr(at + label.size());
}

}  // namespace

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
