// The checks of exercise 28c. The function under test is in pages.cu.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "checks/exercise.hpp"

void launch_pages(const float* Q, const float* K, const float* V, const int* pages,
                  const int* lengths, int sequences, int most_pages, float* O);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr std::size_t size = 32, of_page = 16;

/// How pages are handed out.
enum class Pages { in_order, anywhere };

/// Sequences of these lengths. What no sequence has is NaN, and in the table -1.
class Problem {
 public:
  Problem(const std::vector<int>& lengths, Pages order, float scale = 1)
      : lengths_(lengths), Q_(numbers(lengths.size() * size, 1, scale)) {
    std::size_t all = 1;
    for (const int length : lengths) {
      most_ = std::max(most_, pages_of(length) + 1);  // one more than any has
      all += pages_of(length);
    }
    std::vector<int> free(all);
    std::iota(free.begin(), free.end(), 0);
    if (order == Pages::anywhere) {
      for (std::size_t i = 0; i < all; ++i)
        std::swap(free[i], free[course::RandomBits(7)(i) % all]);
    }
    const float nothing = std::nanf("");
    K_.assign(all * of_page * size, nothing);
    V_.assign(K_.size(), nothing);
    table_.assign(lengths.size() * most_, -1);
    std::size_t next = 0;
    for (std::size_t s = 0; s < lengths.size(); ++s) {
      for (std::size_t p = 0; p < pages_of(lengths[s]); ++p) table_[s * most_ + p] = free[next++];
      for (int j = 0; j < lengths[s]; ++j) {
        for (std::size_t x = 0; x < size; ++x) {
          K_[at(s, j) + x] = number(at(s, j) + x, 2, scale);
          V_[at(s, j) + x] = number(at(s, j) + x, 3, 1);
        }
      }
    }
    device_Q_.emplace(Q_), device_K_.emplace(K_), device_V_.emplace(V_);
    device_table_.emplace(table_), device_lengths_.emplace(lengths_);
    device_O_.emplace(Q_.size());
  }

  void run() {
    device_O_->poison();
    launch_pages(device_Q_->data(), device_K_->data(), device_V_->data(), device_table_->data(),
                 device_lengths_->data(), static_cast<int>(lengths_.size()),
                 static_cast<int>(most_), device_O_->data());
  }

  void expect_right() const {
    const std::vector<float> O = device_O_->to_host();
    for (std::size_t s = 0; s < lengths_.size(); ++s) {
      std::vector<double> scores(static_cast<std::size_t>(lengths_[s]), 0.0);
      double max = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int j = 0; j < lengths_[s]; ++j) {
        for (std::size_t x = 0; x < size; ++x) {
          scores[static_cast<std::size_t>(j)] +=
              double{Q_[s * size + x]} * double{K_[at(s, j) + x]};
        }
        max = std::max(max, scores[static_cast<std::size_t>(j)]);
      }
      for (const double score : scores) sum += std::exp(score - max);
      for (std::size_t x = 0; x < size; ++x) {
        double o = 0;
        for (int j = 0; j < lengths_[s]; ++j) {
          o += std::exp(scores[static_cast<std::size_t>(j)] - max) * double{V_[at(s, j) + x]};
        }
        const double right = lengths_[s] > 0 ? o / sum : 0;
        const float got = O[s * size + x];
        if (std::abs(double{got} - right) <= 1e-4) continue;
        FAIL("with ", lengths_.size(), " sequences the result of sequence ", s, ", column ", x,
             " is ", got, " instead of ", right, "; it has ", lengths_[s], " keys. ",
             cause(got, s));
      }
    }
    exercise::expect_intact(device_O_->intact(), "O",
                            std::to_string(lengths_.size()) + " sequences");
  }

  std::uint64_t sectors() const {
    std::uint64_t all = 0;
    for (const int length : lengths_) {
      all += 4 + 2 * 4 * static_cast<std::uint64_t>(length);    // the query, keys and values
      all += 4 + static_cast<std::uint64_t>(pages_of(length));  // the length and the pages
    }
    return all;
  }

 private:
  static std::size_t pages_of(int length) {
    return (static_cast<std::size_t>(length) + of_page - 1) / of_page;
  }
  static float number(std::size_t i, std::uint64_t seed, float scale) {
    return scale * (static_cast<float>(course::RandomBits(seed)(i) % 257) / 128.0F - 1.0F);
  }
  static std::vector<float> numbers(std::size_t count, std::uint64_t seed, float scale) {
    std::vector<float> x(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = number(i, seed, scale);
    return x;
  }
  /// Where a key of a sequence begins.
  std::size_t at(std::size_t sequence, int key) const {
    const auto j = static_cast<std::size_t>(key);
    const auto page = static_cast<std::size_t>(table_[sequence * most_ + j / of_page]);
    return (page * of_page + j % of_page) * size;
  }
  std::string cause(float got, std::size_t sequence) const {
    if (lengths_[sequence] == 0) return "A sequence without keys has the result 0.";
    if (std::isnan(got)) {
      return "What belongs to no sequence is NaN here: other pages, and the rest of the last page. "
             "Infinity less infinity is one, too.";
    }
    return "Has every warp's part been scaled to the same maximum? Is the table's row the right "
           "one?";
  }

  std::vector<int> lengths_;
  std::vector<float> Q_, K_, V_;
  std::vector<int> table_;
  std::size_t most_ = 0;  ///< pages in a row of the table
  std::optional<exercise::Array<float>> device_Q_, device_K_, device_V_, device_O_;
  std::optional<exercise::Array<int>> device_table_, device_lengths_;
};

void check(const std::vector<int>& lengths, Pages order, float scale = 1) {
  Problem problem(lengths, order, scale);
  exercise::run([&] { problem.run(); });
  problem.expect_right();
}

}  // namespace

TEST_CASE("correct: whole pages in their order") {
  check({64, 128, 192}, Pages::in_order);
  check({64, 64}, Pages::in_order, 4);  // the warps' maxima are far from each other
  Problem nothing({}, Pages::in_order);
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: pages anywhere") {
  check({64, 128, 64}, Pages::anywhere);
  check({64, 320, 128, 16 * exercise::drawn(7, 5, 12)}, Pages::anywhere);
}

TEST_CASE("correct: sequences of all lengths") {
  check({1, 15, 16, 17, 31, 33, 65, exercise::drawn(100, 66, 140)}, Pages::anywhere);
  check({5, 0, 70}, Pages::anywhere);
}

TEST_CASE("safe: nobody reads too early or out of bounds") {
  for (const std::vector<int>& lengths : {std::vector<int>{3, 70}, {129, 0, 16}}) {
    Problem problem(lengths, Pages::anywhere);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: each key and value is read once") {
  Problem problem({100, 200, exercise::drawn(300, 310, 400)}, Pages::anywhere);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const std::uint64_t model = problem.sectors() + 3 * 3 * 4;  // each warp has loaded the query
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = model * 5 / 4,
            .model = model,
            .naive = model * 3 / 2,
            .why = "The keys are read once if the softmax is online; the table once per page.",
            .read = "chapters/28_attention/README.md, one query"});
}
