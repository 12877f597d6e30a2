// The checks of exercise 06b. The function under test is in split_columns.cu.

#include "checks/exercise.hpp"
#include "checks/launches.hpp"

void launch_split_columns(const float* A, const float* x, float* y, int m, int n, int pieces);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// What A holds.
enum class Matrix { full, diagonal_of_ones };

/// y = A x with column-major A, the columns split into pieces.
class Problem {
 public:
  Problem(int m, int n, int pieces, Matrix matrix = Matrix::full)
      : m_(m),
        n_(n),
        pieces_(pieces),
        A_(make_matrix(matrix)),
        x_(course::exact_vector(size(n), size(n), 2)),
        device_A_(A_),
        device_x_(x_),
        device_y_(size(m)) {}

  void call() {
    device_y_.poison();
    launch_split_columns(device_A_.data(), device_x_.data(), device_y_.data(), m_, n_, pieces_);
  }

  std::vector<float> result() const { return device_y_.to_host(); }
  const std::vector<float>& x() const { return x_; }

  std::string where() const {
    return "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
           ", pieces = " + std::to_string(pieces_);
  }

  void expect_right() const {
    std::vector<double> expected(size(m_));
    for (std::size_t j = 0; j < size(n_); ++j) {
      for (std::size_t i = 0; i < size(m_); ++i) {
        expected[i] += double{A_[j * size(m_) + i]} * double{x_[j]};
      }
    }
    exercise::expect_exact(result(), expected, where());
    exercise::expect_intact(device_y_.intact(), "y", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  std::vector<float> make_matrix(Matrix matrix) const {
    std::vector<float> A(size(m_) * size(n_));
    const course::ExactValues values(size(n_));
    for (std::size_t j = 0; j < size(n_); ++j) {
      for (std::size_t i = 0; i < size(m_); ++i) {
        const float diagonal = i == j ? 1.0F : 0.0F;
        A[j * size(m_) + i] = matrix == Matrix::full ? values(i, j) : diagonal;
      }
    }
    return A;
  }

  int m_;
  int n_;
  int pieces_;
  std::vector<float> A_;
  std::vector<float> x_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_y_;
};

void check(int m, int n, int pieces) {
  Problem problem(m, n, pieces);
  if (m == 0 || n == 0) {  // a kernel may be launched, or none
    problem.call();
    CUDA_CHECK(cudaDeviceSynchronize());
  } else {
    exercise::run([&] { problem.call(); });
  }
  problem.expect_right();
}

/// "columns 8, 9, 10 ... (24 of them)"; empty if there are none.
std::string listed(const std::vector<std::size_t>& columns, const std::string& what) {
  if (columns.empty()) return "";
  std::string text = "\n  ";
  text += columns.size() == 1 ? "column " : "columns ";
  for (std::size_t k = 0; k < std::min<std::size_t>(columns.size(), 10); ++k) {
    text += (k == 0 ? "" : " ") + std::to_string(columns[k]);
  }
  if (columns.size() > 10) text += " ... (" + std::to_string(columns.size()) + " of them)";
  return text + ": " + what;
}

/// With ones on A's diagonal and zeros elsewhere y(j) is x(j), as often as column j is added.
void check_owners(int n, int pieces) {
  Problem problem(n, n, pieces, Matrix::diagonal_of_ones);
  exercise::run([&] { problem.call(); });
  const std::vector<float> y = problem.result();
  std::vector<std::size_t> never;
  std::vector<std::size_t> often;
  bool others = false;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const float times = y[j] / problem.x()[j];
    if (times == 0.0F) never.push_back(j);
    if (times >= 2.0F) often.push_back(j);
    others = others || !(times == 0.0F || times >= 1.0F);
  }
  if (!others && !(never.empty() && often.empty())) {
    FAIL("with ", problem.where(),
         ", not every column is added to y exactly once:", listed(never, "never added"),
         listed(often, "added more than once"),
         "\nWhich warp of which block owns these, and in which round of its loop?");
  }
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: every column is added once") {
  for (const int n : {40, 100, 129}) {
    for (const int pieces : {1, 3}) check_owners(n, pieces);
  }
}

TEST_CASE("correct: every bit at awkward shapes") {
  for (const auto& [m, n] : exercise::awkward_shapes) {
    check(m, n, 1);
    if (m < 200) check(m, n, 4);
  }
}

TEST_CASE("correct: more pieces than columns and empty shapes") {
  for (const int m : {0, 1, 33}) {
    for (const int n : {0, 1, 5, 17}) {
      for (const int pieces : {1, 5, 20}) check(m, n, pieces);
    }
  }
}

TEST_CASE("safe: pieces end with A and add one at a time") {
  for (const auto& [m, n] : {std::pair{33, 31}, {64, 100}, {100, 257}}) {
    for (const int pieces : {1, 4, 12}) {
      check(m, n, pieces);
      exercise::expect_no_findings();
    }
  }
}

TEST_CASE("efficient: one atomic request per block") {
  const int m = 160;
  const int n = exercise::drawn(500, 510, 550);
  const int pieces = 6;
  Problem problem(m, n, pieces);
  const exercise::Run run = exercise::run([&] { problem.call(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("requests are counted on the emulator; so few do not change the time on a GPU");
    return;
  }
  const std::string read = "chapters/06_unroll/README.md, 'The kernels'";
  const std::uint64_t row_blocks = m / 32;
  const std::uint64_t warps = 8;
  exercise::expect_at_most(
      run, {.counter = Counter::global_atomic_requests,
            .limit = row_blocks * pieces,
            .model = row_blocks * pieces,
            .naive = row_blocks * pieces * warps,
            .why = "Atomic additions to the same element wait for each other. The sums of a "
                   "block's 8 warps meet in shared memory, so that only one warp of each block has "
                   "to add to y: " +
                   std::to_string(row_blocks) + " x " + std::to_string(pieces) +
                   " blocks, a request each. The limit leaves no slack.",
            .read = read});
  if (run.count(Counter::global_store_requests) < row_blocks * pieces) {
    FAIL("stores and atomic additions: ", run.count(Counter::global_store_requests), ", and ",
         row_blocks, " x ", pieces,
         " blocks have columns to add up: each has something to add to y");
  }
  // For each column and 32 rows of it: an element of A a lane, and the element of x. An atomic
  // addition counts as a load as well.
  exercise::expect_at_most(run,
                           {.counter = Counter::global_load_requests,
                            .limit = row_blocks * n * 2 + row_blocks * pieces,
                            .model = row_blocks * n * 2 + row_blocks * pieces,
                            .naive = 0,
                            .why = "Each element of A is loaded once, and with every 32 of them "
                                   "one of x; the atomic additions also count as loads. A warp "
                                   "that needs more loads columns that are not its own.",
                            .read = read});
  // A piece's columns are shared out among the warps of its block; the atomic is a load as well.
  const std::uint64_t columns_of_a_warp = (n / pieces + 1) / warps + 1;
  exercise::expect_loads_of_a_warp(run, 3 * columns_of_a_warp + 1,
                                   "columns split among the blocks and their warps");
}
