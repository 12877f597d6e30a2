// The checks of exercise 26c. The function under test is in pagerank.cu.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "checks/exercise.hpp"

void launch_pagerank(const int* offsets, const int* from, const int* links, int pages,
                     float damping, float tolerance, int most, float* rank, float* next,
                     float* given, float* other, float* sums, int* steps);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr float damping = 0.85F;

std::size_t size(int count) {
  return static_cast<std::size_t>(count);
}

/// from, to
using Links = std::vector<std::pair<int, int>>;

class Problem {
 public:
  Problem(std::string name, int pages, Links links, float tolerance = 1e-2F, int most = 40)
      : name_(std::move(name)),
        pages_(pages),
        tolerance_(tolerance),
        most_(most),
        offsets_(size(pages) + 1),
        links_(size(pages)) {
    std::stable_sort(links.begin(), links.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const auto& [from, to] : links) {
      ++offsets_[size(to) + 1];
      ++links_[size(from)];
      from_.push_back(from);
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<double> rank(size(pages), 1.0 / pages);
    for (int step = 0; step < most_; ++step) {
      ranks_.push_back(rank);
      const std::vector<double> next = stepped(rank);
      double change = 0;
      for (std::size_t p = 0; p < rank.size(); ++p) change += std::abs(next[p] - rank[p]);
      changes_.push_back(change);
      rank = next;
    }
    ranks_.push_back(rank);
    device_ = std::make_unique<Device>(*this);
  }

  void run() {
    device_->poison();
    launch_pagerank(device_->offsets.data(), device_->from.data(), device_->links.data(), pages_,
                    damping, tolerance_, most_, device_->rank.data(), device_->next.data(),
                    device_->given.data(), device_->other.data(), device_->sums.data(),
                    device_->steps.data());
    steps_ = device_->steps.to_host()[0];
  }

  void expect_right() const {
    if (steps_ < 1 || steps_ > most_) {
      FAIL("with ", name_, ": ", steps_, " steps, of 1 to ", most_);
    }
    const std::vector<float> got = device_->rank.to_host();
    const std::vector<double>& expected = ranks_[size(steps_)];
    for (std::size_t p = 0; p < got.size(); ++p) {
      if (std::abs(got[p] - expected[p]) <= 1e-4 * expected[p]) continue;
      FAIL("with ", name_, " rank[", p, "] is ", got[p], " instead of ", expected[p], " after the ",
           steps_, " steps that were counted. ", cause(got));
    }
    for (const auto* const array :
         {&device_->rank, &device_->next, &device_->given, &device_->other, &device_->sums}) {
      exercise::expect_intact(array->intact(), "an array of ranks or sums", name_);
    }
    if (device_->from.to_host() != from_ || device_->links.to_host() != links_) {
      FAIL("with ", name_, ": from or links was written to. They must only be read.");
    }
  }

  /// Sums of floats are a little off, so a change near the tolerance may be on either side of it.
  void expect_converged() const {
    const double change = changes_[size(steps_ - 1)];
    if (steps_ < most_ && change > 1.01 * tolerance_) {
      FAIL("with ", name_, ": ended after ", steps_,
           " steps, in the last of which ranks changed by ", change, " together. The tolerance is ",
           tolerance_);
    }
    if (steps_ > 1 && changes_[size(steps_ - 2)] < 0.99 * tolerance_) {
      FAIL("with ", name_, ": made ", steps_, " steps, though ranks had changed by only ",
           changes_[size(steps_ - 2)], " in the one before the last. The tolerance is ",
           tolerance_);
    }
  }
  int steps() const { return steps_; }

 private:
  struct Device {
    explicit Device(const Problem& p)
        : offsets(p.offsets_),
          from(p.from_),
          links(p.links_),
          steps(1),
          rank(p.links_.size()),
          next(p.links_.size()),
          given(p.links_.size()),
          other(p.links_.size()),
          sums(2) {}
    void poison() {
      for (auto* const array : {&rank, &next, &given, &other, &sums}) array->poison();
      steps.poison();
    }
    exercise::Array<int> offsets, from, links, steps;
    exercise::Array<float> rank, next, given, other, sums;
  };

  std::vector<double> stepped(const std::vector<double>& rank) const {
    double lost = 0;
    for (std::size_t p = 0; p < rank.size(); ++p) lost += links_[p] == 0 ? rank[p] : 0;
    std::vector<double> next(rank.size());
    for (std::size_t p = 0; p < rank.size(); ++p) {
      double sum = lost / pages_;
      for (int k = offsets_[p]; k < offsets_[p + 1]; ++k) {
        const std::size_t from = size(from_[size(k)]);
        sum += rank[from] / links_[from];
      }
      next[p] = (1 - double{damping}) / pages_ + double{damping} * sum;
    }
    return next;
  }

  std::string cause(const std::vector<float>& got) const {
    const double sum = std::accumulate(got.begin(), got.end(), 0.0);
    if (std::isnan(sum)) return "Some are not numbers: was all written before it was read?";
    if (sum < 0.99) {
      return "All ranks together are " + std::to_string(sum) +
             " instead of 1: something is lost. What of pages without links?";
    }
    if (sum > 1.01) return "All ranks together are " + std::to_string(sum) + " instead of 1";
    for (std::size_t s = 0; s < ranks_.size(); ++s) {
      if (std::equal(got.begin(), got.end(), ranks_[s].begin(),
                     [](float a, double b) { return std::abs(a - b) <= 1e-4 * b; })) {
        return "These are the ranks after " + std::to_string(s) + " steps";
      }
    }
    return "";
  }

  std::string name_;
  int pages_;
  float tolerance_;
  int most_;
  std::vector<int> offsets_, links_, from_;
  std::vector<std::vector<double>> ranks_;
  std::vector<double> changes_;
  std::unique_ptr<Device> device_;
  int steps_ = 0;
};

/// Every page links to the next, the last to the first: nothing ever changes.
Links ring(int pages) {
  Links links;
  for (int p = 0; p < pages; ++p) links.emplace_back(p, (p + 1) % pages);
  return links;
}

/// All link to page 0, which links to `back` of them.
Links star(int pages, int back) {
  Links links;
  for (int p = 1; p < pages; ++p) links.emplace_back(p, 0);
  for (int p = 1; p <= back; ++p) links.emplace_back(0, p);
  return links;
}

/// Some pages have no links, and nobody links to some.
Links drawn_links(int pages, int each) {
  const course::RandomBits bits(269);
  Links links;
  for (int p = 0; p < pages; ++p) {
    if (p % 5 == 3) continue;
    for (int k = 0; k < each; ++k) {
      const double u = static_cast<double>(bits(size(p * each + k)) >> 11) * 0x1p-53;
      links.emplace_back(p, static_cast<int>(pages * u * u));
    }
  }
  return links;
}

}  // namespace

