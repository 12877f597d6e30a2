// The checks of exercise 24c. The function under test is in narrow_counters.cu.

#include <algorithm>

#include "checks/exercise.hpp"
#include "checks/launches.hpp"

void launch_count_bytes(const unsigned char* x, int n, unsigned* counts);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;
using Byte = unsigned char;

class Problem {
 public:
  explicit Problem(std::vector<Byte> x) : x_(std::move(x)), device_x_(x_), counts_(256) {}

  void run() {
    counts_.poison();
    launch_count_bytes(device_x_.data(), static_cast<int>(x_.size()), counts_.data());
  }

  void expect_right(const std::string& data) const {
    std::vector<unsigned> expected(256);
    for (const Byte byte : x_) ++expected[byte];
    const std::vector<unsigned> got = counts_.to_host();
    const std::string where = "with n = " + std::to_string(x_.size()) + " (" + data + ") ";
    for (std::size_t v = 0; v < expected.size(); ++v) {
      if (got[v] != expected[v]) {
        FAIL(where, "counts[", v, "] is ", got[v], ", and ", v, " occurs ", expected[v], " times");
      }
    }
    exercise::expect_intact(counts_.intact(), "counts", where);
    if (device_x_.to_host() != x_) FAIL(where, "x was written to. It must only be read.");
  }

 private:
  std::vector<Byte> x_;
  exercise::Array<Byte> device_x_;
  exercise::Array<unsigned> counts_;
};

std::vector<Byte> random_bytes(int n) {
  const course::RandomBits bits(243);
  std::vector<Byte> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Byte>(bits(i) >> 40);
  return x;
}

void check(std::vector<Byte> x, const std::string& data) {
  Problem problem(std::move(x));
  exercise::run([&] { problem.run(); });
  problem.expect_right(data);
}

const std::string read_again = "chapters/24_histogram/README.md, 'The kernels'";

constexpr int per_drain = 128 * 16 * 15;  // bytes that a block counts between two drains, if right

}  // namespace

TEST_CASE("correct: lengths that are not multiples of 16") {
  for (const int n : {1, 15, 17, 255, 4099, per_drain + 3, 3 * per_drain - 1}) {
    check(random_bytes(n), "random bytes");
  }
  Problem empty({});
  empty.run();
  CUDA_CHECK(cudaDeviceSynchronize());
  empty.expect_right("no byte");
}

TEST_CASE("correct: blocks that drain more than once") {
  for (const int drains : {5, 8, 11}) {
    check(random_bytes(drains * per_drain + 160), "random bytes");
  }
  check(random_bytes(6 * per_drain + exercise::drawn(1000, 1, 2000)), "random bytes");
}

TEST_CASE("correct: equal bytes") {
  for (const int n : {16, 2048, per_drain, 4 * per_drain, 4 * per_drain + 32768}) {
    for (const Byte byte : {Byte{0}, Byte{77}, Byte{255}}) {
      check(std::vector<Byte>(static_cast<std::size_t>(n), byte), "all equal");
    }
  }
}

TEST_CASE("safe: no thread counts before the others have added") {
  for (const int n : {1, 4099, per_drain, 9 * per_drain + 5}) {
    Problem problem(random_bytes(n));
    for (int launch = 0; launch < 2; ++launch) {
      exercise::run([&] { problem.run(); });
      problem.expect_right("random bytes");
    }
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: each lane counts in its own bank") {
  constexpr std::uint64_t blocks = 4, warps = 4, lines = 256;
  // All threads have as many loads of 16 bytes.
  const int n = static_cast<int>(blocks) * per_drain - 2048 * exercise::drawn(0, 1, 12);
  Problem problem(random_bytes(n));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right("random bytes");
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const auto counted = static_cast<std::uint64_t>(n) / 32;
  exercise::expect_at_most(
      run, {.counter = Counter::shared_wavefronts,
            .limit = 2 * counted + blocks * warps * lines * 4,
            .model = 19968,
            .naive = 0,
            .why = "A load and a store for each byte, 32 lanes at once, if thread t's counters are "
                   "all in bank t mod 32. The rest is for setting the counters to 0 and adding "
                   "them up.",
            .read = read_again});
  if (run.count(Counter::shared_load_instructions) < counted / 2 ||
      run.count(Counter::shared_store_instructions) < counted / 2) {
    FAIL("the bytes are not counted in shared memory: 32 of them take a load and a store there");
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = counted / 16 + 2 * blocks * warps + 16,
            .model = counted / 16 + 2 * blocks * warps,
            .naive = counted,
            .why = "A warp loads 512 bytes at once, 16 a thread. Then a thread adds two sums to "
                   "counts, by atomics, which count as loads as well.",
            .read = read_again});
  exercise::expect_no_shared_atomics(run);
}
