// The checks of exercise 08a. The functions under test are in transposed_b.cu and naive.cu.

#include <algorithm>

#include "checks/exercise.hpp"
#include "checks/product.hpp"

void launch_product(const float* A, const float* B, float* C, int m, int n, int k);
void launch_naive(const float* A, const float* B, float* C, int m, int n, int k);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

using Shape = exercise::ProductShape;

/// C = A B^T, with A of m x k and B of n x k elements.
class Problem {
 public:
  explicit Problem(const Shape& shape)
      : shape_(shape),
        A_(course::exact_vector(size(shape.m) * size(shape.k), size(shape.k), 1)),
        B_(course::exact_vector(size(shape.n) * size(shape.k), size(shape.k), 2)),
        device_A_(A_),
        device_B_(B_),
        device_C_(size(shape.m) * size(shape.n)) {}

  template <class Launch>
  void run(Launch launch) {
    device_C_.poison();
    call(launch);
  }

  /// The launch alone, for timing.
  template <class Launch>
  void call(Launch launch) {
    launch(device_A_.data(), device_B_.data(), device_C_.data(), shape_.m, shape_.n, shape_.k);
  }

  void expect_right() const {
    const std::string where = exercise::in_words(shape_);
    const std::vector<double> expected =
        exercise::sums_of_terms(shape_, [&](std::size_t i, std::size_t j, std::size_t p) {
          return double{A_[i * k() + p]} * double{B_[j * k() + p]};
        });
    const std::vector<float> got = device_C_.to_host();
    if (got.size() > 1) expect_no_known_mistake(got, expected, where);
    exercise::expect_exact(got, expected, m(), n(), where);
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  std::size_t m() const { return size(shape_.m); }
  std::size_t n() const { return size(shape_.n); }
  std::size_t k() const { return size(shape_.k); }

  /// Two mistakes have results of their own: to say so helps more than a list of wrong numbers.
  void expect_no_known_mistake(const std::vector<float>& got, const std::vector<double>& expected,
                               const std::string& where) const {
    const auto is = [&](const std::vector<double>& other) {
      return other != expected && std::equal(got.begin(), got.end(), other.begin(), other.end());
    };
    // Past the end of B somebody else's numbers would be read: nothing to compare with.
    if (n() < k() &&
        is(exercise::sums_of_terms(shape_, [&](std::size_t i, std::size_t j, std::size_t p) {
          return double{A_[i * k() + p]} * double{B_[j * n() + p]};
        }))) {
      FAIL("with ", where, ": C would be right if the rows of B were n long. ",
           "B is n x k: where does its row j start?");
    }
    constexpr std::size_t tile = 32;
    if (m() % tile == 0 && n() % tile == 0 && k() % tile == 0 &&
        is(exercise::sums_of_terms(shape_, [&](std::size_t i, std::size_t j, std::size_t p) {
          const std::size_t first = p / tile * tile;
          return double{A_[i * k() + p]} *
                 double{B_[(j / tile * tile + p % tile) * k() + first + j % tile]};
        }))) {
      FAIL("with ", where,
           ": every tile of B is used as if it were its transpose. A thread of C's ",
           "column j needs row j of B: which index of the tile is that?");
    }
  }

  Shape shape_;
  std::vector<float> A_;
  std::vector<float> B_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
  exercise::Array<float> device_C_;
};

}  // namespace

TEST_CASE("correct: whole tiles") {
  for (const Shape& shape : {Shape{32, 32, 32}, {32, 32, 96}, {64, 96, 32}, {96, 64, 128}}) {
    Problem problem(shape);
    exercise::run([&] { problem.run(launch_product); });
    problem.expect_right();
  }
}

TEST_CASE("correct: every bit at awkward shapes") {
  for (const Shape& shape :
       {Shape{1, 2, 3},
        {3, 2, 29},
        {31, 33, 32},
        {33, 31, 40},
        {5, 70, 33},
        {70, 5, 65},
        {32, 32, 31},
        {40, 45, 127},
        {2, 100, 257},
        {1, 1, 1009},
        {exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90), exercise::drawn(50, 34, 90)}}) {
    Problem problem(shape);
    exercise::run([&] { problem.run(launch_product); });
    problem.expect_right();
  }
}

TEST_CASE("correct: empty shapes") {
  for (const Shape& shape : {Shape{0, 7, 5}, {7, 0, 5}, {0, 0, 0}}) {  // nothing to launch
    Problem problem(shape);
    problem.run(launch_product);
    CUDA_CHECK(cudaDeviceSynchronize());
    problem.expect_right();
  }
  Problem problem({40, 33, 0});  // empty sums: C is 0, with a kernel or without one
  exercise::run([&] { problem.run(launch_product); }, exercise::Kernels::if_needed);
  problem.expect_right();
}

TEST_CASE("safe: nothing outside the matrices and nothing unwritten is touched") {
  for (const Shape& shape : {Shape{32, 32, 64}, {3, 5, 25}, {33, 70, 40}, {70, 33, 65}}) {
    Problem problem(shape);
    exercise::run([&] { problem.run(launch_product); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: whole pieces of both matrices and no bank conflict") {
  const bool big = !course::on_emulator;  // a GPU has more room, and wants more work
  const Shape shape = big ? Shape{1024, 1024, 1000} : Shape{64, 96, 32 * exercise::drawn(4, 5, 7)};
  Problem problem(shape);
  const exercise::Run run = exercise::run([&] { problem.run(launch_product); });
  problem.expect_right();
  const std::string read = "chapters/08_gemm_tiling/README.md, 'Tiles'";
  if (!big) {
    // Each warp fetches, a tile of k, 32 elements of A and 32 of B: 4 sectors each if they are
    // neighbours. Without tiles it needs an element of A and 32 of B, a row apart, per step of k.
    const std::uint64_t warps = 64 * 96 / 32;
    const auto tiles = static_cast<std::uint64_t>(shape.k / 32);
    exercise::expect_at_most(
        run, {.counter = Counter::global_load_sectors,
              .limit = warps * tiles * 2 * 4,
              .model = warps * tiles * 2 * 4,
              .naive = warps * tiles * 32 * (1 + 32),
              .why = "A warp fetches 32 neighbours of a row of A and 32 neighbours of a row of B "
                     "for each tile: 4 sectors and 4 sectors. The limit leaves no slack.\n"
                     "B is also stored row by row: neighbouring threads (x) have to fetch along "
                     "its rows, although each then uses a row of its own.",
              .read = read});
    exercise::expect_at_most(
        run, {.counter = Counter::shared_bank_conflicts,
              .limit = 0,
              .model = 0,
              .naive = 0,
              .why = "The 32 lanes of a warp have to find their elements in 32 different banks, or "
                     "want the same element. Element e of an array is in bank e mod 32, so in rows "
                     "of 32 elements a whole column is in one bank.\n"
                     "How long would the rows of the array have to be?",
              .read = "exercises/08a_transposed_b/README.md, 'Banks'"});
    exercise::expect_at_most(
        run,
        {.counter = Counter::shared_wavefronts,
         .limit = warps * tiles * (2 + 2 * 32) * 3 / 2,
         .model = warps * tiles * (2 + 2 * 32),
         .naive = 0,
         .why = "For each tile a warp stores twice and loads twice for each of 32 steps, by one "
                "wavefront each. Lanes that load one after the other meet in no bank, and "
                "wait for each other all the same.",
         .read = "exercises/08a_transposed_b/README.md, 'Banks'"});
  }
  exercise::expect_faster([&] { problem.call(launch_naive); },
                          [&] { problem.call(launch_product); }, 2.0, read);
}
