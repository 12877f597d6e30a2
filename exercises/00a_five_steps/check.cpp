// The checks of exercise 00a. The function under test is in five_steps.cu.

#include <algorithm>
#include <bit>
#include <limits>

#include "checks/exercise.hpp"
#include "verify.hpp"

void compute_changes(const float* series, float* changes, int n);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// A series in the host's memory and room for its changes. What is beside the two is poison, a
/// NaN, and so are the changes before they are computed.
class Problem {
 public:
  explicit Problem(int n) : n_(n), series_(size(n) + 2 * guard, poison), changes_(series_) {
    const std::vector<float> values = course::exact_vector(size(n), 1, 5);
    std::copy(values.begin(), values.end(), series_.begin() + guard);
    changes_.resize(count() + 2 * guard);
  }

  void call() {
    std::fill(changes_.begin(), changes_.end(), poison);
    compute_changes(series_.data() + guard, changes_.data() + guard, n_);
  }

  exercise::Run run() {
    return exercise::run([&] { call(); });
  }

  void expect_right() const {
    const std::string where = "n = " + std::to_string(n_);
    const auto begin = changes_.begin() + guard;
    const auto end = changes_.end() - guard;
    std::vector<double> expected(count());
    for (std::size_t i = 0; i < count(); ++i) {
      expected[i] = double{series_[guard + i + 1]} - double{series_[guard + i]};
    }
    exercise::expect_exact({begin, end}, expected, where);
    const auto untouched = [](float value) { return value != value; };
    exercise::expect_intact(std::all_of(changes_.begin(), begin, untouched) &&
                                std::all_of(end, changes_.end(), untouched),
                            "changes, which has one element less than series,", where);
  }

 private:
  static constexpr std::ptrdiff_t guard = 64;
  static inline const float poison = std::bit_cast<float>(course::poison_bits);

  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  std::size_t count() const { return n_ < 2 ? 0 : size(n_ - 1); }

  int n_;
  std::vector<float> series_;
  std::vector<float> changes_;
};

/// Whether the call ended with an error of CUDA's that somebody looked at.
bool reports_an_error(const float* series, float* changes, int n) {
  return exercise::ends_in_an_exception([&] { compute_changes(series, changes, n); });
}

std::size_t free_bytes() {
  std::size_t free_memory = 0;
  std::size_t all = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_memory, &all));
  return free_memory;
}

}  // namespace

TEST_CASE("correct: every change of series of awkward lengths") {
  // Around the blocks of n - 1 changes as well, and more than buffers of a fixed size may hold.
  std::vector<int> lengths{256, 258, 513, exercise::drawn(20011, 70001, 80001)};
  lengths.insert(lengths.end(), exercise::awkward_sizes.begin(), exercise::awkward_sizes.end());
  for (const int n : lengths) {
    if (n < 2) continue;  // has a case of its own
    Problem problem(n);
    problem.run();
    problem.expect_right();
  }
}

TEST_CASE("correct: no value and one value have no changes") {
  for (const int n : {0, 1}) {
    Problem problem(n);
    try {
      problem.call();
      CUDA_CHECK_LAUNCH();
    } catch (const course::Error& error) {
      FAIL("with n = " << n << ", where there is nothing to compute and nothing to launch:\n"
                       << std::string(error.what()));
    }
    problem.expect_right();
  }
  Problem two(2);
  exercise::run([&] { two.call(); }, exercise::Kernels::expected, "n = 2, the first with a change");
  two.expect_right();
}

TEST_CASE("correct: a copy that fails is reported") {
  // nullptr is not memory to copy from, or to: cudaMemcpy() says so.
  std::vector<float> values(100, 1.0F);
  if (!reports_an_error(nullptr, values.data(), 100)) {
    FAIL(
        "series was nullptr, so the copy to the device failed; but compute_changes() returned as "
        "if all were well. CUDA_CHECK(...) around each call throws when the call fails.");
  }
  if (!reports_an_error(values.data(), nullptr, 100)) {
    FAIL(
        "changes was nullptr, so the copy back to the host failed; but compute_changes() returned "
        "as if all were well. CUDA_CHECK(...) around each call throws when the call fails.");
  }
  Problem problem(100);  // and now with memory
  if (const std::string failed = exercise::unnoticed_failure([&] { problem.call(); });
      !failed.empty()) {
    FAIL(failed,
         " was made to fail, and compute_changes() returned as if all were well. CUDA_CHECK(...) "
         "around each call, and CUDA_CHECK_LAUNCH() after the launch, throw when it fails.");
  }
  problem.run();
  problem.expect_right();
}

TEST_CASE("safe: all device memory is freed") {
  for (const int n : {2, 33, 257, 1009}) {
    Problem problem(n);
    problem.run();
    problem.expect_right();
    exercise::expect_no_findings();
  }
  // On the emulator, what is still allocated is found when this case ends.
  if (course::on_emulator) return;
  constexpr int calls = 20;
  constexpr int n = 1 << 22;
  Problem problem(n);
  problem.run();  // loads the kernel, which takes memory as well
  constexpr std::size_t one_array_each = calls * (n * sizeof(float));
  std::size_t least = std::numeric_limits<std::size_t>::max();  // that went missing
  // Others may use the GPU as well: what is never freed is missing every time.
  for (int attempt = 0; attempt < 5 && least > one_array_each / 2; ++attempt) {
    const std::size_t before = free_bytes();
    for (int k = 0; k < calls; ++k) problem.call();
    const std::size_t after = free_bytes();
    least = std::min(least, before > after ? before - after : 0);
  }
  problem.expect_right();
  if (least > one_array_each / 2) {
    FAIL("after " << calls << " calls with n = " << n << " the GPU has " << (least >> 20)
                  << " MiB less to give than before, however often this is tried. Every "
                     "cudaMalloc() needs its cudaFree().");
  }
}

TEST_CASE("efficient: two loads and one store per change") {
  const int changes = 32 * exercise::drawn(256, 200, 300);
  const auto warps = static_cast<std::uint64_t>(changes) / 32;
  Problem problem(changes + 1);
  const exercise::Run run = problem.run();
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "not measured on a GPU: the two copies take nearly all of the time, whatever "
        "the kernel does. The emulator counts what the kernel asks for.");
    return;
  }
  const std::string read = "chapters/00_first_kernel/README.md, 'What the emulator shows'";
  // The naive version has blocks of one thread: a request and a sector for every float.
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = 2 * warps,
            .model = 2 * warps,
            .naive = 2 * 32 * warps,
            .why = "A warp computes 32 changes and needs two load requests for them, one for "
                   "series[i] and one for series[i + 1]. The naive version has blocks of one "
                   "thread, whose warps also have one thread. The limit leaves no slack.",
            .read = read});
  // 32 floats from element 32 w on are in 4 sectors; those from 32 w + 1 on end in a fifth.
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_sectors,
       .limit = (4 + 5) * warps,
       .model = (4 + 5) * warps,
       .naive = 2 * 32 * warps,
       .why = "32 neighbouring floats are 128 bytes, 4 sectors; shifted by one float, they reach "
              "into a fifth. That makes 9 sectors a warp if neighbouring threads take neighbouring "
              "elements. The naive version, with blocks of one thread, fetches a sector for every "
              "float; so does a version whose threads each walk along their own piece.",
       .read = read});
  exercise::expect_at_most(
      run, {.counter = Counter::global_store_sectors,
            .limit = 4 * warps,
            .model = 4 * warps,
            .naive = 32 * warps,
            .why = "Each change is written once, 32 of them to 4 sectors: one store a thread, "
                   "neighbouring threads to neighbouring elements.",
            .read = read});
}
