// The checks of exercise 09a. The function under test is in tropical.cu.

#include <algorithm>
#include <limits>

#include "checks/exercise.hpp"
#include "checks/product.hpp"

void launch_shortest(const float* A, const float* B, float* C, int m, int n, int k);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr float infinity = std::numeric_limits<float>::infinity();

using Shape = exercise::ProductShape;

/// Which paths do not exist.
enum class Unreachable {
  some,     ///< a quarter of A's elements are infinite, but there is always a path
  islands,  ///< also whole rows of A and whole columns of B
};

/// C(i, j) = min over p of A(i, p) + B(p, j), with A of m x k and B of k x n elements.
class Problem {
 public:
  explicit Problem(const Shape& shape, Unreachable missing = Unreachable::some)
      : shape_(shape),
        A_(make_a(missing)),
        B_(make_b(missing)),
        device_A_(A_),
        device_B_(B_),
        device_C_(m() * n()) {}

  void run() {
    device_C_.poison();
    launch_shortest(device_A_.data(), device_B_.data(), device_C_.data(), shape_.m, shape_.n,
                    shape_.k);
  }

  void expect_right() const {
    std::vector<double> expected(m() * n(), double{infinity});
    for (std::size_t i = 0; i < m(); ++i) {
      for (std::size_t p = 0; p < k(); ++p) {
        for (std::size_t j = 0; j < n(); ++j) {
          double& best = expected[i * n() + j];
          best = std::min(best, double{A_[i * k() + p]} + double{B_[p * n() + j]});
        }
      }
    }
    const std::string where = exercise::in_words(shape_);
    std::vector<float> got = device_C_.to_host();
    if (got.size() > 1 && std::all_of(got.begin(), got.end(), [](float c) { return c == 0.0f; })) {
      FAIL("with ", where, ": every element is 0. No path is that short: what does the minimum ",
           "begin with, and what do the tiles hold beyond an edge?");
    }
    // Infinite elements have to be infinite; after that they need no further comparison.
    for (std::size_t e = 0; e < got.size(); ++e) {
      if (expected[e] != double{infinity}) continue;
      if (got[e] != infinity) {
        FAIL("with ", where, ": row ", e / n(), ", column ", e % n(), ": got ", got[e],
             ", expected inf: there is no path. What does the minimum begin with?");
      }
      expected[e] = got[e] = 0.0f;
    }
    exercise::expect_exact(got, expected, m(), n(), where);
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  std::size_t m() const { return static_cast<std::size_t>(shape_.m); }
  std::size_t n() const { return static_cast<std::size_t>(shape_.n); }
  std::size_t k() const { return static_cast<std::size_t>(shape_.k); }

  /// From each row one stop is near, and most shortest paths lead over it: for row 0 it is the last
  /// stop, for the others any. So each stop matters to somebody.
  std::vector<float> make_a(Unreachable missing) const {
    const course::RandomBits bits(1);
    std::vector<float> A(m() * k());
    for (std::size_t i = 0; i < m(); ++i) {
      for (std::size_t p = 0; p < k(); ++p) {
        const std::uint64_t random = bits(i << 32 | p);
        const std::size_t near = i == 0 ? k() - 1 : bits(~i) % k();
        float& a = A[i * k() + p];
        a = static_cast<float>((p == near ? 1 : 2000) + random % 1000);
        if (p != near && random >> 62 == 0) a = infinity;
        if (missing == Unreachable::islands && i % 5 == 2) a = infinity;
      }
    }
    return A;
  }

  std::vector<float> make_b(Unreachable missing) const {
    const course::RandomBits bits(2);
    std::vector<float> B(k() * n());
    for (std::size_t p = 0; p < k(); ++p) {
      for (std::size_t j = 0; j < n(); ++j) {
        B[p * n() + j] = static_cast<float>(1 + bits(p << 32 | j) % 1000);
        if (missing == Unreachable::islands && j % 7 == 3) B[p * n() + j] = infinity;
      }
    }
    return B;
  }

  Shape shape_;
  std::vector<float> A_;
  std::vector<float> B_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
  exercise::Array<float> device_C_;
};

void check(const Shape& shape, Unreachable missing = Unreachable::some) {
  Problem problem(shape, missing);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: whole tiles") {
  for (const Shape& shape : {Shape{32, 32, 32}, {32, 64, 96}, {64, 96, 32}}) check(shape);
}

TEST_CASE("correct: every bit at awkward shapes") {
  for (const Shape& shape :
       {Shape{3, 2, 30},
        {31, 33, 32},
        {33, 31, 41},
        {5, 70, 34},
        {70, 5, 67},
        {40, 45, 127},
        {2, 100, 257},
        {1, 1, 1009},
        {exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90), exercise::drawn(50, 34, 90)}}) {
    check(shape);
  }
}

TEST_CASE("correct: where no path leads") {
  check({40, 45, 64}, Unreachable::islands);
  check({33, 70, 37}, Unreachable::islands);
  check({40, 33, 0});  // no stop: no path
}

TEST_CASE("safe: nothing outside the matrices and nothing unwritten is touched") {
  for (const Shape& shape : {Shape{32, 32, 64}, {3, 5, 25}, {33, 70, 41}}) {
    check(shape);
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: four elements of A in one load from shared memory") {
  const int depth = 32 * exercise::drawn(4, 5, 7);
  Problem problem({64, 96, depth});
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "nvcc joins four loads of neighbours by itself: a GPU shows no difference in time "
        "(chapter 09, 'What the machine code shows')");
    return;
  }
  const std::uint64_t warps = 64 * 96 / 32;
  const auto tiles = static_cast<std::uint64_t>(depth / 32);
  // For each tile a warp fetches 32 elements of A and 32 of B, and then needs 32 steps. Naive is a
  // kernel without tiles: of A one sector per step, of B 4.
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = warps * tiles * (4 + 4),
                                 .model = warps * tiles * (4 + 4),
                                 .naive = warps * tiles * 32 * (1 + 4),
                                 .why = "A warp fetches 32 neighbours of A and 32 of B for each "
                                        "tile, 4 sectors each. The limit leaves no slack.",
                                 .read = "chapters/08_gemm_tiling/README.md, 'Tiles'"});
  // Naive is chapter 08's loop: two loads per step.
  exercise::expect_at_most(
      run, {.counter = Counter::shared_load_instructions,
            .limit = warps * tiles * (32 / 4 + 32),
            .model = warps * tiles * (32 / 4 + 32),
            .naive = warps * tiles * (32 + 32),
            .why = "32 steps need 32 loads from B's tile, and 32 / 4 from A's if each brings four "
                   "neighbours: a float4. The limit leaves no slack.",
            .read = "chapters/09_gemm_unroll/README.md, 'The idea'"});
  // 3 a tile: storing B's tile by columns, in rows of 36, has as many in the one store.
  exercise::expect_at_most(
      run, {.counter = Counter::shared_bank_conflicts,
            .limit = warps * tiles * 3,
            .model = 0,
            .naive = 0,
            .why = "Where all threads of a row read the same four elements of A's tile, and "
                   "neighbours of B's, there is no conflict. The 3 allowed for each warp and tile "
                   "are for a tile of B stored by columns, with padding.",
            .read = "exercises/08a_transposed_b/README.md, 'Banks'"});
}
