// The checks of exercise 11b. The functions under test are in wide_and_tall.cu.

#include <algorithm>

#include "checks/exercise.hpp"

void launch_transpose(const float* A, float* B, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// A of m x n elements, and room for its transpose.
class Problem {
 public:
  Problem(int m, int n)
      : m_(m),
        n_(n),
        A_(course::exact_vector(rows() * cols(), 1)),
        device_A_(A_),
        device_B_(A_.size()) {}

  template <class Launch>
  void run(Launch launch) {
    device_B_.poison();
    call(launch);
  }

  /// The launch alone, for timing.
  template <class Launch>
  void call(Launch launch) {
    launch(device_A_.data(), device_B_.data(), m_, n_);
  }

  void expect_right() const {
    const std::string where = "m = " + std::to_string(m_) + ", n = " + std::to_string(n_);
    std::vector<double> expected;
    for (std::size_t x = 0; x < cols(); ++x) {
      for (std::size_t y = 0; y < rows(); ++y) expected.push_back(A_[y * cols() + x]);
    }
    const std::vector<float> got = device_B_.to_host();
    expect_tiles_transposed(got, expected, where);
    exercise::expect_exact(got, expected, cols(), rows(), where);
    exercise::expect_intact(device_B_.intact(), "B", where);
  }

 private:
  /// Tiles in their new places, but as they were, have a look of their own.
  void expect_tiles_transposed(const std::vector<float>& got, const std::vector<double>& expected,
                               const std::string& where) const {
    constexpr std::size_t tile = 32;
    if (rows() % tile != 0 || cols() % tile != 0) return;
    bool as_they_were = !std::equal(got.begin(), got.end(), expected.begin());
    for (std::size_t k = 0; k < got.size() && as_they_were; ++k) {
      const std::size_t x = k / rows();
      const std::size_t y = k % rows();
      as_they_were =
          got[k] == A_[(y / tile * tile + x % tile) * cols() + x / tile * tile + y % tile];
    }
    if (as_they_were) {
      FAIL("with ", where, ": every tile is in its place in B, but none is transposed itself. ",
           "A tile filled along its rows has to be read down its columns.");
    }
  }

  std::size_t rows() const { return static_cast<std::size_t>(m_); }
  std::size_t cols() const { return static_cast<std::size_t>(n_); }

  int m_;
  int n_;
  std::vector<float> A_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
};

void check(int m, int n) {
  Problem problem(m, n);
  exercise::run([&] { problem.run(launch_transpose); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: rectangles of whole tiles") {
  // The first is what the author of the kernel tried.
  for (const auto& [m, n] : {std::pair{64, 64}, {32, 96}, {96, 32}, {128, 64}}) check(m, n);
}

TEST_CASE("correct: tiles that are not full and nothing at all") {
  for (const auto& [m, n] : exercise::awkward_shapes) check(m, n);
  for (const auto& [m, n] : {std::pair{0, 40}, {40, 0}, {0, 0}}) {  // nothing to launch
    Problem problem(m, n);
    problem.run(launch_transpose);
    CUDA_CHECK(cudaDeviceSynchronize());
    problem.expect_right();
  }
}

TEST_CASE("safe: no race and nothing outside the matrices is touched") {
  for (const auto& [m, n] : {std::pair{64, 96}, {96, 64}, {33, 70}, {70, 33}, {1, 40}, {40, 1}}) {
    check(m, n);
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: whole sectors in both directions and no bank conflict") {
  const int m = 32 * exercise::drawn(4, 5, 7);
  Problem problem(m, 192);
  const exercise::Run run = exercise::run([&] { problem.run(launch_transpose); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("sectors and bank conflicts are counted on the emulator only");
    return;
  }
  const std::string read =
      "chapters/11_transpose/README.md, 'A tile' and 'Set a column, read a row'";
  const std::uint64_t elements = static_cast<std::uint64_t>(m) * 192;
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = elements / 8,
            .model = elements / 8,
            .naive = 0,
            .why = "A sector holds 8 floats. A warp reads 32 neighbours of a row of A, as in the "
                   "kernel that you were given. The limit leaves no slack.",
            .read = read});
  exercise::expect_at_most(
      run, {.counter = Counter::global_store_sectors,
            .limit = elements / 8,
            .model = elements / 8,
            .naive = elements,
            .why = "As given, neighbouring lanes write to neighbouring rows of B: a sector for "
                   "each element. A tile pays if a warp takes a column out of it and writes a "
                   "piece of a row of B. The limit leaves no slack.",
            .read = read});
  exercise::expect_at_most(
      run, {.counter = Counter::shared_bank_conflicts,
            .limit = 0,
            .model = 0,
            .naive = elements / 32 * 31,
            .why = "Element e of an array of floats is in bank e mod 32. In rows of 32 floats a "
                   "column is in one bank: 31 wavefronts too many each time a warp goes down a "
                   "column. How long would the rows have to be?",
            .read = read});
  exercise::expect_at_most(
      run, {.counter = Counter::shared_wavefronts,
            .limit = elements / 32 * 2 * 3 / 2,
            .model = elements / 32 * 2,
            .naive = 0,
            .why = "A tile is stored once and loaded once, 32 elements in a wavefront. Lanes that "
                   "load one after the other meet in no bank, and wait for each other all the "
                   "same.",
            .read = read});
}
