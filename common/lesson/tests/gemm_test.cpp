#include "gemm_data.hpp"

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cpu.hpp"
#include "row_major.hpp"

using course::Data;
using course::GemmProblem;
using course::make_gemm;

namespace {

constexpr std::array all_data = {Data::exact, Data::ladder, Data::random};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// C = A B in float, one term after the other, with A's rows as far apart as is said.
std::vector<float> multiply(const GemmProblem& p, std::size_t row_of_A, bool fused = false) {
  std::vector<float> C(p.m * p.n);
  for (std::size_t i = 0; i < p.m; ++i) {
    for (std::size_t j = 0; j < p.n; ++j) {
      float sum = 0.0F;
      for (std::size_t q = 0; q < p.k; ++q) {
        const float a = p.A[(i * row_of_A + q) % p.A.size()];
        const float b = p.B[q * p.n + j];
        sum = fused ? std::fma(a, b, sum) : sum + a * b;
      }
      C[i * p.n + j] = sum;
    }
  }
  return C;
}

}  // namespace

TEST_CASE("gemm: where an element lies, beyond 2^31 elements too") {
  static_assert(course::at(0, 0, 0) == 0);
  static_assert(course::at(2, 3, 7) == 17);
  static_assert(course::at(46341, 0, 46341) == 2147488281);      // more than an int holds
  static_assert(course::at(65536, 65535, 65536) == 4295032831);  // or an unsigned int
  static_assert(course::at(2147482623, 2147482623, 2147482624) == 4611681620381925375);
  CHECK(course::at(65536, 65535, 65536) == 4295032831);
}

TEST_CASE("gemm: bands cover the rows once, in order, and fit into a grid") {
  using Band = std::pair<int, int>;
  const auto bands = [](int rows, int block_rows, int most) {
    std::vector<Band> all;
    course::for_each_band(
        rows, block_rows, [&](int first, int count) { all.emplace_back(first, count); }, most);
    return all;
  };
  CHECK(bands(0, 16, 4).empty());
  CHECK(bands(1, 16, 4) == std::vector<Band>{{0, 1}});
  CHECK(bands(64, 16, 4) == std::vector<Band>{{0, 64}});
  CHECK(bands(65, 16, 4) == std::vector<Band>{{0, 64}, {64, 1}});
  CHECK(bands(150, 16, 4) == std::vector<Band>{{0, 64}, {64, 64}, {128, 22}});
  // The largest extent: the last band ends at 2^31 - 1024, and nothing overflows on the way.
  const std::vector<Band> tall = bands(2147482624, 16, course::most_blocks_in_y);
  CHECK(tall.size() == 2049);
  CHECK(tall.back() == Band{2048 * 16 * 65535, 2147482624 - 2048 * 16 * 65535});
}

TEST_CASE("make_gemm: reference and magnitude are the sums that their definitions say") {
  for (const auto& [m, n, k] : std::vector<std::array<std::size_t, 3>>{
           {1, 1, 1}, {2, 3, 5}, {33, 31, 4}, {5, 257, 7}, {4, 600, 10}, {130, 100, 129}}) {
    for (const Data data : all_data) {
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      const GemmProblem p = make_gemm(data, m, n, k);
      REQUIRE(p.A.size() == m * k);
      REQUIRE(p.B.size() == k * n);
      REQUIRE(p.reference.size() == m * n);
      REQUIRE(p.magnitude.size() == (data == Data::exact ? 0 : m * n));
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          double sum = 0.0;
          double absolute = 0.0;
          for (std::size_t q = 0; q < k; ++q) {
            const double term = double{p.A[i * k + q]} * double{p.B[q * n + j]};
            sum += term;
            absolute += std::fabs(term);
          }
          REQUIRE(std::fabs(p.reference[i * n + j] - sum) <= 1e-13 * absolute);
          if (data != Data::exact) {
            REQUIRE(std::fabs(p.magnitude[i * n + j] - absolute) <= 1e-13 * absolute);
          }
        }
      }
    }
  }
}

TEST_CASE("make_gemm: on several threads the reference is the same") {
  const std::size_t m = 150;  // 150 * 100 * 100 is more than one thread is given
  const GemmProblem p = make_gemm(Data::random, m, 100, 100);
  std::vector<double> C(m * 100);
  std::vector<double> magnitude(m * 100);
  for (std::size_t i = 0; i < m; ++i) {  // too little for more than one
    course::reference_gemm(p.A.data() + i * 100, p.B.data(), 1, 100, 100, C.data() + i * 100,
                           magnitude.data() + i * 100);
  }
  CHECK(C == p.reference);
  CHECK(magnitude == p.magnitude);
}

