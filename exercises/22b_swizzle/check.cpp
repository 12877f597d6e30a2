// The checks of exercise 22b. The functions under test are in swizzle.cu.

#include "checks/exercise.hpp"

void launch_places(int* out, int width);
void launch_turn(const float* in, float* out, int tiles, int width);

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

constexpr int rows = 64;

const std::string read_again = "chapters/22_hopper/README.md, 'A tile for two units'";

// By the book, bit for bit of the address: bits 4, 5 and 6 take up 7, 8 and 9; of rows of 64 bytes
// two of them do, of 32 one.
int by_the_book(int byte, int width) {
  int place = byte;
  for (int bit = 0; (32 << bit) <= width; ++bit) place ^= (byte >> (7 + bit) & 1) << (4 + bit);
  return place;
}

/// Places that come of thoughts which are nearly right.
std::vector<exercise::Mistake> mistakes_of_places(int width) {
  const auto all = [width](const auto& place) {
    std::vector<double> result;
    for (int byte = 0; byte < rows * width; ++byte) result.push_back(place(byte));
    return result;
  };
  const int pieces = width / 16;
  return {{all([](int byte) { return byte; }), "each byte stays where it is: nothing is swizzled."},
          {all([&](int byte) {
             return byte / width * width + (byte + byte / 128 % pieces * 16) % width;
           }),
           "the numbers are added. A tensor map takes their XOR: bit for bit, nothing is carried."},
          {all([&](int byte) { return byte ^ byte / width % pieces * 16; }),
           "the XOR takes the number of the row. A tensor map takes bits 7 and up of the address, "
           "and these count 128 bytes, however long a row is."},
          {all([](int byte) { return byte ^ byte / 128 % 8 * 16; }),
           "three bits change, and a row of " + std::to_string(width) + " bytes has only " +
               std::to_string(pieces) + " pieces: some leave their row."}};
}

void check_places(int width) {
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(width);
  exercise::Array<int> places(count);
  exercise::run([&] {
    places.poison();
    launch_places(places.data(), width);
  });
  std::vector<float> got;
  std::vector<double> expected;
  for (const int place : places.to_host()) {
    expected.push_back(by_the_book(static_cast<int>(got.size()), width));
    got.push_back(static_cast<float>(place));
  }
  exercise::expect_exact(got, expected, rows, static_cast<std::size_t>(width),
                         "places of rows of " + std::to_string(width) + " bytes",
                         mistakes_of_places(width));
}

/// Tiles of pieces, turned.
class Problem {
 public:
  Problem(int tiles, int width)
      : tiles_(tiles),
        width_(width),
        in_(course::exact_vector(count(), 1000, 3)),
        device_in_(in_),
        device_out_(count()) {}

  exercise::Run run() {
    return exercise::run([&] {
      device_out_.poison();
      launch_turn(device_in_.data(), device_out_.data(), tiles_, width_);
    });
  }

  void expect_right() const {
    const std::size_t pieces = static_cast<std::size_t>(width_) / 16;
    std::vector<double> expected(count());
    for (std::size_t i = 0; i < count(); ++i) {
      const std::size_t piece = i / 4 % (rows * pieces);
      const std::size_t turned = piece % pieces * rows + piece / pieces;
      expected[(i / 4 - piece + turned) * 4 + i % 4] = double{in_[i]};
    }
    const std::string where =
        std::to_string(tiles_) + " tiles of rows of " + std::to_string(width_) + " bytes";
    const std::vector<double> as_it_came(in_.begin(), in_.end());
    exercise::expect_exact(device_out_.to_host(), expected, count() / 4, 4, where,
                           {{as_it_came, "the pieces come out row by row, as they went in."},
                            {read_without_places(),
                             "pieces are in their places, but the reader does not ask place() for "
                             "them: the XOR has to be taken on both sides."}});
    exercise::expect_intact(device_out_.intact(), "out", where);
    if (device_in_.to_host() != in_) FAIL("with ", where, " in was written to");
  }

  std::size_t count() const {
    return static_cast<std::size_t>(tiles_) * rows * static_cast<std::size_t>(width_) / 4;
  }

 private:
  /// The result if the pieces are read from where they would be without a swizzle.
  std::vector<double> read_without_places() const {
    const std::size_t pieces = static_cast<std::size_t>(width_) / 16;
    const std::size_t of_a_tile = rows * pieces;
    std::vector<double> result(count());
    for (std::size_t i = 0; i < count(); ++i) {
      const std::size_t piece = i / 4 % of_a_tile;
      // The XOR undoes itself: what is in a place is what belongs into the place of that place.
      const int read = static_cast<int>(piece % rows * pieces + piece / rows) * 16;
      const auto from = static_cast<std::size_t>(by_the_book(read, width_)) / 16;
      result[i] = double{in_[(i / 4 - piece + from) * 4 + i % 4]};
    }
    return result;
  }

  int tiles_;
  int width_;
  std::vector<float> in_;
  exercise::Array<float> device_in_;
  exercise::Array<float> device_out_;
};

}  // namespace

TEST_CASE("correct: the places of rows of 128 bytes") {
  check_places(128);
}

TEST_CASE("correct: those of shorter rows") {
  check_places(64);
  check_places(32);
}

TEST_CASE("correct: tiles come out column by column") {
  for (const int width : {128, 64, 32}) {
    for (const int tiles : {1, 3, exercise::drawn(5, 4, 9)}) {
      Problem problem(tiles, width);
      problem.run();
      problem.expect_right();
    }
  }
}

TEST_CASE("safe: everything is written before it is read") {
  for (const int width : {128, 32}) {
    Problem problem(2, width);
    problem.run();
    problem.expect_right();
    exercise::expect_no_findings();
  }
}

TEST_CASE("efficient: neither rows nor columns meet in a bank") {
  for (const int width : {128, 64, 32}) {
    Problem problem(exercise::drawn(2, 3, 5), width);
    const exercise::Run run = problem.run();
    problem.expect_right();
    if (!course::on_emulator) {
      exercise::skip("bank conflicts are counted on the emulator only");
      return;
    }
    exercise::expect_at_most(
        run, {.counter = Counter::shared_bank_conflicts,
              .limit = 0,
              .model = 0,
              .naive = 0,
              .why = "Eight lanes are served at a time, with 16 bytes each: they must be in eight "
                     "places, be they neighbours in a row or in a column.",
              .read = read_again});
    const std::uint64_t warps = problem.count() / 4 / 32;
    exercise::expect_at_most(run, {.counter = Counter::shared_load_instructions,
                                   .limit = warps,
                                   .model = warps,
                                   .naive = 4 * warps,
                                   .why = "A piece has 16 bytes, and one load brings it.",
                                   .read = read_again});
    if (run.count(Counter::shared_load_instructions) < warps) {
      FAIL("the pieces do not go through shared memory: a warp loads 32 of them there, ", warps,
           " times");
    }
  }
}
