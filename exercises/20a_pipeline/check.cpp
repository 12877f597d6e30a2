// The checks of exercise 20a. The function under test is in pipeline.cu.

#include "checks/exercise.hpp"
#include "checks/launches.hpp"
#include "checks/product.hpp"

void launch_product(const float* A, const float* B, float* C, int m, int n, int k);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

using Shape = exercise::ProductShape;

/// C = A B with small whole numbers, whose sums are exact in any order.
class Problem {
 public:
  explicit Problem(const Shape& shape)
      : shape_(shape),
        A_(course::exact_vector(size(shape.m) * size(shape.k), size(shape.k), 1)),
        B_(course::exact_vector(size(shape.k) * size(shape.n), size(shape.k), 2)),
        device_A_(A_),
        device_B_(B_),
        device_C_(size(shape.m) * size(shape.n)) {}

  void run() {
    device_C_.poison();
    launch_product(device_A_.data(), device_B_.data(), device_C_.data(), shape_.m, shape_.n,
                   shape_.k);
  }

  void expect_right() const {
    const std::size_t m = size(shape_.m);
    const std::size_t n = size(shape_.n);
    const std::size_t k = size(shape_.k);
    const std::vector<double> expected =
        exercise::sums_of_terms(shape_, [&](std::size_t i, std::size_t j, std::size_t p) {
          return double{A_[i * k + p]} * double{B_[p * n + j]};
        });
    const std::string where = exercise::in_words(shape_);
    exercise::expect_exact(
        device_C_.to_host(), expected, m, n, where,
        {{last_step_repeated(expected),
          "the last column of A and the last row of B count again where tiles go beyond k. "
          "Elements there have to be 0: row < m and col < n do not test k."}});
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  /// The result if a tile that is not full holds the last element once more.
  std::vector<double> last_step_repeated(std::vector<double> sums) const {
    const std::size_t k = size(shape_.k);
    const std::size_t n = size(shape_.n);
    const std::size_t beyond = (16 - k % 16) % 16;
    for (std::size_t i = 0; i < sums.size() && k > 0; ++i) {
      sums[i] += static_cast<double>(beyond) * double{A_[i / n * k + k - 1]} *
                 double{B_[(k - 1) * n + i % n]};
    }
    return sums;
  }

  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  Shape shape_;
  std::vector<float> A_;
  std::vector<float> B_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
  exercise::Array<float> device_C_;
};

}  // namespace

TEST_CASE("correct: whole tiles") {
  for (const Shape& shape : {Shape{16, 16, 16}, {16, 32, 48}, {48, 16, 128}, {32, 32, 160}}) {
    Problem problem(shape);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
}

TEST_CASE("correct: every bit at awkward shapes") {
  for (const Shape& shape :
       {Shape{1, 1, 1},
        {3, 2, 29},
        {31, 33, 40},
        {5, 70, 33},
        {70, 5, 65},
        {17, 15, 127},
        {exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90), exercise::drawn(50, 34, 90)},
        {1, 2, 509}}) {
    Problem problem(shape);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
  for (const Shape& shape : {Shape{0, 7, 5}, {7, 0, 5}}) {  // nothing to launch
    Problem problem(shape);
    problem.run();
    CUDA_CHECK(cudaDeviceSynchronize());
    problem.expect_right();
  }
  Problem problem({20, 33, 0});  // empty sums: C is 0
  exercise::run([&] { problem.run(); }, exercise::kernels_for(0));
  problem.expect_right();
}

TEST_CASE("safe: nothing is used before it arrives or overwritten while it is in use") {
  for (const Shape& shape : {Shape{16, 16, 16}, {16, 16, 96}, {33, 20, 70}, {3, 5, 25}}) {
    Problem problem(shape);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: three stages and as much traffic as the tiles need") {
  if (!course::on_emulator) return;  // counted there, and the same for any GPU
  const int k = 16 * exercise::drawn(10, 11, 14);
  Problem problem({64, 48, k});
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  exercise::expect_no_findings();
  const std::uint64_t warps = 64 * 48 / 32;
  const auto steps = static_cast<std::uint64_t>(k / 16);
  const std::string read = "chapters/20_gemm_pipeline/README.md, 'Copies that run ahead'";
  // Two rows of 16 floats of either tile: 4 sectors.
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = warps * steps * 8,
                                 .model = warps * steps * 8,
                                 .naive = warps * steps * 16 * (2 + 2),
                                 .why = "Each element of a tile is copied once.",
                                 .read = read});
  // An asynchronous copy stores into shared memory by itself. A tile that goes through registers
  // needs stores, and its thread has to wait for it.
  exercise::expect_at_most(
      run, {.counter = Counter::shared_store_instructions,
            .limit = 0,
            .model = 0,
            .naive = warps * steps * 2,
            .why = "Tiles must be copied asynchronously: the threads themselves store none.",
            .read = read});
  // Two copies per thread and step, of which all but the first two begin ahead; three in four pass.
  // Were the two of a step two batches, half of all would begin while the others are in flight.
  exercise::expect_copies_ahead(run, 12 * 256 * steps * 3 / 2, read);
  // One barrier a step is enough: it also keeps a stage from being overwritten while it is used.
  exercise::expect_at_most(run, {.counter = Counter::barriers,
                                 .limit = 12 * 8 * steps,
                                 .model = 12 * 8 * steps,
                                 .naive = 12 * 8 * 2 * steps,
                                 .why = "Each of the 12 blocks needs one barrier per step.",
                                 .read = read});
}
