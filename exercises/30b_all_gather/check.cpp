// The checks of exercise 30b. The function under test is in all_gather.cu.

#include "checks/exercise.hpp"
#include "checks/streams.hpp"
#include "verify.hpp"

void all_gather(const float* in, float* out, int n, int devices);
int part_to_send(int device, int step, int devices);

namespace {

namespace exercise = course::exercise;

/// What each device brings, and room for that of all on each.
class Problem {
 public:
  Problem(int n, int devices)
      : n_(n),
        devices_(devices),
        in_(numbers()),
        device_in_(in_),
        out_(in_.size() * size(devices)) {}

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
    std::vector<double> expected(in_.size() * size(devices_));
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = double{in_[i % in_.size()]};
    exercise::expect_exact(got_, expected, where);
    exercise::expect_intact(out_.intact(), "out", where);
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
    CUDA_CHECK(cudaDeviceSynchronize());  // its streams do not wait for the default one
  }
  void call() { all_gather(device_in_.data(), out_.data(), n_, devices_); }

  int n_;
  int devices_;
  std::vector<float> in_, got_;
  exercise::Array<float> device_in_, out_;
};

void check(int n, int devices) {
  Problem problem(n, devices);
  exercise::in_every_order([&](const std::string& order) {
    problem.run();
    problem.expect_right(order);
  });
}

}  // namespace

TEST_CASE("correct: which part goes when") {
  for (const int devices : {1, 2, 3, 5, 8}) {
    // Who has what: at first each its own.
    std::vector<std::vector<bool>> has(static_cast<std::size_t>(devices));
    for (std::size_t d = 0; d < has.size(); ++d) {
      has[d].resize(has.size());
      has[d][d] = true;
    }
    for (int step = 0; step + 1 < devices; ++step) {
      auto then = has;
      for (int d = 0; d < devices; ++d) {
        const int part = part_to_send(d, step, devices);
        const std::string where = "device " + std::to_string(d) + " of " + std::to_string(devices) +
                                  " in step " + std::to_string(step);
        if (part < 0 || part >= devices) FAIL(where, " sends part ", part, ", which is none");
        const auto from = static_cast<std::size_t>(d), which = static_cast<std::size_t>(part);
        if (!has[from][which]) FAIL(where, " sends part ", part, ", which it has not got yet");
        const std::size_t to = (from + 1) % has.size();
        if (has[to][which]) FAIL(where, " sends part ", part, ", which the next one already has");
        then[to][which] = true;
      }
      has = then;
    }
  }
  Problem alone(5, 1);
  alone.run();
  alone.expect_right("one device");
}

TEST_CASE("correct: one device and two") {
  for (const int devices : {1, 2}) {
    for (const int n : {1, 2, 31, 129, 1009}) check(n, devices);
  }
}

TEST_CASE("correct: more devices") {
  for (const int devices : {3, 4, 8}) {
    for (const int n : {1, 5, 33, exercise::drawn(500, 300, 900)}) check(n, devices);
  }
  check(200, exercise::drawn(5, 5, 7));
  all_gather(nullptr, nullptr, 0, 3);
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
  exercise::expect_chain_at_most(run, devices, read_again);  // its own part comes into place first
}
