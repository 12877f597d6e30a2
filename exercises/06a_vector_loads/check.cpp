// The checks of exercise 06a. The functions under test are in vector_loads.cu and naive.cu.

#include <limits>

#include "checks/exercise.hpp"

void launch_squared_lengths(const float* A, float* s, int m, int n);
void launch_naive(const float* A, float* s, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

const std::string read_again = "chapters/06_unroll/README.md, 'The kernels' and 'Traps'";

/// How a row falls into parts: elements before the first multiple of 16 bytes, whole float4, rest.
struct RowParts {
  RowParts(std::size_t start, std::size_t n)
      : behind(start % 4),
        head(std::min((4 - behind) % 4, n)),
        chunks((n - head) / 4),
        tail((n - head) % 4) {}
  std::size_t behind;
  std::size_t head;
  std::size_t chunks;
  std::size_t tail;
};

/// Squared lengths of the rows of A, which begins `start` elements past a multiple of 16 bytes,
/// with NaN before it.
class Problem {
 public:
  Problem(int m, int n, int start)
      : m_(m),
        n_(n),
        start_(start),
        A_(make_matrix()),
        device_A_(A_),
        device_s_(static_cast<std::size_t>(m)) {}

  template <class Launch>
  void run(Launch launch) {
    device_s_.poison();
    call(launch);
  }

  /// The launch alone, for timing.
  template <class Launch>
  void call(Launch launch) {
    launch(device_A_.data() + start_, device_s_.data(), m_, n_);
  }

  std::size_t rows() const { return static_cast<std::size_t>(m_); }
  std::size_t columns() const { return static_cast<std::size_t>(n_); }
  std::size_t start_of(std::size_t row) const {
    return static_cast<std::size_t>(start_) + row * columns();
  }
  RowParts parts(std::size_t row) const { return {start_of(row), columns()}; }

  void expect_right() const {
    std::vector<double> expected(rows());
    for (std::size_t i = 0; i < rows(); ++i) expected[i] = sum(start_of(i), columns());
    const std::vector<float> s = device_s_.to_host();
    exercise::expect_exact(s, expected, where(s, expected));
    exercise::expect_intact(device_s_.intact(), "s", where(s, expected));
  }

 private:
  std::vector<float> make_matrix() const {
    std::vector<float> A(start_of(rows()), std::numeric_limits<float>::quiet_NaN());
    const course::ExactValues values(columns());
    for (std::size_t k = start_of(0); k < A.size(); ++k) A[k] = values(k);
    return A;
  }

  double sum(std::size_t first, std::size_t count) const {
    double total = 0.0;
    for (std::size_t k = first; k < first + count; ++k) total += double{A_[k]} * double{A_[k]};
    return total;
  }

  /// The problem's size, and where the first wrong row is, if there is one.
  std::string where(const std::vector<float>& s, const std::vector<double>& expected) const {
    std::string text = "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
                       ", A starting " + place(static_cast<std::size_t>(start_));
    std::size_t i = 0;
    while (i < rows() && double{s[i]} == expected[i]) ++i;
    if (i == rows()) return text;
    const RowParts p = parts(i);
    return text + "\n(row " + std::to_string(i) + ", the first that is wrong, starts " +
           place(p.behind) + ":\nbefore the next come " + counted(p.head) + ", then " +
           std::to_string(p.chunks) + " float4, then " + counted(p.tail) +
           cause(double{s[i]}, i, p) + ")";
  }

  static std::string counted(std::size_t elements) {
    return std::to_string(elements) + (elements == 1 ? " element" : " elements");
  }

  static std::string place(std::size_t behind) {
    return (behind == 0 ? "at" : counted(behind) + " behind") +
           std::string(" a multiple of 16 bytes");
  }

  /// Whether exactly one part of a row is missing, or counts twice.
  std::string cause(double got, std::size_t row, const RowParts& p) const {
    const double head = sum(start_of(row), p.head);
    const double body = sum(start_of(row) + p.head, 4 * p.chunks);
    const double tail = sum(start_of(row) + p.head + 4 * p.chunks, p.tail);
    if (p.head != 0 && got == body + tail) return ";\nthe first of these three is missing";
    if (p.chunks != 0 && got == head + tail) return ";\nthe float4 are missing";
    if (p.tail != 0 && got == head + body) return ";\nthe last of these three is missing";
    if (p.head != 0 && got == 2 * head + body + tail)
      return ";\nthe first of these three counts twice";
    if (p.tail != 0 && got == head + body + 2 * tail)
      return ";\nthe last of these three counts twice";
    return "";
  }

  int m_;
  int n_;
  int start_;
  std::vector<float> A_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_s_;
};

void check(int m, int n, int start) {
  Problem problem(m, n, start);
  if (m == 0) {  // no rows: nothing to launch
    problem.run(launch_squared_lengths);
    CUDA_CHECK(cudaDeviceSynchronize());
  } else {
    exercise::run([&] { problem.run(launch_squared_lengths); }, exercise::kernels_for(n));
  }
  problem.expect_right();
}

/// Sectors of the load of elements first, ..., first + count - 1, side by side. 8 are in a sector.
std::uint64_t sectors(std::size_t first, std::size_t count) {
  return count == 0 ? 0 : (first + count - 1) / 8 - first / 8 + 1;
}

/// What a warp asks for if it goes over a row `at_a_time` elements at a time.
struct Cost {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
};
void add_loads(Cost& cost, std::size_t first, std::size_t count, std::size_t at_a_time) {
  for (std::size_t k = 0; k < count; k += at_a_time) {
    ++cost.requests;
    cost.sectors += sectors(first + k, std::min(at_a_time, count - k));
  }
}

}  // namespace

