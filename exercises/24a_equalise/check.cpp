// The checks of exercise 24a. The function under test is in equalise.cu.

#include <algorithm>

#include "checks/exercise.hpp"

void launch_equalise(const unsigned char* picture, std::size_t pitch, unsigned char* out,
                     std::size_t out_pitch, int width, int height, unsigned* counts,
                     unsigned char* table);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

using Byte = unsigned char;
constexpr std::size_t levels = 256;
constexpr Byte gap = 0xEE;  // what is in the gap after each row

struct Size {
  int width, height;
};

/// Around warps and blocks, flat and tall, and more rows than a grid has blocks.
const std::vector<Size> sizes = {{1, 1},
                                 {2, 3},
                                 {31, 5},
                                 {32, 32},
                                 {33, 7},
                                 {257, 3},
                                 {3, 257},
                                 {127, 65},
                                 {1, 331},
                                 {509, 2},
                                 {exercise::drawn(90, 34, 250), exercise::drawn(20, 8, 70)}};

/// The picture of the handout: a foggy valley. tools/pages draws the same.
Byte foggy(int x, int y) {
  const int sun = (x - 48) * (x - 48) + (y - 9) * (y - 9);
  int level = 118 + y / 5;
  if (sun < 26) level = 131;
  if (y > 12 + std::abs(x - 22) * 3 / 4) level = 112 - (x + y) % 3;
  if (y > 20 + std::abs(x - 50) / 2) level = 106 + (x > 50 ? 0 : 2);
  if (y > 33 - (x * 5 % 7) / 3) level = 100 + x * y % 4;
  return static_cast<Byte>(level);
}

Byte random_level(int x, int y) {
  const course::RandomBits bits(24);
  return static_cast<Byte>(bits(static_cast<std::uint64_t>(y) * 65536 + x) >> 40);
}

class Problem {
 public:
  Problem(Size size, const std::function<Byte(int, int)>& level, std::size_t gap_width)
      : size_(size),
        pitch_(static_cast<std::size_t>(size.width) + gap_width),
        out_pitch_(static_cast<std::size_t>(size.width) + 2 * gap_width),
        picture_(pitch_ * static_cast<std::size_t>(size.height), gap) {
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) picture_[at(x, y, pitch_)] = level(x, y);
    }
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) ++expected_counts_[picture_[at(x, y, pitch_)]];
    }
    find_table();
    device_picture_ = std::make_unique<exercise::Array<Byte>>(picture_);
    out_ = std::make_unique<exercise::Array<Byte>>(
        std::vector<Byte>(out_pitch_ * static_cast<std::size_t>(size.height), gap));
  }

  void run() {
    counts_.poison();
    table_.poison();
    launch_equalise(device_picture_->data(), pitch_, out_->data(), out_pitch_, size_.width,
                    size_.height, counts_.data(), table_.data());
  }

  void expect_counts() const {
    const std::vector<unsigned> got = counts_.to_host();
    for (std::size_t v = 0; v < levels; ++v) {
      if (got[v] != expected_counts_[v]) {
        FAIL(where(), "counts[", v, "] is ", got[v], ", and ", expected_counts_[v],
             " pixels have this level", of_counts(got[v], expected_counts_[v]));
      }
    }
    exercise::expect_intact(counts_.intact(), "counts", where());
  }

  void expect_table() const {
    const std::vector<Byte> got = table_.to_host();
    for (std::size_t v = 0; v < levels; ++v) {
      if (expected_counts_[v] != 0 && got[v] != expected_table_[v]) {
        FAIL(where(), "table[", v, "] is ", static_cast<int>(got[v]), " instead of ",
             static_cast<int>(expected_table_[v]), " (", expected_counts_[v], " pixels have level ",
             v, ")");
      }
    }
    exercise::expect_intact(table_.intact(), "table", where());
  }

  void expect_picture() const {
    const std::vector<Byte> got = out_->to_host();
    for (int y = 0; y < size_.height; ++y) {
      for (std::size_t x = 0; x < out_pitch_; ++x) {
        const std::size_t place = static_cast<std::size_t>(y) * out_pitch_ + x;
        const bool in_gap = x >= static_cast<std::size_t>(size_.width);
        if (in_gap && got[place] != gap) {
          FAIL(where(), "the gap after row ", y, " of out was written to");
        }
        if (in_gap) continue;
        const Byte right = expected_table_[picture_[at(static_cast<int>(x), y, pitch_)]];
        if (got[place] != right) {
          FAIL(where(), "out(", x, ", ", y, ") is ", static_cast<int>(got[place]), " instead of ",
               static_cast<int>(right), drawn(got));
        }
      }
    }
    exercise::expect_intact(out_->intact(), "out", where());
    if (device_picture_->to_host() != picture_) {
      FAIL(where(), "the picture was written to. It must only be read.");
    }
  }

  void expect_right() const {
    expect_counts();
    expect_table();
    expect_picture();
  }

 private:
  static std::size_t at(int x, int y, std::size_t pitch) {
    return static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x);
  }

  void find_table() {
    const std::uint64_t pixels =
        static_cast<std::uint64_t>(size_.width) * static_cast<std::uint64_t>(size_.height);
    std::uint64_t up_to = 0, lowest = 0;
    for (std::size_t v = 0; v < levels; ++v) {
      up_to += expected_counts_[v];
      if (lowest == 0) lowest = up_to;
      const std::uint64_t rest = pixels - lowest;
      expected_table_[v] =
          static_cast<Byte>(rest == 0 ? v : (255 * (up_to - lowest) + rest / 2) / rest);
    }
  }

  std::string where() const {
    return "with " + std::to_string(size_.width) + " x " + std::to_string(size_.height) +
           " pixels, rows " + std::to_string(pitch_) + " bytes apart, ";
  }

  static std::string of_counts(unsigned got, unsigned expected) {
    if (got == 0xFFFFFFFFU) return ". It was never written.";
    if (got == expected - 1) return ". Nobody has set it to 0: what was there before is in it.";
    return "";
  }

  /// Your picture and the right one, side by side, if they are as narrow as the handout's.
  std::string drawn(const std::vector<Byte>& got) const {
    if (size_.width > 64 || size_.width < 16) return "";
    const std::string ink = " .:-=+*#%@";
    const auto character = [&](Byte level) { return ink[level * ink.size() / levels]; };
    std::string text = "\nyours, and the right one:";
    for (int y = 0; y < size_.height; y += 2) {
      text += "\n";
      for (int x = 0; x < size_.width; ++x) text += character(got[at(x, y, out_pitch_)]);
      text += " | ";
      for (int x = 0; x < size_.width; ++x) {
        text += character(expected_table_[picture_[at(x, y, pitch_)]]);
      }
    }
    return text;
  }

  Size size_;
  std::size_t pitch_, out_pitch_;
  std::vector<Byte> picture_;
  std::vector<unsigned> expected_counts_ = std::vector<unsigned>(levels);
  std::vector<Byte> expected_table_ = std::vector<Byte>(levels);
  std::unique_ptr<exercise::Array<Byte>> device_picture_, out_;
  exercise::Array<unsigned> counts_{levels};
  exercise::Array<Byte> table_{levels};
};

