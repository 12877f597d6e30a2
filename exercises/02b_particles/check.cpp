// The checks of exercise 02b. The functions under test are in particles.cu and naive.cu.

#include "checks/exercise.hpp"

std::size_t place(int particle, int field, int n);
void launch_fly(float* particles, float t, int n);
void launch_naive(float* particles, float t, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int fields = 8;
constexpr float t = 2.0F;

/// n particles, as a table of n rows and 8 columns, and on the device as place() has them.
class Problem {
 public:
  explicit Problem(int n) : n_(n), table_(make_table()), device_(laid_out()) {}

  exercise::Run run() {
    INFO(where());
    return exercise::run([&] { call(); });
  }

  /// The launch alone: for timing, when on and on they fly, and for no particles.
  void call() { launch_fly(device_.data(), t, n_); }

  void expect_right() const {
    std::vector<double> expected(table_.begin(), table_.end());
    for (std::size_t p = 0; p < size(n_); ++p) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        expected[p * fields + axis] += double{t} * expected[p * fields + 3 + axis];
      }
    }
    const std::vector<float> flown = device_.to_host();
    std::vector<float> got;
    got.reserve(flown.size());
    for (int p = 0; p < n_; ++p) {
      for (int field = 0; field < fields; ++field) got.push_back(flown[place(p, field, n_)]);
    }
    INFO(one_too_many(got, expected));
    exercise::expect_exact(got, expected, size(n_), fields,
                           where() +
                               ", a row for each particle, its columns 0 to 7 being X Y Z VX VY VZ "
                               "MASS CHARGE");
    exercise::expect_intact(device_.intact(), "particles", where());
  }

  /// Particle after particle, as an array of structures has them.
  const std::vector<float>& table() const { return table_; }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  std::string where() const { return "n = " + std::to_string(n_); }

  /// What to say where only particle 0 is wrong, and a particle n would be on top of it.
  std::string one_too_many(const std::vector<float>& got,
                           const std::vector<double>& expected) const {
    const auto is_wrong = [&](std::size_t k) { return double{got[k]} != expected[k]; };
    for (std::size_t k = fields; k < got.size(); ++k) {
      if (is_wrong(k)) return "the layout that place() makes";
    }
    if (n_ == 0 || place(n_, 0, n_) != place(0, 1, n_)) return "the layout that place() makes";
    return "a layout in which the X of a particle n, which does not exist, is the Y of particle 0: "
           "does a thread move it?";
  }

  std::vector<float> make_table() const {
    std::vector<float> table(size(n_) * fields);
    course::fill_matrix(table.data(), size(n_), fields, course::Layout::row_major,
                        course::ExactValues(1));
    return table;
  }

  /// The table as place() has it, which must give every number a place of its own.
  std::vector<float> laid_out() const {
    std::vector<float> values(table_.size());
    std::vector<bool> taken(table_.size(), false);
    for (int p = 0; p < n_; ++p) {
      for (int field = 0; field < fields; ++field) {
        const std::size_t at = place(p, field, n_);
        const std::string call = "place(" + std::to_string(p) + ", " + std::to_string(field) +
                                 ", " + std::to_string(n_) + ") is " + std::to_string(at);
        if (at >= values.size()) {
          FAIL(call << ", but the array has " << values.size() << " elements");
        }
        if (taken[at]) FAIL(call << ", where another number already is");
        taken[at] = true;
        values[at] = table_[size(p) * fields + size(field)];
      }
    }
    return values;
  }

  int n_;
  std::vector<float> table_;
  exercise::Array<float> device_;
};

}  // namespace

TEST_CASE("correct: every particle flies and nothing else changes") {
  for (const int n : exercise::awkward_sizes) {
    Problem problem(n);
    problem.run();
    problem.expect_right();
  }
}

TEST_CASE("correct: no particles") {
  Problem none(0);
  none.call();
  CUDA_CHECK(cudaDeviceSynchronize());
  none.expect_right();
  Problem one(1);
  one.run();
  one.expect_right();
}

TEST_CASE("safe: nothing outside the array is touched") {
  for (const int n : {1, 127, 200, 1000}) {
    Problem problem(n);
    problem.run();
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: the lanes of a warp find neighbours") {
  const int n =
      course::on_emulator ? 32 * exercise::drawn(128, 130, 150) : 1 << 22;  // a GPU wants more work
  const auto warps = static_cast<std::uint64_t>(n) / 32;
  const std::string read = "chapters/02_coalesced/README.md, 'The idea'";
  const std::string causes =
      " Two functions decide where the lanes of a warp meet: fly() gives each thread its particle, "
      "and place() says where that particle's numbers are. Work out by hand where X is for lanes 0 "
      "and 1 of block 0; only if both functions are mended are these neighbours.";
  Problem problem(n);
  const exercise::Run run = problem.run();
  problem.expect_right();
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = warps * 6 * 4,  // three places and three velocities
                                 .model = warps * 6 * 4,
                                 .naive = warps * 6 * 32,
                                 .why = "32 floats that are neighbours fill 4 sectors, and a warp "
                                        "has six of these to load. The limit leaves no slack." +
                                        causes,
                                 .read = read});
  exercise::expect_at_most(run, {.counter = Counter::global_store_sectors,
                                 .limit = warps * 3 * 4,
                                 .model = warps * 3 * 4,
                                 .naive = warps * 3 * 32,
                                 .why = "32 floats that are neighbours fill 4 sectors, and a warp "
                                        "has three of these to store. The limit leaves no slack." +
                                        causes,
                                 .read = read});
  exercise::Array<float> structures(problem.table());
  exercise::expect_faster([&] { launch_naive(structures.data(), t, n); }, [&] { problem.call(); },
                          1.5, read);
}