TEST_CASE("correct: rows of whole float4") {
  for (const int n : {4, 8, 124, 128, 132, 500, 1024}) {
    for (const int m : {1, 7, 8, 9, 33}) check(m, n, 0);
  }
}

TEST_CASE("correct: rows that start anywhere") {
  int start = 0;
  for (const auto& [m, n] : exercise::awkward_shapes) check(m, n, ++start % 4);
}

TEST_CASE("correct: short rows and empty shapes") {
  for (int n = 0; n < 10; ++n) {
    for (const int start : {0, 1, 2, 3}) {
      for (const int m : {0, 1, 20}) check(m, n, start);
    }
  }
}

TEST_CASE("safe: each load is aligned and within A") {
  for (const auto& [m, n] : {std::pair{1, 1}, {3, 2}, {5, 7}, {9, 31}, {8, 129}, {33, 130}}) {
    for (const int start : {0, 1, 2, 3}) {
      check(m, n, start);
      exercise::expect_no_findings();
    }
  }
  if (!course::on_emulator) {
    exercise::skip("no load is misaligned; for loads outside A use compute-sanitizer");
  }
}

TEST_CASE("efficient: four elements per load") {
  // A GPU has more room. There the compiler keeps many single loads in flight, and memory, not
  // the number of requests, sets the pace: wide loads must only not be slower.
  const bool big = !course::on_emulator;
  Problem problem(big ? 512 : 63, big ? 65537 : exercise::drawn(1021, 1030, 1200), 3);
  const exercise::Run run = exercise::run([&] { problem.run(launch_squared_lengths); });
  problem.expect_right();
  const std::uint64_t m = problem.rows();
  const std::uint64_t n = problem.columns();
  Cost model;
  Cost naive;
  for (std::size_t i = 0; i < m; ++i) {
    const RowParts p = problem.parts(i);
    const std::size_t first = problem.start_of(i);
    add_loads(model, first, p.head, 32);
    add_loads(model, first + p.head, 4 * p.chunks, 4 * 32);
    add_loads(model, first + p.head + 4 * p.chunks, p.tail, 32);
    add_loads(naive, first, n, 32);
  }
  // Room for one lane that goes over first and last elements by itself: 1.5 of each on average.
  const std::uint64_t limit = m * ((n - 1) / 128 + 1 + 4);
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = limit,
            .model = model.requests,
            .naive = naive.requests,
            .why = "A load of float4 brings a warp 128 elements. So a row of " + std::to_string(n) +
                   " takes " + std::to_string((n - 1) / 128 + 1) +
                   " requests, and 4 more pass for the elements before its first multiple of 16 "
                   "bytes and after its last. That holds for every row, wherever it starts.",
            .read = read_again});
  // Side by side, b bytes are in at most b / 32 + 2 sectors.
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = m * n / 8 + 2 * limit,
            .model = model.sectors,
            .naive = naive.sectors,
            .why = "The elements fill " + std::to_string(m * n / 8) +
                   " sectors. Where the lanes of a warp load neighbouring float4, a request "
                   "touches 1 more at either end, and no others.",
            .read = read_again});
  exercise::expect_faster([&] { problem.call(launch_naive); },
                          [&] { problem.call(launch_squared_lengths); }, 0.9,
                          "chapters/06_unroll/README.md, 'The idea'");
}
