// The checks of exercise 23b. The function under test is in compaction.cu.

#include <algorithm>

#include "checks/exercise.hpp"
#include "checks/launches.hpp"

void launch_compact(const int* x, int n, int limit, int* kept, int* count, unsigned* ticket,
                    unsigned long long* words);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int block = 256;  // as in compaction.cu
constexpr int limit = 50;

const std::vector<int> sizes = {
    1,   2,   31,  32,   33,   127,   255,
    256, 257, 512, 1009, 4096, 10007, exercise::drawn(3000, 1010, 4000)};

/// Numbers that all differ, so that each tells where it comes from; one in `every` is above the
/// limit, or all, or none.
std::vector<int> make(int n, int every) {
  const course::RandomBits bits(23);
  std::vector<int> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const bool is_kept = every > 0 && bits(static_cast<std::uint64_t>(i)) % every == 0;
    x[static_cast<std::size_t>(i)] = is_kept ? limit + 1 + i : limit - i;
  }
  return x;
}

class Problem {
 public:
  explicit Problem(std::vector<int> x)
      : x_(std::move(x)),
        device_x_(x_),
        kept_(expected().size()),
        count_(1),
        ticket_(1),
        words_(x_.size() / block + 1) {}

  void run() {
    kept_.poison();
    count_.poison();
    launch_compact(device_x_.data(), static_cast<int>(x_.size()), limit, kept_.data(),
                   count_.data(), ticket_.data(), words_.data());
  }

  void expect_right() const {
    const std::vector<int> want = expected();
    const std::string where = "n = " + std::to_string(x_.size());
    const int count = count_.to_host()[0];
    if (count != static_cast<int>(want.size())) {
      FAIL("with ", where, " the count is ", count, ", not ", want.size(),
           ". The last tile knows it: what is before it, and what it keeps");
    }
    const std::vector<int> got = kept_.to_host();
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (got[k] == want[k]) continue;
      if (got[k] == -1) FAIL("with ", where, " kept[", k, "] was never written");
      const bool is_there = std::find(want.begin(), want.end(), got[k]) != want.end();
      FAIL("with ", where, " kept[", k, "] is ", got[k], ", not ", want[k],
           is_there ? ": the elements are not in their order" : ": that is no element to keep");
    }
    exercise::expect_intact(kept_.intact(), "kept", where);
    exercise::expect_intact(count_.intact(), "count", where);
    exercise::expect_intact(words_.intact(), "words", where);
    if (device_x_.to_host() != x_) FAIL("with ", where, " x was written to");
  }

  /// How many tickets have been drawn.
  unsigned drawn() const { return ticket_.to_host()[0]; }

 private:
  std::vector<int> expected() const {
    std::vector<int> list;
    std::copy_if(x_.begin(), x_.end(), std::back_inserter(list), [](int v) { return v > limit; });
    return list;
  }

  std::vector<int> x_;
  exercise::Array<int> device_x_;
  exercise::Array<int> kept_;
  exercise::Array<int> count_;
  exercise::Array<unsigned> ticket_;
  exercise::Array<unsigned long long> words_;
};

void check(const std::vector<int>& x) {
  Problem problem(x);
  for (int launch = 0; launch < 2; ++launch) {
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
}

const std::string read_again = "chapters/23_scan/README.md, 'Looking back' and 'Lists'";

}  // namespace

TEST_CASE("correct: everything kept is stored in order") {
  for (const int n : sizes) {
    for (const int every : {0, 1, 2, 3}) check(make(n, every));
  }
  Problem nothing(std::vector<int>{});
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
  nothing.expect_right();
}

TEST_CASE("correct: a tile that keeps nothing and tiles that keep all") {
  std::vector<int> x = make(20 * block + 5, 0);
  x[0] = 1000;
  x[7 * block - 1] = 2000;
  x[x.size() - 1] = 3000;
  check(x);
  for (int i = 9 * block; i < 12 * block; ++i) x[static_cast<std::size_t>(i)] = 5000 + i;
  check(x);
}

TEST_CASE("correct: whatever the blocks' numbers") {
  for (const int n : {1, 256, 257, 5000}) {
    Problem problem(make(n, 2));
    exercise::in_every_order([&](const std::string&) {  // of blocks
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    const auto tiles = static_cast<unsigned>((n - 1) / block + 1);
    if (problem.drawn() != tiles) {
      FAIL("with n = ", n, " the ticket ends at ", problem.drawn(), ", not at ", tiles,
           ". One thread of each block draws its tile: a block with a low number may begin late, "
           "and then those that wait for it keep it from running");
    }
  }
}

TEST_CASE("safe: tiles publish only what is complete") {
  for (const int n : {1, 33, 257, 2900}) {
    Problem problem(make(n, 2));
    exercise::run([&] { problem.run(); });
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: loaded once and placed without atomics") {
  const auto tiles = static_cast<std::uint64_t>(exercise::drawn(32, 33, 48));
  const int n = block * static_cast<int>(tiles);
  Problem problem(make(n, 2));
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_sectors,
       .limit = static_cast<std::uint64_t>(n) / 8 + 6 * tiles,
       .model = static_cast<std::uint64_t>(n) / 8 + 2 * tiles - 1,
       .naive = 2 * static_cast<std::uint64_t>(n) / 8,
       .why = "A sector has eight elements, and each is needed once. A tile draws a ticket and "
              "reads the word of the tile before it. The limit leaves a few more.",
       .read = read_again});
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_atomic_sectors,
       .limit = 4 * tiles,
       .model = tiles,
       .naive = static_cast<std::uint64_t>(n) / 2,
       .why = "A tile draws its ticket with one atomic. An element's place comes from counting "
              "those before it. The limit leaves three for its words and what it reads.",
       .read = read_again});
  exercise::expect_grids(run, 1, tiles);
  if (run.count(Counter::global_atomic_requests) < tiles) {
    FAIL(
        "tickets are drawn by atomics, one each. Between a load and a store of its own another "
        "block may draw the same");
  }
  // Nothing is kept: what is stored are tickets and words.
  Problem nothing(make(n, 0));
  const exercise::Run of_nothing = exercise::run([&] { nothing.run(); });
  const std::uint64_t stores = of_nothing.count(Counter::global_store_requests);
  if (stores < tiles + 2 * tiles - 1) {
    FAIL("tickets and words are stored ", stores, " times, and ", tiles, " tiles need ",
         3 * tiles - 1,
         ": a ticket each, and words twice, but for the first tile. A tile that publishes only its "
         "prefix lets all others wait, one after the other");
  }
}
