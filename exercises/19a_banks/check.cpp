// The checks of exercise 19a. The function under test is in banks.cu.

#include "checks/exercise.hpp"
#include "checks/product.hpp"

void launch_product(const float* A, const float* B, float* C, int m, int n, int k,
                    int shared_bytes);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// Two tiles of 16 steps of k, with room for 4 floats after each 64.
constexpr int shared_bytes = 2 * 16 * (64 + 4) * 4;

using Shape = exercise::ProductShape;

/// C = A B^T, with A of m x k and B of n x k elements.
class Problem {
 public:
  explicit Problem(const Shape& shape)
      : shape_(shape),
        A_(course::exact_vector(m() * k(), k(), 1)),
        B_(course::exact_vector(n() * k(), k(), 2)),
        device_A_(A_),
        device_B_(B_),
        device_C_(m() * n()) {}

  void run() {
    device_C_.poison();
    launch_product(device_A_.data(), device_B_.data(), device_C_.data(), shape_.m, shape_.n,
                   shape_.k, shared_bytes);
  }

  void expect_right() const {
    const std::string where = exercise::in_words(shape_);
    const std::vector<double> expected =
        exercise::sums_of_terms(shape_, [&](std::size_t i, std::size_t j, std::size_t p) {
          return double{A_[i * k() + p]} * double{B_[j * k() + p]};
        });
    exercise::expect_exact(device_C_.to_host(), expected, m(), n(), where);
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  std::size_t m() const { return static_cast<std::size_t>(shape_.m); }
  std::size_t n() const { return static_cast<std::size_t>(shape_.n); }
  std::size_t k() const { return static_cast<std::size_t>(shape_.k); }

  Shape shape_;
  std::vector<float> A_;
  std::vector<float> B_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
  exercise::Array<float> device_C_;
};

void check(const Shape& shape) {
  Problem problem(shape);
  exercise::run([&] { problem.run(); }, exercise::kernels_for(shape.k));
  problem.expect_right();
}

const int depth = 16 * exercise::drawn(6, 7, 9);
const Shape whole{128, 64, depth};
constexpr std::uint64_t warps = 2 * 8;  // two blocks
const auto tiles = static_cast<std::uint64_t>(depth / 16);

const std::string read_again =
    "chapters/19_gemm_registers/README.md, 'Stores that meet in a bank', and "
    "chapters/11_transpose/README.md, 'Set a column, read a row'";

}  // namespace

TEST_CASE("correct: every bit at shapes of all kinds") {
  for (const Shape& shape :
       {Shape{64, 64, 16},
        {1, 1, 1},
        {33, 70, 31},
        {128, 5, 65},
        {5, 129, 17},
        {63, 65, 127},
        {exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90), exercise::drawn(50, 34, 90)},
        {40, 70, 0}}) {
    check(shape);
  }
}

TEST_CASE("safe: no shared memory beyond the limit and nothing outside C is touched") {
  for (const Shape& shape : {Shape{64, 64, 32}, {3, 5, 25}, {65, 66, 40}}) {
    check(shape);
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: no two lanes meet in a bank") {
  Problem problem(whole);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("bank conflicts are counted on the emulator only");
    return;
  }
  // With rows as they come a store meets 15 times, and each load of B once.
  exercise::expect_at_most(
      run, {.counter = Counter::shared_bank_conflicts,
            .limit = 0,
            .model = 0,
            .naive = warps * tiles * (8 * 15 + 16 * 4),
            .why = "Float f of shared memory is in bank f mod 32. Write down for the 32 lanes of a "
                   "warp where each one stores, and from where it loads, as multiples of 32 and a "
                   "remainder. No two different floats may have the same remainder.",
            .read = read_again});
}

TEST_CASE("efficient: tiles as before and not one wavefront more than they need") {
  Problem problem(whole);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("wavefronts and sectors are counted on the emulator only");
    return;
  }
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_sectors,
       .limit = warps * tiles * 8 * 4,
       .model = warps * tiles * 8 * 4,
       .naive = 0,
       .why =
           "A block fetches 64 rows of A and of B at 16 steps of k, each element once: 8 requests "
           "per warp and tile, of 4 sectors each, as in the kernel that you were given.",
       .read = read_again});
  exercise::expect_at_most(run,
                           {.counter = Counter::shared_wavefronts,
                            .limit = warps * tiles * (8 + 16 * 8),
                            .model = warps * tiles * (8 + 16 * 8),
                            .naive = warps * tiles * (8 * 16 + 16 * (4 + 4 * 2)),
                            .why = "A warp stores 8 times a tile, and loads 8 numbers at each of "
                                   "its 16 steps: one wavefront each. The limit leaves no slack.",
                            .read = read_again});
}
