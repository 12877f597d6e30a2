// The checks of exercise 02c. The kernels and the numbers are in counters.cu.
//
// On the emulator the numbers are compared with what it counts while the kernels run. A GPU does
// not tell a program what it counts; but it counts the same, and there the numbers are compared
// with what the addresses of the lanes give.

#include <cmath>
#include <set>

#include "checks/exercise.hpp"

void launch_by_rows(const float* A, float* B, int ld, int m, int n);
void launch_by_columns(const float* A, float* B, int ld, int m, int n);
void launch_float4(const float* A, float* B, int m, int n);
int load_requests_of_a_warp_by_rows();
int sectors_per_request_by_rows();
int sectors_per_request_by_columns();
double per_cent_used_by_columns();
int sectors_of_eight_rows_with_33();
int sectors_per_request_by_columns_with_33();
int sectors_per_request_float4();
int load_requests_float4();

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr std::size_t lanes = 32;
constexpr std::size_t sector_bytes = 32;

/// What a kernel asked for when it loaded the matrix.
struct Loads {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;

  /// One request, by the first byte that each lane asks for.
  template <class FirstByte>
  void add_request(FirstByte first_byte) {
    std::set<std::size_t> touched;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      touched.insert(first_byte(lane) / sector_bytes);
    ++requests;
    sectors += touched.size();
  }
};

/// A matrix whose rows are ld elements apart, with NaN in between, and room for its copy. m and n
/// are multiples of 32.
class Problem {
 public:
  Problem(int m, int n, int ld)
      : m_(m),
        n_(n),
        ld_(ld),
        A_(exercise::matrix_with_gaps(size(m), size(n), size(ld), 1)),
        device_A_(A_),
        device_B_(A_.size()) {}

  /// Has it copied, row by row, column by column or by float4.
  Loads by_rows() {
    const Loads counted =
        run([&] { launch_by_rows(device_A_.data(), device_B_.data(), ld_, m_, n_); });
    Loads given;
    for (std::size_t row = 0; row < size(m_); ++row) {
      for (std::size_t col = 0; col < size(n_); col += lanes) {
        given.add_request([&](std::size_t lane) { return byte(row, col + lane); });
      }
    }
    return as_given(counted, given);
  }

  Loads by_columns() {
    const Loads counted =
        run([&] { launch_by_columns(device_A_.data(), device_B_.data(), ld_, m_, n_); });
    Loads given;
    for (std::size_t row = 0; row < size(m_); row += lanes) {
      for (std::size_t col = 0; col < size(n_); ++col) {
        given.add_request([&](std::size_t lane) { return byte(row + lane, col); });
      }
    }
    return as_given(counted, given);
  }

  Loads by_float4() {
    const Loads counted = run([&] { launch_float4(device_A_.data(), device_B_.data(), m_, n_); });
    Loads given;
    for (std::size_t first = 0; first < A_.size() / 4; first += lanes) {
      given.add_request([&](std::size_t lane) { return (first + lane) * sizeof(float4); });
    }
    return as_given(counted, given);
  }

  std::uint64_t bytes() const { return size(m_) * size(n_) * sizeof(float); }

 private:
  static std::size_t size(int extent) { return static_cast<std::size_t>(extent); }

  std::size_t byte(std::size_t row, std::size_t col) const {
    return (row * size(ld_) + col) * sizeof(float);
  }

  template <class Launch>
  Loads run(Launch launch) {
    device_B_.poison();
    const exercise::Run run = exercise::run(launch);
    expect_copied();
    return {run.count(Counter::global_load_requests), run.count(Counter::global_load_sectors)};
  }

  void expect_copied() const {
    const std::string where = "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
                              ", rows " + std::to_string(ld_) + " elements apart";
    const std::vector<float> B = device_B_.to_host();
    std::vector<float> got;
    std::vector<double> expected;
    for (std::size_t i = 0; i < size(m_); ++i) {
      for (std::size_t j = 0; j < size(n_); ++j) {
        got.push_back(B[i * size(ld_) + j]);
        expected.push_back(A_[i * size(ld_) + j]);
      }
    }
    exercise::expect_exact(got, expected, size(m_), size(n_), where);
    exercise::expect_intact(device_B_.intact(), "B", where);
  }

