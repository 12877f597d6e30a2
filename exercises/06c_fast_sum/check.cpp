// The checks of exercise 06c. The functions under test are in fast_sum.cu and naive.cu.

#include <algorithm>
#include <cstdio>

#include "checks/costs.hpp"
#include "checks/exercise.hpp"
#include "checks/launches.hpp"

void launch_fast_sum(const float* A, int lda, float* s, int m, int n);
void launch_naive(const float* A, int lda, float* s, int m, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

const std::string read_again = "chapters/06_unroll/README.md, 'The idea' and 'The kernels'";

/// The column sums of a matrix whose rows are lda elements apart, with NaN in between. Behind the
/// last row comes nothing.
class Problem {
 public:
  Problem(int m, int n, int gap)
      : m_(m), n_(n), lda_(n + gap), A_(make_matrix()), device_A_(A_), device_s_(size(n)) {}

  template <class Launch>
  void run(Launch launch) {
    device_s_.poison();
    call(launch);
  }

  /// The launch alone, for timing.
  template <class Launch>
  void call(Launch launch) {
    launch(device_A_.data(), lda_, device_s_.data(), m_, n_);
  }

  void expect_right() const {
    std::vector<double> expected(size(n_));
    for (std::size_t i = 0; i < size(m_); ++i) {
      for (std::size_t j = 0; j < size(n_); ++j) expected[j] += double{A_[i * size(lda_) + j]};
    }
    exercise::expect_exact(device_s_.to_host(), expected, where());
    exercise::expect_intact(device_s_.intact(), "s", where());
  }

  std::string where() const {
    return "m = " + std::to_string(m_) + ", n = " + std::to_string(n_) +
           ", lda = " + std::to_string(lda_);
  }

  /// The sectors that the model solution loads: of each row 32 neighbouring columns at a time, and
  /// one atomic addition for each column and 256 rows.
  std::uint64_t model_sectors() const {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < size(n_); j += 32) {
      const std::size_t count = std::min<std::size_t>(32, size(n_) - j);
      for (std::size_t i = 0; i < size(m_); ++i) sum += sectors(i * size(lda_) + j, count);
      sum += bands() * sectors(j, count);
    }
    return sum;
  }

  /// Its load requests, an atomic addition being one of them; and its warps.
  std::uint64_t model_requests() const { return groups() * (size(m_) + bands()); }
  std::uint64_t model_warps() const { return groups() * bands() * 8; }

  /// What one thread per row asks for: at each step 32 elements in 32 rows, and 32 additions to the
  /// same element.
  std::uint64_t naive_sectors() const { return 2 * size(m_) * size(n_); }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  static std::uint64_t sectors(std::size_t first, std::size_t count) {
    return (first + count - 1) / 8 - first / 8 + 1;  // 8 floats in each
  }
  std::uint64_t groups() const { return (size(n_) + 31) / 32; }
  std::uint64_t bands() const { return (size(m_) + 255) / 256; }

  std::vector<float> make_matrix() const {
    std::vector<float> A = exercise::matrix_with_gaps(size(m_), size(n_), size(lda_), size(m_));
    if (m_ > 0) A.resize(A.size() - size(lda_ - n_));
    return A;
  }

  int m_;
  int n_;
  int lda_;
  std::vector<float> A_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_s_;
};

void check(int m, int n, int gap) {
  Problem problem(m, n, gap);
  if (m == 0 || n == 0) {  // a kernel may be launched, or none
    problem.run(launch_fast_sum);
    CUDA_CHECK(cudaDeviceSynchronize());
  } else {
    exercise::run([&] { problem.run(launch_fast_sum); });
  }
  problem.expect_right();
}

/// A wide matrix and a tall one. On a GPU they are large enough to be measured.
Problem wide() {
  return course::on_emulator ? Problem(64, exercise::drawn(1537, 1540, 1700), 6)
                             : Problem(4096, 16385, 6);
}
Problem tall() {
  return course::on_emulator ? Problem(exercise::drawn(2048, 2060, 2200), 37, 4)
                             : Problem(262144, 37, 4);
}

/// Fails if more sectors are loaded than the model solution's, times `quarters` / 4.
void expect_sectors(const Problem& problem, const exercise::Run& run, std::uint64_t quarters,
                    const std::string& why) {
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = problem.model_sectors() * quarters / 4,
                                 .model = problem.model_sectors(),
                                 .naive = problem.naive_sectors(),
                                 .why = why + " (" + problem.where() + ")",
                                 .read = read_again});
}

