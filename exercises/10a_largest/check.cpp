// The checks of exercise 10a. The function under test is in largest.cu.

#include <cmath>
#include <limits>

#include "checks/costs.hpp"
#include "checks/exercise.hpp"
#include "checks/launches.hpp"

void launch_largest(const float* x, int n, float* values, int* places, unsigned* ticket,
                    int* index);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr std::uint64_t block = 256;  // as in largest.cu
constexpr std::size_t most_blocks = 64;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Where a thread, a warp, a block, a grid's stride end; and primes.
const int other_size =
    exercise::drawn(700, 258, 5000);  // another one each time that work is graded
const std::vector<int> sizes = {1,    2,    3,    4,    5,    31,   32,    33,    127,       257,
                                1021, 1024, 1027, 4096, 4097, 9001, 16411, 32771, other_size};

/// An array, and the place of the first of its largest numbers.
class Problem {
 public:
  explicit Problem(std::vector<float> x)
      : x_(std::move(x)),
        device_x_(x_),
        values_(most_blocks),
        places_(most_blocks),
        ticket_(std::vector<unsigned>{0}),
        index_(1) {}

  void run() {
    values_.poison();
    places_.poison();
    index_.poison();
    launch_largest(device_x_.data(), static_cast<int>(x_.size()), values_.data(), places_.data(),
                   ticket_.data(), index_.data());
  }

  void expect_right(const std::string& data) const {
    const int got = index_.to_host()[0];
    const std::string where = "with n = " + std::to_string(x_.size()) + " (" + data + ") ";
    if (got != expected()) FAIL(where, what_is_wrong(got));
    exercise::expect_intact(index_.intact() && values_.intact() && places_.intact(),
                            "index, values or places", where);
  }

  void expect_ticket_back() const {
    const unsigned left = ticket_.to_host()[0];
    if (left != 0) {
      FAIL("after a launch *ticket is ", left,
           ", and the next launch counts from there. The last block must leave it 0: atomicInc() "
           "can do both.");
    }
  }

 private:
  int expected() const {
    int best = static_cast<int>(x_.size());
    for (int i = 0; i < static_cast<int>(x_.size()); ++i) {
      const bool any = best < static_cast<int>(x_.size());
      if (!std::isnan(value(i)) && (!any || value(i) > value(best))) best = i;
    }
    return best;
  }

  float value(int i) const { return x_[static_cast<std::size_t>(i)]; }

  std::string element(int i) const {
    return "x[" + std::to_string(i) + "] = " + std::to_string(value(i));
  }

  std::string what_is_wrong(int got) const {
    const int n = static_cast<int>(x_.size());
    const int best = expected();
    std::string text = best == n ? "there is no number, so *index should be n = "
                                 : "the first of the largest is " + element(best);
    if (best == n) text += std::to_string(n);
    if (got == -1) return text + ", but *index was never written";
    text += ", but *index is " + std::to_string(got);
    if (got == n) return text + ", n: as if there were no number at all";
    if (got < 0 || got > n) return text + ", which is not an index of x";
    if (std::isnan(value(got))) return text + ", where x is NaN";
    if (best < n && value(got) == value(best)) {
      return text +
             ", where x is equally large, but it is not the first. Which of two equals wins must "
             "not depend on the threads that hold them";
    }
    return text + ", where x is only " + std::to_string(value(got));
  }

  std::vector<float> x_;
  exercise::Array<float> device_x_;
  exercise::Array<float> values_;
  exercise::Array<int> places_;
  exercise::Array<unsigned> ticket_;
  exercise::Array<int> index_;
};

void check(std::vector<float> x, const std::string& data) {
  Problem problem(std::move(x));
  exercise::run([&] { problem.run(); });
  problem.expect_right(data);
}

/// Small whole numbers, the last of which, 100, is the only one of its kind: at this place.
std::vector<float> largest_at(int n, int place) {
  std::vector<float> x = course::exact_vector(static_cast<std::size_t>(n), 7);
  x[static_cast<std::size_t>(place)] = 100.0F;
  return x;
}

const std::string read_again = "chapters/10_reduction/README.md, 'The kernels'";

void say_why_no_gpu() {
  exercise::skip("counted on the emulator; a GPU would count the same, but it does not report it");
}