  /// What was counted, if that is what the kernel asks for as it was handed out.
  static Loads as_given(const Loads& counted, const Loads& given) {
    if (!course::on_emulator) return given;
    if (counted.requests != given.requests || counted.sectors != given.sectors) {
      FAIL(
          "a kernel or its launch is not as it was handed out. Compare with what "
          "./course reset 02c makes: it keeps your file beside it");
    }
    return counted;
  }

  int m_;
  int n_;
  int ld_;
  std::vector<float> A_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
};

/// Fails unless `yours` is part / whole.
void expect_number(const std::string& function, double yours, std::uint64_t part,
                   std::uint64_t whole, const std::string& meaning) {
  if (yours * static_cast<double>(whole) == static_cast<double>(part)) return;
  const bool untouched = yours == 0.0;
  FAIL(function, "() ", untouched ? "still returns 0. " : "is not what is counted. ", meaning,
       "\nread again: chapters/02_coalesced/README.md, 'The idea'");
}

const std::string sectors_of_a_request =
    "It is the number of different sectors that hold the elements that a warp asks for with one "
    "load. ";

}  // namespace

TEST_CASE("correct: requests and sectors by rows") {
  Problem problem(64, 96, 96);
  const Loads loads = problem.by_rows();
  expect_number("load_requests_of_a_warp_by_rows", load_requests_of_a_warp_by_rows(),
                loads.requests, 64,
                "It is the number of times that a warp executes the load. How many columns has its "
                "row, and how many of them does it have at each step?");
  expect_number(
      "sectors_per_request_by_rows", sectors_per_request_by_rows(), loads.sectors, loads.requests,
      sectors_of_a_request +
          "How far apart are neighbouring lanes, and how many bytes is that for all of them?");
}

TEST_CASE("correct: sectors and bytes by columns") {
  Problem problem(64, 96, 96);
  const Loads loads = problem.by_columns();
  expect_number("sectors_per_request_by_columns", sectors_per_request_by_columns(), loads.sectors,
                loads.requests,
                sectors_of_a_request +
                    "Neighbouring lanes have neighbouring rows. How far apart are they in memory?");
  expect_number("per_cent_used_by_columns", per_cent_used_by_columns(), 100 * problem.bytes(),
                loads.sectors * sector_bytes,
                "It is the share of the bytes moved that a lane wanted. A sector is moved as a "
                "whole, all 32 bytes of it. How many of these does a lane ask for? The answer is "
                "that share in per cent, and it need not be a whole number.");
}

TEST_CASE("correct: rows that are 33 elements apart") {
  Problem problem(64, 32, 33);
  const Loads by_rows = problem.by_rows();
  const Loads by_columns = problem.by_columns();
  expect_number("sectors_of_eight_rows_with_33", sectors_of_eight_rows_with_33(), by_rows.sectors,
                64 / 8,
                "It is the number of sectors that eight requests touch, each with one row of 32 "
                "elements. At which byte of a sector does row 0 begin, and at which does row 1? "
                "How many sectors do 128 bytes touch from there?");
  expect_number("sectors_per_request_by_columns_with_33", sectors_per_request_by_columns_with_33(),
                by_columns.sectors, by_columns.requests,
                sectors_of_a_request +
                    "How far apart are neighbouring lanes now? Can two of them share a sector?");
}

TEST_CASE("correct: sixteen bytes per lane") {
  Problem problem(64, 96, 96);
  const Loads loads = problem.by_float4();
  expect_number("sectors_per_request_float4", sectors_per_request_float4(), loads.sectors,
                loads.requests,
                sectors_of_a_request +
                    "How many neighbouring lanes share a sector, if each loads a "
                    "float4?");
  expect_number("load_requests_float4", load_requests_float4(), loads.requests, 1,
                "It is the number of loads of all warps, one each. How many elements does a warp "
                "copy with its load, and how many does the matrix have?");
}