#ifdef CUDA_EMULATOR

/// The warps that share the work, of all kernels that load anything: one that does hands on what it
/// has found, by a store or an atomic.
std::uint64_t warps_of(const exercise::Run& run) {
  std::uint64_t warps = 0;
  for (const emulator::LaunchRecord& launch : run.launches().records) {
    if (launch.traffic.global_load_requests == 0) continue;
    const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
    warps += (threads + 31) / 32 * launch.grid.x * launch.grid.y * launch.grid.z;
  }
  return std::min(warps, run.count(Counter::global_store_requests) +
                             run.count(Counter::shared_store_instructions));
}

/// "32.1"
std::string mean(std::uint64_t requests, std::uint64_t warps) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f",
                static_cast<double>(requests) / static_cast<double>(warps));
  return text;
}

/// Fails if a warp makes more load requests than `limit`, on average.
void expect_requests_per_warp(const Problem& problem, const exercise::Run& run,
                              std::uint64_t limit) {
  const std::uint64_t requests = run.count(Counter::global_load_requests);
  const std::uint64_t warps = warps_of(run);
  const std::string model = mean(problem.model_requests(), problem.model_warps());
  if (exercise::detail::is_set("COURSE_CHECK_MODEL") &&
      (requests != problem.model_requests() || warps != problem.model_warps())) {
    FAIL("the check says that the model solution makes ", problem.model_requests(), " requests by ",
         problem.model_warps(), " warps, and ", requests, " by ", warps, " were counted");
  }
  if (requests <= limit * warps) return;
  using exercise::detail::grouped;
  FAIL("load requests per warp: ", mean(requests, warps), " on average, ", grouped(requests),
       " by ", grouped(warps), " warps, and at most ", limit, " pass (the model solution: ", model,
       "), with ", problem.where(),
       "\nA warp waits for its loads, a few at a time. During such a long chain of loads, one "
       "after the other, memory idles. The matrix has few columns and many rows: which other "
       "threads could take some of these rows?\nread again: ",
       read_again);
}

#else

void expect_requests_per_warp(const Problem&, const exercise::Run&, std::uint64_t) {}

#endif

}  // namespace

TEST_CASE("correct: every bit at awkward shapes and empty ones") {
  for (const auto& [m, n] : exercise::awkward_shapes) {
    for (const int gap : {0, 1, 6}) check(m, n, gap);
  }
  for (const auto& [m, n] : {std::pair{0, 1}, {0, 300}, {5, 0}, {0, 0}}) check(m, n, 3);
}

TEST_CASE("safe: no race and nothing outside the arrays is touched") {
  for (const auto& [m, n] : {std::pair{1, 1}, {3, 33}, {33, 31}, {300, 7}, {700, 65}}) {
    for (const int gap : {0, 5}) {
      check(m, n, gap);
      exercise::expect_no_findings();
    }
  }
}

TEST_CASE("efficient: the first step") {
  const std::string why =
      "The lanes of a warp should ask for neighbours, and a column's sum should stay in a register "
      "until it is complete, or nearly. Up to 1.5 times the model solution's sectors pass.";
  for (const bool is_wide : {true, false}) {
    Problem problem = is_wide ? wide() : tall();
    const exercise::Run run = exercise::run([&] { problem.run(launch_fast_sum); });
    problem.expect_right();
    expect_sectors(problem, run, 6, why);
  }
  Problem problem = wide();
  exercise::expect_faster([&] { problem.call(launch_naive); },
                          [&] { problem.call(launch_fast_sum); }, 5.0, read_again);
}

TEST_CASE("efficient: the second step") {
  const std::string why =
      "Each element is loaded once, with its neighbours, and little else. Up to 1.25 times the "
      "model solution's sectors pass.";
  for (const bool is_wide : {true, false}) {
    Problem problem = is_wide ? wide() : tall();
    const exercise::Run run = exercise::run([&] { problem.run(launch_fast_sum); });
    problem.expect_right();
    expect_sectors(problem, run, 5, why);
    if (is_wide) continue;
    expect_requests_per_warp(problem, run, 64);
    exercise::expect_loads_of_a_warp(run, 128, problem.where());
  }
  Problem problem = tall();
  exercise::expect_faster([&] { problem.call(launch_naive); },
                          [&] { problem.call(launch_fast_sum); }, 20.0, read_again);
}
