// The checks of exercise 19b. The functions under test are in own_tiles.cu.

#include "checks/exercise.hpp"

void launch_product(const float* A, const float* B, float* to, int m, int n, int k);
int chosen(int which);
long long numbers_held(int R, int C);
long long shared_bytes(int R, int C, int depth);
long long load_sectors(int R, int C, long long m, long long n, long long k);
long long wavefronts(int R, int C, int depth, long long m, long long n, long long k);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// C = A B, with A of m x k and B of k x n elements.
class Problem {
 public:
  Problem(int m, int n, int k)
      : m_(m),
        n_(n),
        k_(k),
        A_(course::exact_vector(size(m) * size(k), size(k), 1)),
        B_(course::exact_vector(size(k) * size(n), size(k), 2)),
        device_A_(A_),
        device_B_(B_),
        device_C_(size(m) * size(n)) {}

  void run() {
    device_C_.poison();
    launch_product(device_A_.data(), device_B_.data(), device_C_.data(), m_, n_, k_);
  }

  void expect_right() const {
    const std::string where =
        "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) + ", k = " + std::to_string(k_);
    std::vector<double> expected(size(m_) * size(n_));
    for (std::size_t i = 0; i < size(m_); ++i) {
      for (std::size_t p = 0; p < size(k_); ++p) {
        const double a = A_[i * size(k_) + p];
        for (std::size_t j = 0; j < size(n_); ++j) {
          expected[i * size(n_) + j] += a * double{B_[p * size(n_) + j]};
        }
      }
    }
    exercise::expect_exact(device_C_.to_host(), expected, size(m_), size(n_), where);
    exercise::expect_intact(device_C_.intact(), "C", where);
  }

 private:
  static std::size_t size(int extent) { return static_cast<std::size_t>(extent); }

  int m_;
  int n_;
  int k_;
  std::vector<float> A_;
  std::vector<float> B_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
  exercise::Array<float> device_C_;
};

void check(int m, int n, int k) {
  Problem problem(m, n, k);
  exercise::run([&] { problem.run(); }, exercise::kernels_for(k));
  problem.expect_right();
}

struct Tiles {
  int R;
  int C;
  int depth;
};

/// What was chosen, if it can be worked with.
Tiles your_tiles() {
  const Tiles tiles{chosen(0), chosen(1), chosen(2)};
  if (tiles.R < 1 || tiles.C < 1 || tiles.depth < 8 || tiles.depth % 8 != 0 || tiles.R > 64 ||
      tiles.C > 64 || tiles.depth > 256) {
    FAIL("R = ", tiles.R, ", C = ", tiles.C, ", depth = ", tiles.depth,
         ": R and C are 1 to 64, depth is a multiple of 8, up to 256");
  }
  return tiles;
}

std::string in_words(const Tiles& tiles) {
  return "R = " + std::to_string(tiles.R) + ", C = " + std::to_string(tiles.C) +
         ", depth = " + std::to_string(tiles.depth);
}

void expect_same(const char* what, long long yours, long long right, const Tiles& tiles,
                 const std::string& why) {
  if (yours == right) return;
  FAIL("with ", in_words(tiles), " your model has ", yours, " ", what, ". It is ", right, ". ",
       why);
}

const std::string read_again =
    "chapters/19_gemm_registers/README.md, 'The idea' and 'How much work per thread?'";

}  // namespace

TEST_CASE("correct: C = A B at any shape with the tiles of your choice") {
  const Tiles tiles = your_tiles();
  check(16 * tiles.R, 16 * tiles.C, tiles.depth);
  for (const auto& [m, n, k] :
       {std::array{1, 1, 1},
        {33, 70, 31},
        {150, 5, 65},
        {5, 150, 17},
        {63, 65, 100},
        {exercise::drawn(45, 34, 90), exercise::drawn(70, 34, 90), exercise::drawn(50, 34, 90)},
        {40, 70, 0}}) {
    check(m, n, k);
  }
}

