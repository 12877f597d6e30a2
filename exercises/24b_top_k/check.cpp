// The checks of exercise 24b. The function under test is in top_k.cu.

#include <algorithm>

#include "checks/exercise.hpp"

struct Search {  // as in top_k.cu
  unsigned key, wanted, larger, equal;
};

void launch_top_k(const unsigned* x, int n, int k, Search* search, unsigned* counts, int* y);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

/// Around warps, blocks and the grid's stride; and primes.
const std::vector<int> sizes = {1,   2,   31,   32,   33,   127,
                                256, 257, 1021, 4099, 9001, exercise::drawn(600, 258, 4000)};

class Problem {
 public:
  Problem(std::vector<unsigned> x, int k)
      : x_(std::move(x)),
        k_(k),
        device_x_(x_),
        y_(static_cast<std::size_t>(k)),
        search_(1),
        counts_(256) {
    sorted_ = x_;
    std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
  }

  void run() {
    y_.poison();
    search_.poison();
    counts_.poison();
    launch_top_k(device_x_.data(), static_cast<int>(x_.size()), k_, search_.data(), counts_.data(),
                 y_.data());
  }

  unsigned kth() const { return sorted_[static_cast<std::size_t>(k_) - 1]; }

  void expect_key() const {
    const unsigned got = search_.to_host()[0].key;
    if (got != kth()) {
      FAIL(where(), "the k-th largest key is ", in_digits(kth()), ", but search->key is ",
           in_digits(got), ", in digits of eight bits");
    }
  }

  void expect_places() const {
    expect_key();
    std::vector<bool> seen(x_.size());
    std::vector<unsigned> keys;
    for (const int place : y_.to_host()) {
      if (place == -1) FAIL(where(), "an element of y was never written");
      if (place < 0 || place >= static_cast<int>(x_.size())) {
        FAIL(where(), "y has ", place, ", which is not an index of x");
      }
      const auto i = static_cast<std::size_t>(place);
      if (seen[i]) FAIL(where(), "y has ", place, " twice");
      seen[i] = true;
      keys.push_back(x_[i]);
    }
    std::sort(keys.begin(), keys.end(), std::greater<>());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] != sorted_[i]) {
        FAIL(where(), "of the keys at the places in y the largest but ", i, " is ", keys[i],
             " instead of ", sorted_[i]);
      }
    }
    exercise::expect_intact(y_.intact() && search_.intact() && counts_.intact(),
                            "y, search or counts", where());
    if (device_x_.to_host() != x_) {
      FAIL(where(), "x was written to. It must only be read.");
    }
  }

 private:
  std::string where() const {
    return "with n = " + std::to_string(x_.size()) + " and k = " + std::to_string(k_) + " ";
  }
  static std::string in_digits(unsigned key) {
    std::string text = std::to_string(key >> 24);
    for (int shift = 16; shift >= 0; shift -= 8) text += "." + std::to_string(key >> shift & 255);
    return text;
  }

  std::vector<unsigned> x_, sorted_;
  int k_;
  exercise::Array<unsigned> device_x_;
  exercise::Array<int> y_;
  exercise::Array<Search> search_;
  exercise::Array<unsigned> counts_;
};

std::vector<unsigned> random_keys(int n, unsigned mask = ~0U) {
  const course::RandomBits bits(242);
  std::vector<unsigned> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<unsigned>(bits(i)) & mask;
  return x;
}

std::vector<int> some_k(int n) {
  std::vector<int> all = {1, n / 2 + 1, n};
  if (n > 10) all.push_back(10);
  return all;
}

const std::string read_again = "chapters/24_histogram/README.md, 'The kernels'";

}  // namespace

TEST_CASE("correct: the k-th largest key") {
  for (const int n : sizes) {
    for (const int k : some_k(n)) {
      Problem problem(random_keys(n), k);
      exercise::run([&] { problem.run(); });
      problem.expect_key();
    }
  }
}

TEST_CASE("correct: keys that share their first digits") {
  for (const int n : sizes) {
    for (const int k : some_k(n)) {
      for (const unsigned mask : {0x000000FFU, 0x0000FF00U, 0x00010101U, 0x80000003U}) {
        Problem problem(random_keys(n, mask), k);
        exercise::run([&] { problem.run(); });
        problem.expect_key();
      }
    }
  }
}

TEST_CASE("correct: where the k largest are") {
  for (const int n : sizes) {
    for (const int k : some_k(n)) {
      Problem problem(random_keys(n), k);
      exercise::run([&] { problem.run(); });
      problem.expect_places();
    }
  }
}

TEST_CASE("correct: of equal keys as many as are wanted") {
  for (const int n : sizes) {
    for (const int k : some_k(n)) {
      for (const unsigned mask : {0U, 0x3U, 0x80000000U}) {
        Problem problem(random_keys(n, mask), k);
        exercise::run([&] { problem.run(); });
        problem.expect_places();
      }
    }
  }
}

TEST_CASE("safe: no races and one launch after another") {
  for (const int n : {1, 33, 1021, 9001}) {
    Problem problem(random_keys(n, 0xFFFF000FU), n / 3 + 1);
    for (int launch = 0; launch < 2; ++launch) {
      exercise::run([&] { problem.run(); });
      problem.expect_places();
    }
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: few atomics in global memory and five passes over the keys") {
  constexpr std::uint64_t blocks = 64, warps = 8, passes = 4;
  const std::uint64_t n = 1024 * static_cast<std::uint64_t>(exercise::drawn(64, 65, 80));
  Problem problem(random_keys(static_cast<int>(n)), static_cast<int>(n) / 2);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_places();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  // Of the first digit a block has nearly all values, 8 warps add them; of the last ones few.
  exercise::expect_at_most(
      run, {.counter = Counter::global_atomic_requests,
            .limit = passes * blocks * warps + 2 * n / 32,
            .model = 2755,
            .naive = n / 32 * (1 + 1 + 2),
            .why = "A block adds to counts once for each digit, at the end. The last kernel has "
                   "two atomics per warp at most, one for each counter.",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_atomic_sectors,
            .limit = passes * blocks * 32 + 2 * n / 32,
            .model = 4326,
            .naive = 0,
            .why = "Eight counters are in a sector, and each counter is added to once per block. "
                   "In the last kernel one lane of a warp asks for the places of all.",
            .read = read_again});
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_sectors,
       .limit = 7 * n / 8,
       .model = 48522,
       .naive = 2 * 5 * n / 8,
       .why = "Each of the five passes loads each key once. The rest is for the atomics, which "
              "count as loads as well.",
       .read = read_again});
  if (run.count(Counter::shared_load_instructions) < n / 32 / 2) {
    FAIL(
        "the digits are not counted in shared memory: in the first pass alone a warp takes 32 of "
        "them ",
        n / 32, " times");
  }
}
