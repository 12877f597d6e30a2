// The checks of exercise 08b. The function under test is in tile_bugs.cu.

#include <algorithm>

#include "checks/exercise.hpp"
#include "checks/product.hpp"

void launch_product(const float* A, const float* B, float* C, int m, int n, int k);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

using Shape = exercise::ProductShape;

/// C = A B, with A of m x k and B of k x n elements.
class Problem {
 public:
  explicit Problem(const Shape& shape)
      : shape_(shape),
        A_(course::exact_vector(m() * k(), k(), 1)),
        B_(course::exact_vector(k() * n(), k(), 2)),
        device_A_(A_),
        device_B_(B_),
        device_C_(m() * n()) {}

  void run() {
    device_C_.poison();
    launch_product(device_A_.data(), device_B_.data(), device_C_.data(), shape_.m, shape_.n,
                   shape_.k);
  }

  void expect_right() const {
    const std::string where = exercise::in_words(shape_);
    const std::vector<double> expected = product(k());
    const std::vector<float> got = device_C_.to_host();
    expect_no_known_mistake(got, expected, where);
    exercise::expect_exact(got, expected, m(), n(), where);
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  std::size_t m() const { return static_cast<std::size_t>(shape_.m); }
  std::size_t n() const { return static_cast<std::size_t>(shape_.n); }
  std::size_t k() const { return static_cast<std::size_t>(shape_.k); }

  /// A B, with the rows of A so far apart.
  std::vector<double> product(std::size_t row_length) const {
    std::vector<double> result(m() * n());
    for (std::size_t i = 0; i < m(); ++i) {
      for (std::size_t p = 0; p < k(); ++p) {
        const double a = A_[i * row_length + p];
        for (std::size_t j = 0; j < n(); ++j) {
          result[i * n() + j] += a * double{B_[p * n() + j]};
        }
      }
    }
    return result;
  }

  /// To name a mistake that its result gives away helps more than a list of wrong numbers.
  void expect_no_known_mistake(const std::vector<float>& got, const std::vector<double>& expected,
                               const std::string& where) const {
    if (n() >= k()) return;  // such rows of A would end beyond it
    const std::vector<double> other = product(n());
    if (other != expected && std::equal(got.begin(), got.end(), other.begin(), other.end())) {
      FAIL("with ", where, ": C would be right if the rows of A were n long. ",
           "A is m x k: where does its row start?");
    }
  }

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

}  // namespace

TEST_CASE("correct: rows of A and of B that differ in length") {
  check({32, 32, 32});  // what the author of the kernel tried
  for (const Shape& shape : {Shape{8, 20, 32}, {16, 96, 32}, {5, 40, 32}}) check(shape);
}

TEST_CASE("correct: a tile that is not full") {
  for (const int k : {20, 31, 3}) {
    check({8, 32, 32});  // fills the tiles: what is there afterwards must not matter
    check({8, k, k});
  }
}

TEST_CASE("correct: many tiles at awkward shapes") {
  for (const Shape& shape :
       {Shape{8, 96, 96},
        {1, 33, 64},
        {9, 31, 65},
        {7, 70, 257},
        {17, 5, 127},
        {1, 1, 1009},
        {33, 100, 40},
        {exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90), exercise::drawn(50, 34, 90)}}) {
    check(shape);
  }
}

TEST_CASE("safe: nothing outside the matrices and nothing unwritten is touched") {
  for (const Shape& shape : {Shape{8, 32, 96}, {3, 5, 25}, {9, 33, 40}}) {
    check(shape);
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: two barriers per tile and elements fetched once per block") {
  const Shape shape{16, 96, 32 * exercise::drawn(8, 9, 12)};
  Problem problem(shape);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("barriers and sectors are counted on the emulator only");
    return;
  }
  const std::string read = "chapters/08_gemm_tiling/README.md, 'Tiles'";
  const std::uint64_t warps = 16 * 96 / 32;
  const auto tiles = static_cast<std::uint64_t>(shape.k / 32);
  // Of A a warp fetches one piece of 32 elements per tile, of B 4 pieces, of 4 sectors each.
  // Without tiles it would need an element of A and 32 neighbours of B for each of 256 steps.
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = warps * tiles * (1 + 4) * 4,
            .model = warps * tiles * (1 + 4) * 4,
            .naive = warps * tiles * 32 * (1 + 4),
            .why = "A warp fetches 32 elements of A and 4 times 32 of B for each tile, 4 sectors "
                   "each; the 8 warps of a block share them. The limit leaves no slack.",
            .read = read});
  exercise::expect_at_most(
      run, {.counter = Counter::barriers,
            .limit = warps * (2 * tiles + 2),
            .model = warps * 2 * tiles,
            .naive = 0,
            .why = "Each warp has to come to two barriers a tile: one when the tile is complete, "
                   "one when it has been used. Two more, before and after the loop, would pass.",
            .read = read});
}
