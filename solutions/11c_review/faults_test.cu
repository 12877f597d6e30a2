// That the model solution of 11c names what is wrong with these kernels, and that nothing else is:
// the emulator finds each fault in that line, or beside it.

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "data.hpp"
#include "device.hpp"
#include "emulator/findings.h"
#include "review.cu"
#include "traffic.hpp"

namespace {

constexpr int m = 70;
constexpr int n = 45;
constexpr int lda = n + 3;
constexpr int ldb = m + 5;  // enough for B as it is, and for the transpose

/// What a kernel did: its launch, what the checks found, and B, ldb elements per row.
struct Outcome {
  emulator::Traffic traffic;
  std::vector<emulator::Finding> findings;
  std::vector<float> B;
};

float element(int y, int x) {
  return course::ExactValues(n)(static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(x));
}

/// Runs a kernel on a matrix whose gaps nothing has written.
Outcome run(int kernel, int block_rows = 8) {
  emulator::set_checking(true);
  course::DeviceArray<float> A(static_cast<std::size_t>(m) * lda, course::unset);
  course::DeviceArray<float> B(static_cast<std::size_t>(m) * ldb);
  float* const elements = A;
  for (int y = 0; y < m; ++y) {
    std::vector<float> row;
    for (int x = 0; x < n; ++x) row.push_back(element(y, x));
    CUDA_CHECK(cudaMemcpy(elements + at(y, 0, lda), row.data(), n * sizeof(float),
                          cudaMemcpyHostToDevice));
  }
  Outcome outcome;
  outcome.traffic = course::total(
      course::record_traffic([&] { launch_review(kernel, A, lda, B, ldb, m, n, block_rows); }));
  outcome.findings = emulator::findings();
  emulator::set_checking(false);
  emulator::clear_findings();  // they were expected: the program does not fail because of them
  outcome.B = B.to_host();
  return outcome;
}

/// The number that a line of a kernel has in its comment, `// 7`.
int number_of(const emulator::FindingPlace& place) {
  std::ifstream file(place.file);
  std::string line;
  for (int k = 0; k < place.line; ++k) std::getline(file, line);
  const std::size_t comment = line.rfind("// ");
  REQUIRE(comment != std::string::npos);
  return std::stoi(line.substr(comment + 3));
}

void expect_transposed(const Outcome& outcome) {
  bool right = true;
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y < m; ++y) right = right && outcome.B[at(x, y, ldb)] == element(y, x);
  }
  CHECK(right);
}

std::uint64_t conflicts(const Outcome& outcome) {
  return outcome.traffic.shared_load_bank_conflicts + outcome.traffic.shared_store_bank_conflicts;
}

}  // namespace

TEST_CASE("first reads what is in a gap, in the line that is named") {
  const Outcome outcome = run(1);
  REQUIRE_FALSE(outcome.findings.empty());
  for (const emulator::Finding& finding : outcome.findings) {
    CHECK(finding.kind == "uninitialised");
    CHECK(number_of(finding.place) == wrong_line_of_first());
  }
}

TEST_CASE("second is right") {
  CHECK(wrong_line_of_second() == 0);
  const Outcome outcome = run(2);
  CHECK(outcome.findings.empty());
  CHECK(conflicts(outcome) == 0);
  bool right = true;
  for (int y = 0; y < m; ++y) {
    float sum = 0.0F;
    for (int x = 0; x < n; ++x) sum += element(y, x);
    right = right && outcome.B[at(y, 0, ldb)] == sum;
  }
  CHECK(right);
}

TEST_CASE("third has a race across the line that is named, and none in blocks of one warp") {
  const Outcome outcome = run(3);
  REQUIRE(outcome.findings.size() == 1);
  const emulator::Finding& race = outcome.findings.front();
  CHECK(race.kind == "race");
  REQUIRE_FALSE(race.others.empty());
  const int one = number_of(race.place);
  const int other = number_of(race.others.front());
  CHECK(std::min(one, other) == wrong_line_of_third() - 1);
  CHECK(std::max(one, other) == wrong_line_of_third() + 1);
  CHECK(run(3, 1).findings.empty());
}

TEST_CASE("fourth is right") {
  CHECK(wrong_line_of_fourth() == 0);
  const Outcome outcome = run(4);
  CHECK(outcome.findings.empty());
  CHECK(conflicts(outcome) == 0);
  expect_transposed(outcome);
}

TEST_CASE("fifth has bank conflicts, by the width that its named line gives the tile") {
  CHECK(wrong_line_of_fifth() == 2);
  const Outcome outcome = run(5);
  CHECK(outcome.findings.empty());
  CHECK(conflicts(outcome) != 0);
  CHECK(outcome.traffic.shared_store_bank_conflicts == 0);
  expect_transposed(outcome);
}
