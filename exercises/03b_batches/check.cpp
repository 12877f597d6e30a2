// The checks of exercise 03b. The function under test is in batches.cu.

#include "checks/exercise.hpp"

void launch_batches(const float* A, const float* x, const float* b, float* r, int m, int n,
                    int batch);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int most = 16384;  // floats that constant memory holds

enum class Matrix { exact, unit };

/// r = b - A x with A of m x n, column-major. With the unit matrix r(i) is b(i) - x(i), and shows
/// what became of each element of x.
class Problem {
 public:
  Problem(int m, int n, int batch, Matrix matrix = Matrix::exact)
      : m_(m),
        n_(n),
        batch_(batch),
        matrix_(matrix),
        A_(make_matrix()),
        x_(course::exact_vector(size(n), terms(), 2)),
        b_(course::exact_vector(size(m), terms(), 3)),
        device_A_(A_),
        device_x_(x_),
        device_b_(b_),
        device_r_(size(m)) {}

  exercise::Run run() {
    INFO(where());
    device_r_.poison();
    return exercise::run([&] { call(); }, exercise::kernels_for(n_));
  }

  /// The launches alone, for shapes that need none.
  void call() {
    launch_batches(device_A_.data(), device_x_.data(), device_b_.data(), device_r_.data(), m_, n_,
                   batch_);
  }

  void expect_right() const {
    std::vector<double> expected(b_.begin(), b_.end());
    for (std::size_t j = 0; j < size(n_); ++j) {
      for (std::size_t i = 0; i < size(m_); ++i) {
        expected[i] -= double{A_[j * size(m_) + i]} * double{x_[j]};
      }
    }
    exercise::expect_exact(device_r_.to_host(), expected, where());
    exercise::expect_intact(device_r_.intact(), "r", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  /// How many products are added up for an element; b counts as one.
  std::size_t terms() const { return size(n_) + 1; }

  std::string where() const {
    return "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
           ", batch = " + std::to_string(batch_) +
           (matrix_ == Matrix::unit ? " and the unit matrix for A, so r(i) = b(i) - x(i)" : "");
  }

  std::vector<float> make_matrix() const {
    std::vector<float> A(size(m_) * size(n_));
    if (matrix_ == Matrix::unit) {
      for (std::size_t j = 0; j < size(n_); ++j) A[j * size(m_) + j] = 1.0F;
    } else {
      course::fill_matrix(A.data(), size(m_), size(n_), course::Layout::column_major,
                          course::ExactValues(terms()));
    }
    return A;
  }

  int m_;
  int n_;
  int batch_;
  Matrix matrix_;
  std::vector<float> A_;
  std::vector<float> x_;
  std::vector<float> b_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_x_;
  exercise::Array<float> device_b_;
  exercise::Array<float> device_r_;
};

}  // namespace

TEST_CASE("correct: one batch for all columns") {
  Problem unit(40, 40, 40, Matrix::unit);
  unit.run();
  unit.expect_right();
  for (const auto& [m, n] : exercise::awkward_shapes) {
    Problem problem(m, n, n);
    problem.run();
    problem.expect_right();
  }
  Problem largest(3, most, most);
  largest.run();
  largest.expect_right();
}

TEST_CASE("correct: several full batches") {
  Problem unit(40, 40, 10, Matrix::unit);
  unit.run();
  unit.expect_right();
  for (const auto& [m, batch] : {std::pair{1, 1}, {3, 5}, {129, 32}, {200, 33}}) {
    for (const int batches : {2, 3, 7}) {
      Problem problem(m, batches * batch, batch);
      problem.run();
      problem.expect_right();
    }
  }
}

TEST_CASE("correct: a short last batch or no columns at all") {
  for (const auto& [m, n] : {std::pair{1, 2}, {33, 31}, {129, 300}, {500, 7}}) {
    for (const int batch : {5, 16, 1000, most}) {
      Problem problem(m, n, batch);
      problem.run();
      problem.expect_right();
    }
  }
  Problem long_x(2, most + 1000, most);
  long_x.run();
  long_x.expect_right();
  for (const int m : {1, 200}) {
    Problem no_columns(m, 0, most);
    no_columns.run();
    no_columns.expect_right();
  }
  Problem no_rows(0, 40, 16);
  no_rows.call();
  CUDA_CHECK(cudaDeviceSynchronize());
  no_rows.expect_right();
}

TEST_CASE("safe: nothing outside the arrays is touched and nothing is left behind") {
  for (const auto& [m, n] : {std::pair{1, 1}, {33, 31}, {129, 50}, {300, 0}}) {
    Problem problem(m, n, 16);
    problem.run();
    problem.expect_right();
  }
  exercise::expect_no_findings();
}

TEST_CASE("efficient: only A and a start for each batch are loaded") {
  constexpr int m = 512;
  const int n = exercise::drawn(200, 201, 224);
  constexpr int batch = 64;
  constexpr std::uint64_t warps = m / 32;
  const auto columns = static_cast<std::uint64_t>(n);
  const std::uint64_t batches = (columns + batch - 1) / batch;
  // A warp could bring 128 bytes of x to constant memory by a load and a store; but not each of
  // four blocks to its shared memory.
  const std::uint64_t copies_of_x = (columns * sizeof(float) + 127) / 128 + 1;
  Problem problem(m, n, batch);
  const exercise::Run run = problem.run();
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "requests are counted on the emulator only; in time they hardly show on a GPU: "
        "chapters/03_constant/README.md, 'What GPUs show, and why'");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_store_requests,
            .limit = warps * (batches + 1) + copies_of_x,  // r may be set to b beforehand
            .model = warps * batches,
            .naive = 0,
            .why = "16 warps, 4 batches: a warp writes r once a batch, when the batch is done; one "
                   "more passes, and a few that bring x to constant memory. Between two columns "
                   "the rest belongs in a register.",
            .read = "chapters/01_global/README.md, 'The kernel'"});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = warps * (columns + batches + 1) + copies_of_x,
            .model = warps * (columns + batches),
            .naive = warps * (2 * columns + 1),
            .why = "16 warps, 4 batches: a warp loads an element of A for each column, and b or r "
                   "for each batch; one more passes. What is read from constant memory is not a "
                   "request to global memory.",
            .read = "chapters/03_constant/README.md, 'The idea'"});
}