TEST_CASE("correct: the model holds for tiles of all kinds") {
  check(40, 50, 60);
  const Tiles another{exercise::drawn(7, 9, 15), exercise::drawn(9, 4, 15),
                      8 * exercise::drawn(5, 5, 7)};
  for (const Tiles& tiles : {Tiles{1, 1, 8},
                             {4, 4, 16},
                             {8, 8, 16},
                             {16, 8, 8},
                             {2, 6, 24},
                             {8, 8, 32},
                             {3, 5, 64},
                             another}) {
    const auto [R, C, depth] = tiles;
    const long long rows_of_blocks = exercise::drawn(3, 4, 9);
    const long long m = 16LL * R * rows_of_blocks;
    const long long n = 16LL * C * 2;
    const long long k = depth * 5LL;
    const long long blocks = rows_of_blocks * 2;
    expect_same("numbers of a thread", numbers_held(R, C), R * C + R + C, tiles,
                "They are its sums, and R numbers of A and C of B, which it multiplies at a step.");
    expect_same("bytes of shared memory", shared_bytes(R, C, depth), 64LL * (R + C) * depth, tiles,
                "A's tile has 16 R rows of `depth` floats, B's tile `depth` rows of 16 C.");
    expect_same("sectors", load_sectors(R, C, m, n, k), blocks * k * 2 * (R + C), tiles,
                "A block loads 16 R numbers of A and 16 C of B at each step of k. A sector has 8.");
    const long long a = depth % 32 == 0 ? 2 : 1;
    expect_same("wavefronts", wavefronts(R, C, depth, m, n, k),
                blocks * (k * (R + C) / 2 + 8 * k * (a * R + C)), tiles,
                "A block stores 16 (R + C) numbers a step, 32 in a wavefront. Each of its 8 warps "
                "loads R + C at each step. A load of A is two words, `depth` floats apart: are "
                "they in different banks?");
  }
}

TEST_CASE("safe: nothing outside the matrices and the tiles is touched") {
  for (const auto& [m, n, k] : {std::array{64, 64, 32}, {3, 5, 25}, {130, 131, 40}}) {
    check(m, n, k);
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: the model says what the emulator counts") {
  const Tiles tiles = your_tiles();
  const int m = 2 * 16 * tiles.R;
  const int n = 2 * 16 * tiles.C;
  const int k = exercise::drawn(3, 4, 6) * tiles.depth;
  Problem problem(m, n, k);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip("sectors and wavefronts are counted on the emulator only");
    return;
  }
  const auto [R, C, depth] = tiles;
  const std::string why = "That is what the emulator counts for your kernel.";
  expect_same("sectors", load_sectors(R, C, m, n, k),
              static_cast<long long>(run.count(Counter::global_load_sectors)), tiles, why);
  expect_same("wavefronts", wavefronts(R, C, depth, m, n, k),
              static_cast<long long>(run.count(Counter::shared_wavefronts)), tiles, why);
}

TEST_CASE("efficient: many multiply-adds for a wavefront within registers and shared memory") {
  const Tiles tiles = your_tiles();
  const auto [R, C, depth] = tiles;
  const int m = 2 * 16 * R;  // whole tiles: what is wasted at an edge is not of their shape
  const int n = 2 * 16 * C;
  const int k = exercise::drawn(6, 5, 9) * depth;
  Problem problem(m, n, k);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (R * C + R + C > 96) {
    FAIL("with ", in_words(tiles), " a thread holds ", R * C + R + C,
         " numbers. 96 are allowed: with 32 more registers for everything else, two blocks of 256 "
         "threads fit on a multiprocessor");
  }
  if (64LL * (R + C) * depth > 16384) {
    FAIL("with ", in_words(tiles), " a block has ", 64LL * (R + C) * depth,
         " bytes of shared memory. 16,384 are allowed");
  }
  if (!course::on_emulator) {
    exercise::skip("wavefronts and barriers are counted on the emulator only");
    return;
  }
  expect_same("sectors", load_sectors(R, C, m, n, k),
              static_cast<long long>(run.count(Counter::global_load_sectors)), tiles,
              "chosen() is to say which tiles your kernel has.");
  const std::uint64_t multiply_adds = std::uint64_t{1} * m * n * k / 32;  // of warps
  exercise::expect_at_most(
      run, {.counter = Counter::shared_wavefronts,
            .limit = multiply_adds * 27 / 100,
            .model = multiply_adds / 4 + multiply_adds / 64,
            .naive = multiply_adds * 2 + multiply_adds / 8,
            .why = "A step takes R + C wavefronts of a warp for R C multiply-adds, and the stores "
                   "a little. What makes (R + C) / (R C) small, if R C + R + C is limited?",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::barriers,
            .limit = std::uint64_t{4} * 8 * k / 16 * 2,
            .model = std::uint64_t{4} * 8 * k / 16 * 2,
            .naive = std::uint64_t{256} * 8 * k / 8 * 2,
            .why = "Two barriers a tile: with 16 steps of k in a tile there are half as many as "
                   "with 8.",
            .read = read_again});
}
