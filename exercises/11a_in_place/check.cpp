// The checks of exercise 11a. The functions under test are in in_place.cu.

#include <algorithm>

#include "checks/exercise.hpp"

void launch_transpose_in_place(float* A, int n, int lda);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// An n x n matrix with rows lda apart. Behind each row but the last is a gap, with numbers in it
/// that are to stay.
class Problem {
 public:
  Problem(int n, int lda) : n_(n), lda_(lda), before_(make_matrix()), A_(before_) {}

  template <class Launch>
  void call(Launch launch) {
    launch(A_.data(), n_, lda_);
  }

  void expect_right() const {
    const std::vector<float> after = A_.to_host();
    std::vector<float> got;
    std::vector<double> expected;
    for (std::size_t i = 0; i < n(); ++i) {
      for (std::size_t j = 0; j < n(); ++j) {
        got.push_back(after[i * lda() + j]);
        expected.push_back(before_[j * lda() + i]);
      }
    }
    if (!std::equal(got.begin(), got.end(), expected.begin())) expect_no_known_mistake(got);
    exercise::expect_exact(got, expected, n(), n(), where());
    for (std::size_t k = 0; k < after.size(); ++k) {
      if (k % lda() < n() || after[k] == before_[k]) continue;
      FAIL("with ", where(), ": the gap after row ", k / lda(), " was changed, at column ",
           k % lda(), ". Only columns 0 to ", n() - 1, " are the matrix's.");
    }
    exercise::expect_intact(A_.intact(), "A", where());
  }

 private:
  std::size_t n() const { return static_cast<std::size_t>(n_); }
  std::size_t lda() const { return static_cast<std::size_t>(lda_); }

  std::vector<float> make_matrix() const {
    return course::exact_vector(n_ == 0 ? 0 : (n() - 1) * lda() + n(), 1);
  }

  /// Whether `got` has at (i, j) what was at place_of(i, j) before.
  template <class Place>
  bool is_from(const std::vector<float>& got, const Place& place_of) const {
    for (std::size_t k = 0; k < got.size(); ++k) {
      const auto [i, j] = place_of(k / n(), k % n());
      if (got[k] != before_[i * lda() + j]) return false;
    }
    return true;
  }

  /// To name a mistake that its result gives away helps more than a list of wrong numbers.
  void expect_no_known_mistake(const std::vector<float>& got) const {
    using Place = std::pair<std::size_t, std::size_t>;
    constexpr std::size_t tile = 32;
    const auto on_diagonal = [](std::size_t i, std::size_t j) { return i / tile == j / tile; };
    if (n() > tile && is_from(got, [&](std::size_t i, std::size_t j) {
          return on_diagonal(i, j) ? Place{j, i} : Place{i, j};
        })) {
      FAIL("with ", where(),
           ": the tiles on the diagonal are right, all others are as they were. If ",
           "two blocks swap the same pair, the second undoes the first.");
    }
    if (is_from(got, [&](std::size_t i, std::size_t j) {
          return on_diagonal(i, j) ? Place{i, j} : Place{j, i};
        })) {
      FAIL("with ", where(), ": the tiles on the diagonal are as they were. Each is its own ",
           "partner, and also has to be transposed.");
    }
    if (n() % tile == 0 && is_from(got, [](std::size_t i, std::size_t j) {
          return Place{j / tile * tile + i % tile, i / tile * tile + j % tile};
        })) {
      FAIL("with ", where(), ": every tile is in its new place, but none is transposed itself. ",
           "A tile filled along its rows has to be read down its columns.");
    }
  }

  std::string where() const {
    return "n = " + std::to_string(n_) + ", lda = " + std::to_string(lda_);
  }

  int n_;
  int lda_;
  std::vector<float> before_;
  exercise::Array<float> A_;
};

void check(int n, int lda) {
  Problem problem(n, lda);
  // A single element may stay where it is.
  const exercise::Kernels kernels =
      n == 1 ? exercise::Kernels::if_needed : exercise::Kernels::expected;
  exercise::run([&] { problem.call(launch_transpose_in_place); }, kernels);
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: whole tiles") {
  for (const int n : {32, 64, 96, 160}) check(n, n);
}

TEST_CASE("correct: tiles that are not full") {
  for (const int n : {2, 3, 31, 33, 63, 65, 100, 127, 1, exercise::drawn(80, 66, 130)}) check(n, n);
  Problem nothing(0, 5);
  nothing.call(launch_transpose_in_place);
  CUDA_CHECK(cudaDeviceSynchronize());
}

TEST_CASE("correct: rows with a gap after them") {
  for (const auto& [n, lda] : {std::pair{64, 96}, {33, 64}, {31, 32}, {70, 71}, {5, 1000}}) {
    check(n, lda);
  }
}

TEST_CASE("safe: everything is read before it is overwritten and nothing else is touched") {
  for (const auto& [n, lda] : {std::pair{64, 64}, {33, 40}, {70, 70}, {1, 1}}) {
    check(n, lda);
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: each sector read once and written once and no bank conflict") {
  const auto tiles = static_cast<std::uint64_t>(exercise::drawn(8, 9, 12));
  const std::uint64_t n = 32 * tiles;
  Problem problem(static_cast<int>(n), static_cast<int>(n) + 8);
  const exercise::Run run = exercise::run([&] { problem.call(launch_transpose_in_place); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("sectors and bank conflicts are counted on the emulator only");
    return;
  }
  const std::string read =
      "chapters/11_transpose/README.md, 'A tile' and 'Set a column, read a row'";
  // Without tiles each lane swaps a pair: a warp wants neighbours of a row, 4 sectors if it is
  // complete, and elements of a column, a sector each. A tile on the diagonal has 76 sectors of
  // the one kind above it and 496 of the other.
  const std::uint64_t pairs = tiles * (tiles - 1) / 2;
  const std::uint64_t naive = pairs * 32 * (4 + 32) + tiles * (76 + 496);
  for (const Counter counter : {Counter::global_load_sectors, Counter::global_store_sectors}) {
    exercise::expect_at_most(
        run, {.counter = counter,
              .limit = n * n / 8,
              .model = n * n / 8,
              .naive = naive,
              .why = "A sector holds 8 floats. A warp that goes along rows, both when it reads and "
                     "when it writes, needs each sector once. The limit leaves no slack.",
              .read = read});
  }
  exercise::expect_at_most(
      run, {.counter = Counter::shared_bank_conflicts,
            .limit = 0,
            .model = 0,
            .naive = 0,
            .why = "A tile is filled along its rows and read down its columns. In rows of 32 "
                   "floats a column is in one bank. How long would the rows have to be?",
            .read = read});
  exercise::expect_at_most(
      run, {.counter = Counter::shared_wavefronts,
            .limit = n * n / 32 * 2 * 3 / 2,
            .model = n * n / 32 * 2,
            .naive = 0,
            .why = "A tile is stored once and loaded once, 32 elements in a wavefront. Lanes that "
                   "load one after the other meet in no bank, and wait for each other all the "
                   "same.",
            .read = read});
}