TEST_CASE("correct: graphs with and without dead ends") {
  std::vector<Problem> problems;
  for (const int pages : {1, 2, 33, 100}) problems.emplace_back("a ring", pages, ring(pages));
  for (const int pages : {2, 40, 127, 300}) {
    problems.emplace_back("a star", pages, star(pages, 1));
    problems.emplace_back("a star without a way back", pages, star(pages, 0));
  }
  problems.emplace_back("no links", 50, Links{});
  for (const int pages : {31, 129, 257, exercise::drawn(200, 100, 400)}) {
    problems.emplace_back("drawn links", pages, drawn_links(pages, 7));
  }
  for (Problem& problem : problems) {
    exercise::run([&] { problem.run(); });
    problem.expect_right();
  }
  Problem nothing("nothing", 0, Links{});
  exercise::run([&] { nothing.run(); }, exercise::Kernels::if_needed);
}

TEST_CASE("correct: as many steps as it takes and not one more") {
  for (const float tolerance : {0.5F, 1e-2F, 1e-3F}) {
    for (const int pages : {60, 211}) {
      Problem drawn("drawn links", pages, drawn_links(pages, 5), tolerance);
      exercise::run([&] { drawn.run(); });
      drawn.expect_right();
      drawn.expect_converged();
    }
  }
  Problem few("drawn links", 80, drawn_links(80, 5), 1e-5F, 6);  // ends before it is done
  exercise::run([&] { few.run(); });
  few.expect_right();
  if (few.steps() != 6) FAIL(few.steps(), " steps instead of the 6 that were allowed");
  Problem still("a ring", 64, ring(64));
  exercise::run([&] { still.run(); });
  still.expect_right();
  still.expect_converged();
}

TEST_CASE("safe: nothing is touched outside the arrays") {
  for (const int pages : {1, 33, 129}) {
    Problem problem("drawn links", pages, drawn_links(pages, 6), 1e-2F, 30);
    exercise::in_every_order([&](const std::string&) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    });
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: each step reads each link once") {
  constexpr int each = 32;
  const int pages = exercise::drawn(512, 520, 640);
  Links links;
  for (int p = 0; p < pages; ++p) {
    for (int k = 1; k <= each; ++k) links.emplace_back(p, (p + k * (1 + p % 3)) % pages);
  }
  Problem problem("equal links", pages, links, 1e-3F, 30);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  const auto steps = static_cast<std::uint64_t>(problem.steps());
  const auto rows = static_cast<std::uint64_t>(pages);
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_requests,
            .limit = 5900 * steps * rows / 512,
            .model = 5056 * steps * rows / 512,
            .naive = rows * each * steps,
            .why = "Of 32 links a warp loads the pages at once, and what they give: two loads. A "
                   "page's rank is divided by its links once, not once per link.",
            .read = "chapters/26_sparse/README.md, the warp per row"});
  exercise::expect_at_most(
      run,
      {.counter = Counter::global_load_sectors,
       .limit = 15000 * steps * rows / 512,
       .model = 11664 * steps * rows / 512,
       .naive = 0,
       .why = "The links to a page are neighbours: a warp that has a page reads 32 of them from "
              "four sectors.",
       .read = "chapters/26_sparse/README.md, the warp per row"});
}
