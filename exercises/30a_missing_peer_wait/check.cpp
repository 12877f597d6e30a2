// The checks of exercise 30a. The function under test is in missing_peer_wait.cu.

#include "checks/exercise.hpp"
#include "checks/streams.hpp"
#include "verify.hpp"

void ring_sums(const float* in, float* out, float* memory, int n, int devices);

namespace {

namespace exercise = course::exercise;

/// What each device brings, whole numbers; the sums; and memory for what lands.
class Problem {
 public:
  Problem(int n, int devices)
      : n_(n),
        devices_(devices),
        in_(numbers()),
        device_in_(in_),
        out_(in_.size()),
        memory_(in_.size()) {}

  void run() {
    prepare();
    exercise::run([&] {
      call();
      got_ = out_.to_host();  // as soon as the function returns
    });
  }
  exercise::StreamRun run_in_streams() {
    prepare();
    exercise::StreamRun seen = exercise::run_in_streams([&] { call(); });
    got_ = out_.to_host();
    return seen;
  }
  void expect_right(const std::string& order) const {
    const std::string where =
        "n = " + std::to_string(n_) + ", devices = " + std::to_string(devices_) + ", " + order;
    std::vector<double> expected(in_.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t d = 0; d < size(devices_); ++d) {
        expected[i] += double{in_[d * size(n_) + i % size(n_)]};
      }
    }
    exercise::expect_exact(got_, expected, where);
    exercise::expect_intact(out_.intact(), "out", where);
    exercise::expect_intact(memory_.intact(), "memory", where);
    exercise::expect_intact(device_in_.intact() && device_in_.to_host() == in_, "in", where);
  }

 private:
  static std::size_t size(int extent) { return static_cast<std::size_t>(extent); }
  std::vector<float> numbers() const {
    const course::ExactValues values(8, 3);
    std::vector<float> all(size(n_) * size(devices_));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = values(i);
    return all;
  }
  void prepare() {
    out_.poison();
    memory_.poison();
    CUDA_CHECK(cudaDeviceSynchronize());  // its streams do not wait for the default one
  }
  void call() { ring_sums(device_in_.data(), out_.data(), memory_.data(), n_, devices_); }

  int n_;
  int devices_;
  std::vector<float> in_, got_;
  exercise::Array<float> device_in_, out_, memory_;
};

void check(int n, int devices) {
  Problem problem(n, devices);
  exercise::in_every_order([&](const std::string& order) {
    problem.run();
    problem.expect_right(order);
  });
}

}  // namespace

TEST_CASE("correct: one device and two") {
  for (const int devices : {1, 2}) {
    for (const int n : {1, 2, 31, 129, 1009}) check(n, devices);
  }
}

TEST_CASE("correct: more devices") {
  for (const int devices : {3, 4}) {
    for (const int n : {1, 5, exercise::drawn(500, 300, 900)}) check(n, devices);
  }
  check(33, 8);
  check(200, exercise::drawn(5, 5, 7));
  ring_sums(nullptr, nullptr, nullptr, 0, 3);
  CUDA_CHECK_LAUNCH();
}

TEST_CASE("safe: nothing is read before it has come or overwritten while it is in use") {
  for (const int devices : {2, 3, 5}) {
    Problem problem(300, devices);
    exercise::in_every_order([&](const std::string& order) {
      problem.run();
      problem.expect_right(order);
      exercise::expect_no_findings();
    });
  }
}

TEST_CASE("efficient: devices wait for each other and the host only at the end") {
  constexpr std::size_t devices = 4;
  Problem problem(exercise::drawn(700, 600, 900), devices);
  const exercise::StreamRun run = problem.run_in_streams();
  problem.expect_right("EMULATOR_ORDER=issue");
  if (!course::on_emulator) return exercise::skip("a GPU does not say what waits for what");
  const std::string read_again = "chapters/30_several_gpus/README.md, 'A ring of copies'";
  exercise::expect_no_waits(run, read_again);
  // In each step a device sends and takes, one after the other.
  exercise::expect_chain_at_most(run, 1 + 2 * 2 * (devices - 1), read_again);
}
