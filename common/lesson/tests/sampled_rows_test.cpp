#include "sampled_rows.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

// Says whether a C with one wrong element, in a certain row, passes.
bool passes(const GemmProblem& p, std::size_t wrong_row) {
  std::vector<float> C(p.reference.begin(), p.reference.end());
  if (wrong_row < p.m) C[wrong_row * p.n + p.n - 1] += 1.0F;
  const SampledRows rows(p.A, p.B, p.m, p.n, p.k);
  return rows
      .verify(C,
              [&](const float* got, const double* expected, const double* magnitude, std::size_t m,
                  std::size_t n) { return verify_bounded(got, expected, magnitude, m, n, p.k); })
      .passed;
}

}  // namespace

TEST_CASE("sampled rows: of few rows all, of many the first, the last and some between") {
  const GemmProblem few = make_gemm(Data::exact, 3, 5, 7);
  CHECK(passes(few, few.m));
  for (std::size_t row = 0; row < few.m; ++row) CHECK_FALSE(passes(few, row));
  CHECK_FALSE(passes(make_gemm(Data::exact, 1, 5, 7), 0));
  const GemmProblem many = make_gemm(Data::exact, 1000, 3, 4);
  CHECK(passes(many, many.m));
  std::size_t seen = 0;
  for (std::size_t row = 0; row < many.m; ++row) seen += !passes(many, row);
  CHECK(seen == 64);
  CHECK_FALSE(passes(many, 0));
  CHECK_FALSE(passes(many, many.m - 1));
}
