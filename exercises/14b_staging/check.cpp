// The checks of exercise 14b. The function under test is in staging.cu.

#include <algorithm>

#include "checks/exercise.hpp"

void launch_levels(const float* x, int n, unsigned char* levels, int chunk);
void launch_naive(const float* x, int n, unsigned char* levels, int chunk);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;
using Launch = decltype(&launch_levels);

/// An array in pageable memory, as std::vector has it, of numbers from -50 to 305.
class Problem {
 public:
  Problem(int n, int chunk)
      : n_(n), chunk_(chunk), x_(some_numbers(n)), levels_(static_cast<std::size_t>(n)) {}

  void run() {
    levels_.poison();
    CUDA_CHECK(cudaDeviceSynchronize());  // whatever streams the function uses
    call(launch_levels);
  }
  void call(Launch launch) { launch(x_.data(), n_, levels_.data(), chunk_); }

  std::uint64_t chunks() const { return static_cast<std::uint64_t>((n_ + chunk_ - 1) / chunk_); }
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(n_) * sizeof(float); }

  void expect_right(const std::string& order) const {
    const std::vector<unsigned char> got = levels_.to_host();
    const std::string where =
        "n = " + std::to_string(n_) + ", chunk = " + std::to_string(chunk_) + ", " + order;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto expected = static_cast<unsigned char>(std::clamp(x_[i], 0.0F, 255.0F));
      if (got[i] != expected) FAIL("with ", where, what_is_wrong(got, i, order));
    }
    exercise::expect_intact(levels_.intact(), "levels", where);
  }

  /// The levels are the kernels' work: each has loaded what was copied.
  void expect_by_kernels(const exercise::Run& run) const {
    const std::uint64_t loads = run.count(Counter::global_load_requests);
    const auto least = static_cast<std::uint64_t>((n_ + 31) / 32);
    if (course::on_emulator && loads < least) {
      FAIL("with n = ", n_, " kernels have loaded ", loads, " times 32 elements, and there are ",
           least, ": the levels must be computed on the device");
    }
  }

 private:
  static std::vector<float> some_numbers(int n) {
    const course::RandomBits bits(142);
    std::vector<float> values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(static_cast<int>(bits(i) % 356) - 50);
    }
    return values;
  }

  std::string what_is_wrong(const std::vector<unsigned char>& got, std::size_t i,
                            const std::string& order) const {
    const auto level = [&](std::size_t k) {
      return static_cast<unsigned char>(std::clamp(x_[k], 0.0F, 255.0F));
    };
    std::string text = " levels[" + std::to_string(i) + "] is " + std::to_string(got[i]) +
                       " instead of " + std::to_string(level(i)) + ", in chunk " +
                       std::to_string(i / static_cast<std::size_t>(chunk_));
    const std::size_t begin = i - i % static_cast<std::size_t>(chunk_);
    for (std::size_t other = begin; other < x_.size(); other += static_cast<std::size_t>(chunk_)) {
      if (other == begin) continue;
      const std::size_t count = std::min(static_cast<std::size_t>(chunk_), x_.size() - other);
      bool same = count > 4;
      for (std::size_t k = 0; k < count && same; ++k) same = got[begin + k] == level(other + k);
      if (same) {
        return text + ", where the levels of chunk " +
               std::to_string(other / static_cast<std::size_t>(chunk_)) +
               " are: the buffer was refilled before its copy was done";
      }
    }
    const std::string wait = exercise::missing_wait(order);
    return wait.empty() ? text : text + "\n" + wait;
  }

  int n_;
  int chunk_;
  std::vector<float> x_;
  exercise::Array<unsigned char> levels_;
};

void check(int n, int chunk, const std::string& order) {
  Problem problem(n, chunk);
  const exercise::Run run = exercise::run([&] { problem.run(); }, exercise::Kernels::if_needed);
  problem.expect_right(order);
  problem.expect_by_kernels(run);
}

const std::string in_order_of_issue = course::on_emulator ? "EMULATOR_ORDER=issue" : "on a GPU";
const std::string read_again = "chapters/14_memory/README.md, pinned memory";

}  // namespace

TEST_CASE("correct: one chunk or less and no element at all") {
  exercise::in_every_order([](const std::string& order) {
    for (const int n : {1, 31, 33, 63, 64}) check(n, 64, order);
    check(0, 64, order);
    check(1, 1, order);
  });
}

TEST_CASE("correct: any length and any chunk in every order") {
  exercise::in_every_order([](const std::string& order) {
    for (const int n : {65, 128, 129, 257, 640, 1009, exercise::drawn(500, 258, 1000)})
      check(n, 64, order);
    check(4096, 1000, order);
    check(4097, 512, order);
    check(exercise::drawn(7, 25, 60), 1, order);
  });
}

TEST_CASE("safe: no buffer is filled or freed while its copy is in flight") {
  exercise::in_every_order([](const std::string& order) {
    for (const int n : {1, 64, 129, 1009}) {
      check(n, 64, order);
      exercise::expect_no_findings();
    }
  });
}

TEST_CASE("efficient: each chunk is copied once and from pinned memory") {
  const int n = exercise::drawn(10007, 10010, 10900);
  check(n, 1000, in_order_of_issue);
  Problem problem(n, 1000);
  const exercise::Copies copies = exercise::count_copies([&] { problem.run(); });
  problem.expect_right("EMULATOR_ORDER=late");
  if (!course::on_emulator) {
    exercise::skip("counted on the emulator; a GPU does not say what was copied");
    return;
  }
  if (copies.pageable != 0) {
    FAIL("copies of pageable memory: ", copies.pageable,
         ", and none pass (the model solution: 0)\nThe driver first copies such memory to its own "
         "buffer, and the host waits meanwhile. Copy from the staging buffers.\nread again: ",
         read_again);
  }
  if (copies.pinned > problem.chunks() || copies.pinned_bytes != problem.bytes()) {
    FAIL("copies of pinned memory: ", copies.pinned, ", of ", copies.pinned_bytes,
         " bytes in all, and there are ", problem.chunks(), " chunks, of ", problem.bytes(),
         " bytes in all\nEach copy takes a while to begin, so a chunk is copied at once, and "
         "each element once.\nread again: ",
         read_again);
  }
}

TEST_CASE("efficient: two chunks are in flight at once") {
  const int n = exercise::drawn(10007, 10010, 10900);
  check(n, 1000, in_order_of_issue);
  const bool big = !course::on_emulator;  // a GPU has more room, and wants more work
  Problem problem(big ? (1 << 26) + 1009 : n, big ? 1 << 20 : 1000);
  const exercise::Copies copies = exercise::count_copies([&] { problem.run(); });
  problem.expect_right(big ? "on a GPU" : "EMULATOR_ORDER=late");
  if (course::on_emulator && copies.most_on_their_way < 2) {
    FAIL("copies in flight at once: ", copies.most_on_their_way,
         ", and two are asked for (the model solution: 2)\nThe host waits for a copy before it "
         "issues the next one. It should wait only for the buffer that it wants to fill.\nread "
         "again: ",
         read_again);
  }
  if (copies.most_on_their_way > 2) {
    FAIL("copies in flight at once: ", copies.most_on_their_way,
         ", and there are two buffers (the model solution: 2)\nMore pinned memory is used than "
         "two buffers. It cannot be swapped out, so that all other programs have less.\nread "
         "again: ",
         read_again);
  }
  exercise::expect_faster([&] { problem.call(launch_naive); }, [&] { problem.call(launch_levels); },
                          1.05, read_again);
}
