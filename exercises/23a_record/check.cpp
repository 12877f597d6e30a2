// The checks of exercise 23a. The function under test is in record.cu.

#include <algorithm>
#include <climits>

#include "checks/exercise.hpp"
#include "checks/launches.hpp"

void launch_record_before(const int* levels, int n, int* records_before, unsigned* ticket,
                          unsigned* flags, int* records);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int block = 256;  // as in record.cu

enum class Levels { any, rising, falling, negative, flood };

std::vector<int> make_levels(int n, Levels kind, std::uint64_t seed) {
  const course::RandomBits bits(seed);
  std::vector<int> levels(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const int random = static_cast<int>(bits(static_cast<std::uint64_t>(i)) % 2001) - 1000;
    int& level = levels[static_cast<std::size_t>(i)];
    switch (kind) {
      case Levels::any:
        level = random;
        break;
      case Levels::rising:
        level = 3 * i - n;
        break;
      case Levels::falling:
        level = n - 3 * i;
        break;
      case Levels::negative:
        level = -2000 + random;
        break;
      case Levels::flood:
        level = i == 5 ? 9999 : random;
        break;
    }
  }
  return levels;
}

/// The days and the memory that tiles share, which several launches use.
class Problem {
 public:
  explicit Problem(int n)
      : n_(n),
        device_levels_(static_cast<std::size_t>(n)),
        result_(static_cast<std::size_t>(n)),
        ticket_(1),
        flags_(tiles()),
        records_(tiles()) {
    CUDA_CHECK(cudaMemset(ticket_.data(), 0, sizeof(unsigned)));
    if (n == 0) return;
    CUDA_CHECK(cudaMemset(flags_.data(), 0, tiles() * sizeof(unsigned)));
    CUDA_CHECK(cudaMemset(records_.data(), 0, tiles() * sizeof(int)));
  }

  void set(Levels kind, std::uint64_t seed = 1) {
    levels_ = make_levels(n_, kind, seed);
    kind_ = kind;
    if (n_ != 0) {
      CUDA_CHECK(cudaMemcpy(device_levels_.data(), levels_.data(), levels_.size() * sizeof(int),
                            cudaMemcpyHostToDevice));
    }
  }
  void run() {
    result_.poison();
    launch_record_before(device_levels_.data(), n_, result_.data(), ticket_.data(), flags_.data(),
                         records_.data());
  }

  void expect_right() const {
    const std::vector<int> got = result_.to_host();
    int record = INT_MIN;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] != record) {
        FAIL("with n = ", n_, " and ", text(), " the record before day ", i, " is ", got[i],
             ", not ", record, cause(i, got[i]));
      }
      record = std::max(record, levels_[i]);
    }
    exercise::expect_intact(result_.intact(), "records_before", text());
    exercise::expect_intact(flags_.intact(), "flags", text());
    exercise::expect_intact(records_.intact(), "records", text());
    if (device_levels_.to_host() != levels_) FAIL("the levels were written to");
  }

 private:
  std::size_t tiles() const { return n_ == 0 ? 0 : static_cast<std::size_t>((n_ - 1) / block + 1); }

  std::string text() const {
    const char* const kinds[] = {"any levels", "rising levels", "falling levels", "negative levels",
                                 "a flood on day 5"};
    return kinds[static_cast<int>(kind_)];
  }
  std::string cause(std::size_t i, int got) const {
    if (i == 0) return ". Before the first day there is no record: INT_MIN";
    if (got == levels_[i]) return ". That is the level of the day itself";
    if (got == 0) return ". Where does a 0 come from?";
    if (i >= 2 * block) return ". Does each tile know of all tiles before it?";
    return "";
  }

  int n_;
  Levels kind_ = Levels::any;
  std::vector<int> levels_;
  exercise::Array<int> device_levels_;
  exercise::Array<int> result_;
  exercise::Array<unsigned> ticket_;
  exercise::Array<unsigned> flags_;
  exercise::Array<int> records_;
};

const std::string read_again = "chapters/23_scan/README.md, 'A chain'";

}  // namespace

TEST_CASE("correct: one tile") {
  for (const int n : {1, 2, 31, 32, 33, 127, 255, 256}) {
    for (const Levels kind : {Levels::rising, Levels::any, Levels::falling, Levels::negative}) {
      Problem problem(n);
      problem.set(kind);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
  }
  Problem nothing(0);
  nothing.set(Levels::any);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: many tiles") {
  for (const int n : {257, 512, 1009, 4096, 10007, exercise::drawn(3000, 1010, 4000)}) {
    for (const Levels kind : {Levels::any, Levels::rising, Levels::flood, Levels::negative}) {
      Problem problem(n);
      problem.set(kind);
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
  }
}

TEST_CASE("correct: launched again with other levels") {
  Problem problem(5000);
  for (const std::uint64_t seed : {1, 2, 3}) {
    problem.set(seed == 1 ? Levels::flood : Levels::negative, seed);
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
}

TEST_CASE("safe: a flag is raised only after the record is written") {
  for (const int n : {1, 200, 700, 4099}) {
    Problem problem(n);
    problem.set(Levels::any);
    exercise::in_every_order([&](const std::string&) {  // of blocks
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: each level loaded once") {
  const auto tiles = static_cast<std::uint64_t>(exercise::drawn(32, 33, 48));
  const int n = block * static_cast<int>(tiles);
  Problem problem(n);
  problem.set(Levels::any);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = static_cast<std::uint64_t>(n) / 8 + 8 * tiles,
            .model = static_cast<std::uint64_t>(n) / 8 + 3 * tiles - 2,
            .naive = 2 * static_cast<std::uint64_t>(n) / 8,
            .why = "A sector has eight levels, and each is needed once. A tile draws a ticket, and "
                   "loads the flag and the record of the tile before it: three sectors. The limit "
                   "leaves eight.",
            .read = read_again});
  exercise::expect_grids(run, 1, tiles);
  if (run.count(Counter::global_atomic_requests) < tiles) {
    FAIL("tiles are drawn, one atomic each, and there were ",
         run.count(Counter::global_atomic_requests),
         ". A block with a low number may begin late, and then those that wait for it keep it from "
         "running");
  }
}