template <class Expect>
void check(Size size, const std::function<Byte(int, int)>& level, std::size_t gap_width,
           Expect expect) {
  Problem problem(size, level, gap_width);
  exercise::run([&] { problem.run(); });
  expect(problem);
}

const std::string read_again = "chapters/24_histogram/README.md, 'The kernels'";

}  // namespace

TEST_CASE("correct: how many pixels have each level") {
  const auto expect = [](const Problem& problem) { problem.expect_counts(); };
  for (const Size size : sizes) {
    check(size, random_level, 0, expect);
    check(
        size, [](int, int) { return Byte{200}; }, 5, expect);
  }
}

TEST_CASE("correct: the table spreads the levels") {
  const auto expect = [](const Problem& problem) {
    problem.expect_counts();
    problem.expect_table();
  };
  for (const Size size : sizes) {
    check(size, random_level, 0, expect);
    check(size, foggy, 0, expect);
    check(
        size, [](int x, int y) { return Byte((x + y) % 2 == 0 ? 0 : 255); }, 0, expect);
    check(
        size, [](int, int) { return Byte{255}; }, 0, expect);  // one level alone stays
  }
}

TEST_CASE("correct: the picture of the handout and others with gaps after their rows") {
  const auto expect = [](const Problem& problem) { problem.expect_right(); };
  check({64, 40}, foggy, 0, expect);
  check({64, 40}, foggy, 3, expect);
  for (const Size size : sizes) check(size, random_level, 7, expect);
}

TEST_CASE("safe: no races and nothing touched outside the picture") {
  for (const Size size : {Size{1, 1}, {64, 40}, {33, 7}, {300, 70}}) {
    Problem problem(size, foggy, 1);
    for (int launch = 0; launch < 2; ++launch) {
      exercise::run([&] { problem.run(); });
      problem.expect_right();
    }
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: a block counts in shared memory and each lane in its own bank") {
  constexpr std::uint64_t width = 512, blocks = 64, warps = 8;
  const std::uint64_t height = 64 * static_cast<std::uint64_t>(exercise::drawn(16, 17, 20));
  Problem problem({static_cast<int>(width), static_cast<int>(height)}, random_level, 0);
  const exercise::Run run = exercise::run([&] { problem.run(); });
  problem.expect_right();
  if (!course::on_emulator) {
    exercise::skip(
        "counted on the emulator; a GPU would count the same, but it does not report it");
    return;
  }
  exercise::expect_at_most(
      run, {.counter = Counter::global_atomic_requests,
            .limit = blocks * warps,
            .model = blocks * warps,
            .naive = width * height / 32,
            .why = "A block adds to counts once for each level that it has found, at its end.",
            .read = read_again});
  // A block of the model sets 256 x 32 counters, adds them up, and counts sixteen rows between.
  const std::uint64_t pixels = width * height / 32;
  exercise::expect_at_most(
      run, {.counter = Counter::shared_wavefronts,
            .limit = pixels + blocks * 2 * levels + 1024,
            .model = 49378,
            .naive = 0,
            .why = "With a copy of the counters for each lane, an atomic of a warp is one "
                   "wavefront. Where lanes want several words of one bank, it is one for each "
                   "word.",
            .read = read_again});
  exercise::expect_at_most(
      run, {.counter = Counter::global_load_sectors,
            .limit = pixels * (1 + 1 + 8) + 8192,
            .model = 164141,
            .naive = 0,
            .why = "Two kernels load each pixel once, 32 in a sector, and the second looks them up "
                   "in a table of eight sectors. Counters in global memory are loaded as well.",
            .read = read_again});
  if (run.count(Counter::shared_load_instructions) < pixels / 4) {
    FAIL("the pixels are not counted in shared memory: ", pixels,
         " times a warp takes 32 of them, "
         "and all that was loaded there, by atomics or otherwise, were ",
         run.count(Counter::shared_load_instructions), " times");
  }
}