TEST_CASE("make_gemm: B does not repeat A, and neither is its own transposed") {
  for (const Data data : {Data::exact, Data::random}) {
    const GemmProblem p = make_gemm(data, 20, 20, 20);
    CHECK_FALSE(std::equal(p.A.begin(), p.A.end(), p.B.begin()));
  }
  for (const Data data : all_data) {
    const GemmProblem p = make_gemm(data, 20, 20, 20);
    std::size_t same = 0;
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        same += p.A[i * 20 + j] == p.A[j * 20 + i];
        same += p.B[i * 20 + j] == p.B[j * 20 + i];
      }
    }
    CHECK(same < 40);  // of 380
  }
}

TEST_CASE("make_gemm takes empty shapes, and a sum of no terms is 0") {
  for (const Data data : all_data) {
    const GemmProblem empty_sums = make_gemm(data, 3, 4, 0);
    CHECK(empty_sums.reference == std::vector<double>(12, 0.0));
    CHECK(course::verify(std::vector<float>(12, 0.0F), empty_sums));
    CHECK_FALSE(course::verify(std::vector<float>(12, 1e-30F), empty_sums));
    CHECK(course::verify({}, make_gemm(data, 0, 4, 5)));
    CHECK(course::verify({}, make_gemm(data, 4, 0, 5)));
    CHECK_FALSE(course::verify({}, empty_sums));
  }
}

TEST_CASE(
    "gemm: a right product passes, fused or not: exact data bit for bit, the others bounded") {
  for (const Data data : all_data) {
    for (const bool fused : {false, true}) {
      const GemmProblem p = make_gemm(data, 61, 67, 900);
      const course::Verdict verdict = course::verify(multiply(p, p.k, fused), p);
      CHECK_MESSAGE(verdict, verdict.message);
    }
  }
}

TEST_CASE("gemm: A indexed by m where it needs k is right for squares alone") {
  for (const Data data : all_data) {
    const GemmProblem square = make_gemm(data, 24, 24, 24);
    CHECK(course::verify(multiply(square, square.m), square));
    const GemmProblem other = make_gemm(data, 24, 24, 25);
    CHECK_FALSE(course::verify(multiply(other, other.m), other));
  }
}

TEST_CASE("gemm: what went wrong is named where it can be seen") {
  const GemmProblem p = make_gemm(Data::exact, 70, 90, 40);
  const std::vector<float> right = multiply(p, p.k);
  const auto said = [&](auto spoil) {
    std::vector<float> C = right;
    for (std::size_t i = 0; i < p.m; ++i) {
      for (std::size_t j = 0; j < p.n; ++j) spoil(C[i * p.n + j], i, j);
    }
    return course::verify(C, p).message;
  };
  CHECK(contains(said([&](float& c, std::size_t i, std::size_t j) {
                   c = right[(i * p.n + j) % p.m * p.n + (i * p.n + j) / p.m];
                 }),
                 "column after column"));
  CHECK(contains(said([](float& c, std::size_t i, std::size_t j) {
                   if (i >= 64 || j >= 80) c += 1;
                 }),
                 "the ragged edge: all rows from 64 and columns from 80 on"));
  CHECK(contains(said([](float& c, std::size_t i, std::size_t j) {
                   if (i / 16 == 2 && j / 16 == 1) c += 1;
                 }),
                 "tiles of 16 x 16 are wrong, the first from row 32, column 16 on"));
  const GemmProblem square = make_gemm(Data::exact, 40, 40, 40);
  std::vector<float> transposed = multiply(square, square.k);
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < i; ++j) std::swap(transposed[i * 40 + j], transposed[j * 40 + i]);
  }
  CHECK(contains(course::verify(transposed, square).message, "the result is transposed"));
}

TEST_CASE("gemm: one term too few, or one ulp, fails with exact data") {
  const GemmProblem p = make_gemm(Data::exact, 9, 11, 1000);
  for (const std::size_t missing : {0u, 1u, 500u, 999u}) {
    std::vector<float> C = multiply(p, p.k);
    C[5 * 11 + 7] -= p.A[5 * 1000 + missing] * p.B[missing * 11 + 7];
    CHECK(contains(course::verify(C, p).message, "1 of 99 are wrong\n  row 5, column 7: got"));
  }
  std::vector<float> C = multiply(p, p.k);
  C[3] = std::nextafter(C[3], 1e9F);
  CHECK_FALSE(course::verify(C, p));
  C[3] = std::nanf("");
  CHECK_FALSE(course::verify(C, p));
}

TEST_CASE("cpu: as often as asked for, and the processor has a name") {
  int before = 0;
  int bodies = 0;
  const course::Timing timing = course::time_on_cpu([&] { ++before; }, [&] { ++bodies; }, 3, 10);
  CHECK(timing.samples == 10);  // they take no half second
  CHECK(bodies == 11);
  CHECK(before == 11);
  CHECK(timing.median_ms >= 0);
  CHECK_FALSE(course::cpu_model().empty());
  CHECK(course::cpu_threads() >= 1);
}
