// The checks of exercise 04a. The function under test is in neighbours.cu.

#include <bit>
#include <limits>

#include "checks/exercise.hpp"

void launch_neighbours(const float2* p, const float2* q, float r, int* count, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int block = 128;  // as in neighbours.cu
constexpr int tile = 256;

/// m and n points with whole-number coordinates: their distances, squared, are exact.
class Problem {
 public:
  Problem(int m, int n, float r)
      : m_(m),
        n_(n),
        r_(r),
        p_(make_points(m, 1)),
        q_(make_points(n, 2)),
        device_p_(p_),
        device_q_(q_),
        device_count_(size(m)) {}

  void run() {
    device_count_.poison();
    launch_neighbours(device_p_.data(), device_q_.data(), r_, device_count_.data(), m_, n_);
  }

  void expect_right() const {
    std::vector<double> expected(size(m_), 0.0);
    for (std::size_t i = 0; i < size(m_); ++i) {
      for (const float2 other : q_) {
        const double dx = double{other.x} - double{p_[i].x};
        const double dy = double{other.y} - double{p_[i].y};
        if (dx * dx + dy * dy < double{r_} * double{r_}) expected[i] += 1.0;
      }
    }
    // As floats, since these can say "never written"; they hold every count there is here.
    std::vector<float> got;
    for (const int count : device_count_.to_host()) {
      const bool never_written = std::bit_cast<std::uint32_t>(count) == 0xFFFFFFFFU;
      got.push_back(never_written ? std::bit_cast<float>(count) : static_cast<float>(count));
    }
    exercise::expect_exact(got, expected, where());
    exercise::expect_intact(device_count_.intact(), "count", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  /// Coordinates from -15 to 15 without a pattern.
  static std::vector<float2> make_points(int count, std::uint64_t seed) {
    const course::ExactValues values(1, seed);
    std::vector<float2> result(size(count));
    for (std::uint64_t k = 0; k < result.size(); ++k) result[k] = {values(k, 0), values(k, 1)};
    return result;
  }

  /// The sizes, and how they divide: that is where tiles go wrong.
  std::string where() const {
    const int whole = n_ / tile;
    const int rest = n_ % tile;
    std::string text = "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
                       ", r = " + std::to_string(static_cast<int>(r_)) + " (";
    text += whole == 0 && rest > 0 ? "no whole tile of q"
                                   : "whole tiles of q: " + std::to_string(whole);
    if (rest != 0) text += ", and a last one with " + std::to_string(rest) + " of 256 points";
    if (m_ % block != 0) {
      text += "; threads without a point of p: " + std::to_string(block - m_ % block);
    }
    return text + ")";
  }

  int m_;
  int n_;
  float r_;
  std::vector<float2> p_;
  std::vector<float2> q_;
  exercise::Array<float2> device_p_;
  exercise::Array<float2> device_q_;
  exercise::Array<int> device_count_;
};

const std::string read_again = "chapters/04_shared/README.md, 'The idea' and 'The kernel'";

/// What the two efficient cases count: whole blocks and whole tiles.
constexpr std::uint64_t blocks = 2;
const auto tiles = static_cast<std::uint64_t>(exercise::drawn(3, 4, 5));
constexpr std::uint64_t warps = blocks * block / 32;
const std::uint64_t points = tiles * tile;  // of q

void say_why_no_gpu() {
  exercise::skip(
      "Not compared on a GPU: there the level-1 cache, as close as shared memory, holds what is "
      "read again, and the time hardly differs. The emulator counts.");
}

}  // namespace

TEST_CASE("correct: every count at awkward sizes") {
  const std::vector<std::pair<int, int>> around_a_tile{
      {128, 256}, {128, 512}, {60, 255}, {130, 257}, {300, 513}, {1, 700}, {40, 130}};
  for (const auto& shapes : {around_a_tile, exercise::awkward_shapes}) {
    for (const auto& [m, n] : shapes) {
      Problem problem(m, n, 13.0F);  // 5, 12, 13: some points are exactly r away
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
  }
}

TEST_CASE("correct: empty shapes") {
  for (const int m : {200, 1}) {  // no q: every count is 0
    Problem problem(m, 0, 13.0F);
    exercise::run([&] { problem.run(); }, exercise::kernels_for(0));
    problem.expect_right();
  }
  Problem problem(0, 300, 13.0F);  // no p: nothing to launch
  problem.run();
  CUDA_CHECK(cudaDeviceSynchronize());
}

TEST_CASE("safe: no race and nothing outside the arrays is touched") {
  for (const auto& [m, n] : {std::pair{1, 1}, {100, 600}, {128, 512}, {257, 300}}) {
    Problem problem(m, n, 9.0F);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: a block loads each point of q once") {
  Problem problem(blocks * block, static_cast<int>(points), 13.0F);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) return say_why_no_gpu();
  // A request loads 32 points. Each warp loads its 32 points of p; each block loads all of q.
  constexpr std::uint64_t for_p = warps;
  const std::uint64_t for_q = blocks * points / 32;
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = 2 * (for_p + for_q),  // x and y one after the other: two requests a point
            .model = for_p + for_q,
            .naive = for_p + warps * points,  // each warp asks for each point
            .why = "The threads of a block load a tile of q together, each its share, so a request "
                   "brings 32 points, and each point comes once per block. The limit is twice the "
                   "model's figure: x and y may be loaded one after the other.",
            .read = read_again});
  // 8 bytes a point, which the block loads once, and not each warp by wider loads.
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = 2 * 8 * (for_p + for_q),
                                 .model = 8 * (for_p + for_q),
                                 .naive = 8 * for_p + warps * points,
                                 .why = "32 points are 8 sectors, and each point of q comes once "
                                        "per block. The limit is twice the model's figure: x and y "
                                        "may be loaded one after the other.",
                                 .read = read_again});
}

TEST_CASE("efficient: two barriers per tile") {
  Problem problem(blocks * block, static_cast<int>(points), 13.0F);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) return say_why_no_gpu();
  exercise::expect_at_most(run, {.counter = Counter::barriers,
                                 .limit = warps * (2 * tiles + 1),
                                 .model = warps * 2 * tiles,
                                 .naive = 0,
                                 .why = "One barrier when the tile is complete, one when all have "
                                        "used it: two a tile of 256, for each warp. The limit "
                                        "leaves one more for each warp.",
                                 .read = read_again});
}
