// The checks of exercise 15c. The function under test is in graph.cu.

#include <optional>

#include "checks/exercise.hpp"
#include "checks/streams.hpp"
#include "pinned.hpp"

void run_rounds(float* x, int* memory, int n, int rounds);
void naive_rounds(float* x, int n, int rounds);

namespace {

namespace exercise = course::exercise;

const std::string read_again = "chapters/15_streams/README.md, 'The same as a graph'";

/// What the rounds make of x, in whole numbers.
/// @param pushed the round that each push takes it for; -1: the actual one
std::vector<double> after_rounds(const std::vector<float>& begin, int rounds, int pushed = -1) {
  std::vector<double> x(begin.begin(), begin.end());
  const std::size_t n = x.size();
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < 20; ++k) {
      for (std::size_t i = k % 2; i < n; i += 2) {
        const double left = i > 0 ? x[i - 1] : 0;
        const double right = i + 1 < n ? x[i + 1] : 0;
        x[i] = static_cast<double>(static_cast<int>(left + right + x[i]) & 15);
      }
    }
    x[7 * static_cast<std::size_t>(pushed < 0 ? round : pushed) % n] += 1;
  }
  return x;
}

class Problem {
 public:
  Problem(int n, int rounds)
      : n_(n),
        rounds_(rounds),
        begin_(course::exact_vector(static_cast<std::size_t>(n), 4)),
        seen_(begin_.size()) {
    for (float& value : begin_) value = static_cast<float>(static_cast<int>(value) & 15);
  }

  void reset() {
    x_.emplace(begin_);
    memory_.poison();
    CUDA_CHECK(cudaDeviceSynchronize());  // whatever streams the function uses
  }
  void call() { run_rounds(x_->data(), memory_.data(), n_, rounds_); }
  /// Calls the function, and takes x as it is when that returns: in a stream that waits for none.
  void call_and_look() {
    call();
    cudaStream_t looking = nullptr;
    CUDA_CHECK(cudaStreamCreateWithFlags(&looking, cudaStreamNonBlocking));
    CUDA_CHECK(
        cudaMemcpyAsync(seen_.data(), x_->data(), seen_.bytes(), cudaMemcpyDeviceToHost, looking));
    CUDA_CHECK(cudaStreamSynchronize(looking));
    CUDA_CHECK(cudaStreamDestroy(looking));
  }
  void call_naive() { naive_rounds(x_->data(), n_, rounds_); }

  void expect_right(const std::string& order = "") const {
    const std::string where = "n = " + std::to_string(n_) +
                              ", rounds = " + std::to_string(rounds_) +
                              (order.empty() ? "" : ", ") + order;
    exercise::expect_exact(
        {seen_.data(), seen_.data() + seen_.size()}, after_rounds(begin_, rounds_), where,
        {{after_rounds(begin_, rounds_, 0),
          "every push uses round 0. A graph's kernels get the captured arguments in each launch: "
          "what differs has to be in *memory, and to be changed there in each round."},
         {after_rounds(begin_, rounds_, rounds_ - 1),
          "every push uses the last round. The host has set *memory for all rounds before the "
          "first of them ran, or captured the last one's number."}});
    exercise::expect_intact(x_->intact(), "x", where);
    exercise::expect_intact(memory_.intact(), "memory", where);
  }

 private:
  int n_;
  int rounds_;
  std::vector<float> begin_;
  course::PinnedArray<float> seen_;
  std::optional<exercise::Array<float>> x_;
  exercise::Array<int> memory_{1};
};

void check(int n, int rounds) {
  Problem problem(n, rounds);
  problem.reset();
  exercise::run([&] { problem.call_and_look(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: one round") {
  for (const int n : {1, 2, 3, 33, 257}) check(n, 1);
}

TEST_CASE("correct: many rounds and none") {
  for (const int rounds : {2, 3, exercise::drawn(7, 4, 8)}) {
    for (const int n : {1, 5, exercise::drawn(300, 200, 400)}) check(n, rounds);
  }
  Problem problem(5, 0);
  problem.reset();
  problem.call_and_look();
  CUDA_CHECK_LAUNCH();
  problem.expect_right();
  run_rounds(nullptr, nullptr, 0, 3);
  CUDA_CHECK_LAUNCH();
}

TEST_CASE("safe: right in every order and nothing touched outside the arrays") {
  for (const int n : {31, 300}) {
    Problem problem(n, 3);
    exercise::in_every_order([&](const std::string& order) {
      problem.reset();
      exercise::run([&] { problem.call_and_look(); });
      problem.expect_right(order);
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: captured once and instantiated once and launched for each round") {
  const int rounds = course::on_emulator ? exercise::drawn(12, 9, 15) : 500;
  Problem problem(exercise::drawn(2048, 1500, 2500), rounds);
  problem.reset();
  const exercise::StreamRun run = exercise::run_in_streams([&] { problem.call_and_look(); });
  problem.expect_right();
  exercise::expect_repeated_graph(
      run, {.launches = static_cast<std::uint64_t>(rounds), .read = read_again});
  exercise::expect_faster([&] { problem.call_naive(); }, [&] { problem.call(); }, 1.2, read_again);
}
