// The checks of exercise 21b. The function under test is in rows.cu.

#include <cuda_fp16.h>

#include "checks/exercise.hpp"
#include "checks/product.hpp"

void launch_product(const __half* A, const __half* B, float* C, int m, int n, int k);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

using Shape = exercise::ProductShape;

/// C = A B with small whole numbers, which a half holds, and whose sums are exact in any order.
class Problem {
 public:
  explicit Problem(const Shape& shape)
      : shape_(shape),
        A_(course::exact_vector(m() * k(), k(), 1)),
        B_(course::exact_vector(k() * n(), k(), 2)),
        device_A_(halves(A_)),
        device_B_(halves(B_)),
        device_C_(m() * n()) {}

  exercise::Run run() {
    return exercise::run(
        [&] {
          device_C_.poison();
          launch_product(device_A_.data(), device_B_.data(), device_C_.data(), shape_.m, shape_.n,
                         shape_.k);
        },
        exercise::kernels_for(shape_.k));
  }

  void expect_right() const {
    const std::string where = exercise::in_words(shape_);
    const std::vector<double> expected =
        exercise::sums_of_terms(shape_, [&](std::size_t i, std::size_t j, std::size_t p) {
          return double{A_[i * k() + p]} * double{B_[p * n() + j]};
        });
    exercise::expect_exact(
        device_C_.to_host(), expected, m(), n(), where,
        {{with_fragments([](std::size_t lane) {
            return Place{lane / 2, lane % 2 * 8};
          }),
          "the halves of A's rows are mixed up: two neighbouring lanes name the halves of one row. "
          "Lane l names a row of matrix l / 8: which row is it, and which half?"},
         {with_fragments([](std::size_t lane) {
            return Place{lane / 16 * 8 + lane % 8, lane / 8 % 2 * 8};
          }),
          "the second and the third matrix of A have changed places: lanes 8 to 15 name the rows "
          "below, and lanes 16 to 23 the right half of the first rows."}});
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  /// In a fragment of 16 x 16 numbers of A.
  struct Place {
    std::size_t row;
    std::size_t col;
  };

  /// The result if lanes name such places of a fragment of A, for eight numbers from there on.
  template <class PlaceOf>
  std::vector<double> with_fragments(const PlaceOf& place_of) const {
    return exercise::sums_of_terms(shape_, [&](std::size_t i, std::size_t j, std::size_t p) {
      // Where the number that is multiplied with row p of B comes from: it may be beyond an edge.
      const Place place = place_of(i % 16 + p % 16 / 8 * 16);
      const std::size_t row = i - i % 16 + place.row;
      const std::size_t col = p - p % 16 + place.col + p % 8;
      return row < m() && col < k() ? double{A_[row * k() + col]} * double{B_[p * n() + j]} : 0.0;
    });
  }

  static std::vector<__half> halves(const std::vector<float>& values) {
    std::vector<__half> result;
    for (const float x : values) result.push_back(__float2half(x));
    return result;
  }
  std::size_t m() const { return static_cast<std::size_t>(shape_.m); }
  std::size_t n() const { return static_cast<std::size_t>(shape_.n); }
  std::size_t k() const { return static_cast<std::size_t>(shape_.k); }

  Shape shape_;
  std::vector<float> A_;
  std::vector<float> B_;
  exercise::Array<__half> device_A_;
  exercise::Array<__half> device_B_;
  exercise::Array<float> device_C_;
};

const int depth = 32 * exercise::drawn(3, 4, 6);
const Shape whole{128, 64, depth};
constexpr std::uint64_t warps = 4 * 4;  // four blocks
const auto tiles = static_cast<std::uint64_t>(depth / 32);

const std::string read_again =
    "chapters/21_tensor_cores/README.md, 'ldmatrix' and 'Eight rows, eight places'";

}  // namespace

TEST_CASE("correct: whole tiles") {
  for (const Shape& shape : {Shape{64, 32, 32}, {128, 96, 64}}) {
    Problem problem(shape);
    problem.run();
    problem.expect_right();
  }
}

TEST_CASE("correct: every bit at awkward shapes") {
  for (const Shape& shape : {Shape{1, 1, 1},
                             {17, 9, 15},
                             {33, 70, 31},
                             {70, 5, 65},
                             {63, 65, 40},
                             {exercise::drawn(45, 34, 90), 40, exercise::drawn(50, 33, 90)},
                             {20, 30, 0}}) {
    Problem problem(shape);
    problem.run();
    problem.expect_right();
  }
}

TEST_CASE("safe: everything is written before it is used and nothing outside C is touched") {
  for (const Shape& shape : {Shape{64, 32, 64}, {3, 5, 25}, {65, 34, 40}}) {
    Problem problem(shape);
    problem.run();
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: no two rows of a matrix meet in a bank") {
  Problem problem(whole);
  const exercise::Run run = problem.run();
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("bank conflicts are counted on the emulator only");
    return;
  }
  // With rows as they come, four of the eight rows of each matrix meet.
  exercise::expect_at_most(
      run, {.counter = Counter::shared_bank_conflicts,
            .limit = 0,
            .model = 0,
            .naive = warps * tiles * 6 * 4 * 3,
            .why = "A row has 64 bytes, so rows 0, 2, 4 and 6 of a matrix begin in bank 0 and the "
                   "others in bank 16. The same piece of four such rows must be in four places.",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::shared_load_instructions,
            .limit = warps * tiles * 6,
            .model = warps * tiles * 6,
            .naive = 0,
            .why = "A warp loads two fragments of A and four times four of B for a tile, each by "
                   "one ldmatrix.x4, as in the kernel that you were given.",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = warps * tiles * 24 * 2,
            .model = warps * tiles * 24 * 2,
            .naive = 0,
            .why = "A block fetches 64 rows of A and 32 of B for a tile, each number once: a row "
                   "has two sectors.",
            .read = read_again});
}
