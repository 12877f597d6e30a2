// The checks of exercise 05b. The functions under test are in chosen_rows.cu and naive.cu.

#include "checks/exercise.hpp"

void launch_chosen_rows(const float* A, const float* x, const int* chosen, float* y, int m, int n);
void launch_naive(const float* A, const float* x, const int* chosen, float* y, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// Which rows are chosen.
enum class RowSelection {
  all,
  none,
  some,      ///< about half of them, without a pattern
  by_warps,  ///< of 64 rows none of the first 32, and about half of the others
};

const char* in_words(RowSelection choice) {
  switch (choice) {
    case RowSelection::all:
      return "all rows chosen";
    case RowSelection::none:
      return "no row chosen";
    case RowSelection::some:
      return "some rows chosen";
    case RowSelection::by_warps:
      return "rows chosen in every second warp only";
  }
  return "?";
}

/// y = A x in the chosen rows and 0 in the others, with A column after column.
class Problem {
 public:
  Problem(int m, int n, RowSelection choice)
      : m_(m),
        n_(n),
        choice_(choice),
        A_(size(m) * size(n)),
        x_(course::exact_vector(size(n), size(n) + 1, 2)),
        chosen_(make_chosen()),
        device_A_(filled_matrix()),
        device_x_(x_),
        device_chosen_(chosen_),
        device_y_(size(m)) {}

  void run() {
    device_y_.poison();
    call(launch_chosen_rows);
  }

  /// The launch alone, for timing.
  template <class Launch>
  void call(Launch launch) {
    launch(device_A_.data(), device_x_.data(), device_chosen_.data(), device_y_.data(), m_, n_);
  }

  void expect_right() const {
    std::vector<double> expected(size(m_), 0.0);
    for (std::size_t j = 0; j < size(n_); ++j) {
      for (std::size_t i = 0; i < size(m_); ++i) {
        if (chosen_[i] != 0) expected[i] += double{A_[j * size(m_) + i]} * double{x_[j]};
      }
    }
    exercise::expect_exact(device_y_.to_host(), expected, where());
    exercise::expect_intact(device_y_.intact(), "y", where());
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  const std::vector<float>& filled_matrix() {
    course::fill_matrix(A_.data(), size(m_), size(n_), course::Layout::column_major,
                        course::ExactValues(size(n_) + 1));
    return A_;
  }

  std::vector<int> make_chosen() const {
    const course::RandomBits bits(3);
    std::vector<int> chosen(size(m_), 0);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const bool heads = bits(i) % 2 == 0;
      const bool is_chosen = choice_ == RowSelection::all ||
                             (choice_ == RowSelection::some && heads) ||
                             (choice_ == RowSelection::by_warps && heads && i % 64 >= 32);
      chosen[i] = is_chosen ? 1 : 0;
    }
    return chosen;
  }

  std::string where() const {
    std::string text =
        "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) + " (" + in_words(choice_);
    if (m_ % 32 != 0) text += "; rows in the last warp: " + std::to_string(m_ % 32);
    if (n_ % 32 != 0) text += "; columns in the last step: " + std::to_string(n_ % 32);
    return text + ")";
  }

  int m_;
  int n_;
  RowSelection choice_;
  std::vector<float> A_;
  std::vector<float> x_;
  std::vector<int> chosen_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_x_;
  exercise::Array<int> device_chosen_;
  exercise::Array<float> device_y_;
};

void expect_right(const std::vector<std::pair<int, int>>& shapes, RowSelection choice) {
  for (const auto& [m, n] : shapes) {
    Problem problem(m, n, choice);
    exercise::run([&] { problem.run(); }, exercise::kernels_for(n));
    problem.expect_right();
  }
}

}  // namespace

TEST_CASE("correct: whole warps with some rows chosen") {
  expect_right({{128, 32}, {32, 64}, {256, 96}}, RowSelection::some);
  expect_right({{128, 64}}, RowSelection::none);
}

TEST_CASE("correct: rows that do not fill a warp") {
  expect_right({{20, 32}, {1, 32}, {40, 64}, {127, 96}, {129, 32}, {300, 64}}, RowSelection::all);
}

TEST_CASE("correct: columns that do not fill a step") {
  expect_right({{128, 20}, {128, 33}, {32, 95}, {128, 1}, {64, 0}}, RowSelection::all);
  expect_right(exercise::awkward_shapes, RowSelection::some);
  Problem problem(0, 40, RowSelection::all);  // no rows: nothing to launch
  problem.run();
  CUDA_CHECK(cudaDeviceSynchronize());
}

TEST_CASE("safe: masks name the lanes that arrive and nothing outside the arrays is read") {
  for (const auto& [m, n] : {std::pair{128, 64}, {100, 64}, {128, 50}, {45, 67}}) {
    for (const RowSelection choice : {RowSelection::all, RowSelection::some}) {
      Problem problem(m, n, choice);
      // In some of them __activemask() finds a lane alone.
      exercise::in_every_order([&](const std::string&) {
        exercise::run([&] { problem.run(); });
        problem.expect_right();
      });
      exercise::expect_no_findings();
    }
  }
}

TEST_CASE("efficient: every loaded element of A is used and x comes by shuffles") {
  const bool big = !course::on_emulator;  // a GPU has more room, and wants more work
  constexpr std::uint64_t warps = 8;
  const auto steps = static_cast<std::uint64_t>(exercise::drawn(3, 4, 5));
  const int m = big ? 1 << 17 : 32 * static_cast<int>(warps);
  const int n = big ? 256 : 32 * static_cast<int>(steps);
  Problem problem(m, n, RowSelection::by_warps);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  const std::string read_again = "chapters/05_shuffle/README.md, 'The idea' and 'The kernel'";
  // Each warp asks for its part of `chosen` and, once a step, for 32 elements of x. In every second
  // warp there are chosen rows, and these need each of their elements of A.
  const std::uint64_t for_chosen_and_x = warps * (1 + steps);
  const std::uint64_t columns = 32 * steps;
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_requests,
       .limit = for_chosen_and_x + warps / 2 * columns + warps,
       .model = for_chosen_and_x + warps / 2 * columns,
       .naive = for_chosen_and_x + warps * columns,
       .why = "A warp without a chosen row loads nothing of A, and each warp loads 32 elements "
              "of x with one request a step. The naive version multiplies all rows. The limit "
              "leaves a warp one request more, say to read `chosen` twice.",
       .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::shared_load_instructions,
            .limit = 0,
            .model = 0,
            .naive = 0,
            .why = "A shuffle takes an element of x from register to register. Shared memory would "
                   "also do, but it is not this exercise.",
            .read = read_again});
  exercise::expect_faster([&] { problem.call(launch_naive); },
                          [&] { problem.call(launch_chosen_rows); }, 0.9, read_again);
}