/// The grid of the kernel: how many blocks, of how many warps each, is for the student to choose.
struct Grid {
  std::uint64_t blocks;
  std::uint64_t warps;
};
#ifdef CUDA_EMULATOR
Grid grid_of(const exercise::Run& run) {
  for (const emulator::LaunchRecord& launch : run.launches().records) {
    if (launch.grid.x != 0) return {launch.grid.x, (launch.block.x + 31) / 32};
  }
  return {};
}
#else
Grid grid_of(const exercise::Run&) {
  return {};
}
#endif

}  // namespace

TEST_CASE("correct: the largest at any place and any size") {
  for (const int n : sizes) {
    for (const int place : {0, n / 3, n / 2, n - 1}) {
      check(largest_at(n, place), "the largest is at " + std::to_string(place));
    }
  }
  check(largest_at(262147, 262144), "more rounds than four, the largest after the last float4");
  check({}, "no element");
}

TEST_CASE("correct: the first of equals") {
  for (const int n : sizes) {
    const auto count = static_cast<std::size_t>(n);
    check(std::vector<float>(count, 1.0F), "all equal");
    check(course::exact_vector(count, 3), "small whole numbers, many of them equal");
    std::vector<float> zeros(count, -1.0F);  // 0 and -0 are equal
    zeros[count - 1] = 0.0F;
    zeros[count / 2] = -0.0F;
    check(zeros, "the largest are -0 and, later, 0");
  }
}

TEST_CASE("correct: NaN never wins and minus infinity may") {
  for (const int n : sizes) {
    const auto count = static_cast<std::size_t>(n);
    std::vector<float> x(count, not_a_number);
    check(x, "nothing but NaN");
    x[count - 1] = -infinity;
    check(x, "NaN, and minus infinity at the end");
    for (std::size_t i = 0; i < count; i += 2) x[i] = -3.0F;
    check(x, "-3 at even places");
    check(std::vector<float>(count, -infinity), "nothing but minus infinity");
  }
}

TEST_CASE("safe: one launch after another and nothing touched outside the arrays") {
  for (const int n : {1, 7, 1027, 9001, 32771}) {
    Problem problem(largest_at(n, n / 2));
    for (int launch = 0; launch < 3; ++launch) {
      exercise::run([&] { problem.run(); });
      problem.expect_right("launch " + std::to_string(launch + 1) + " of 3");
      problem.expect_ticket_back();
    }
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: sixteen bytes per load and one ticket per block") {
  const auto blocks = static_cast<std::uint64_t>(exercise::drawn(8, 9, 12));
  const std::uint64_t n = blocks * block * 16;
  Problem problem(largest_at(static_cast<int>(n), 12345));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right("whole rounds");
  if (!course::on_emulator) return say_why_no_gpu();
  // Of the last block, two loads for what the blocks have found; a ticket is a load as well.
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = n / 128 + 4 * grid_of(run).blocks,
            .model = n / 128 + 2 + blocks,
            .naive = n / 32 + 2 + blocks,
            .why = "A warp that loads float4 gets 128 elements by one request. The limit leaves "
                   "three requests a block for what the blocks have found.",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = n / 8 + 4 * grid_of(run).blocks + 16,
            .model = n / 8 + 2 + blocks,
            .naive = n / 4,
            .why = "A float4 is half a sector: the lane beside has to load the other half, and not "
                   "the same lane a step later.",
            .read = read_again});
  exercise::expect_at_most(run, {.counter = Counter::global_atomic_requests,
                                 .limit = grid_of(run).blocks,
                                 .model = blocks,
                                 .naive = blocks * block / 32,
                                 .why = "One thread draws a ticket for its block.",
                                 .read = read_again});
  exercise::expect_grids(run, 1, 1);
}

TEST_CASE("efficient: a warp needs no barrier for itself") {
  const auto blocks = static_cast<std::uint64_t>(exercise::drawn(8, 9, 12));
  constexpr std::uint64_t warps = block / 32;
  Problem problem(largest_at(static_cast<int>(blocks * block * 16), 54));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right("whole rounds");
  if (!course::on_emulator) return say_why_no_gpu();
  exercise::expect_at_most(
      run, {.counter = Counter::barriers,
            .limit = grid_of(run).warps * (3 * grid_of(run).blocks + 1),
            .model = blocks * warps * 2 + warps,
            .naive = blocks * warps * 10 + warps * 9,  // a tree in shared memory: 8 steps
            .why = "A barrier when the warps' results are in shared memory, one when the last "
                   "block is known; the last block has one more. The limit leaves each warp one "
                   "more. Within a warp shuffles need none.",
            .read = read_again});
}
