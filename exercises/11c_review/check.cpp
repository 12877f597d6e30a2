// The checks of exercise 11c. The kernels and the answers are in review.cu.
//
// What is right is here, but so that nobody reads it by accident. That the kernels marked as
// wrong are wrong, and the others right, is proved by solutions/11c_review/faults_test.cu.

#include <array>

#include "checks/exercise.hpp"

void launch_review(int kernel, const float* A, int lda, float* B, int ldb, int m, int n,
                   int block_rows);
int wrong_line_of_first();
int wrong_line_of_second();
int wrong_line_of_third();
int wrong_line_of_fourth();
int wrong_line_of_fifth();

namespace {

namespace exercise = course::exercise;

constexpr std::size_t kernels = 5;
constexpr int unanswered = -1;

/// What the answers that are right become. (SplitMix64's last step.)
constexpr std::array<std::uint64_t, kernels> right{0x401E0E58A079540Bu, 0x6FC5C18628E2405Au,
                                                   0x7D580C351FA11B9Au, 0xDF2D24BD9F38EAA5u,
                                                   0x42D8993F65E8C26Fu};

std::uint64_t sealed(std::size_t kernel, int line) {
  std::uint64_t z =
      0x11C05EA1 + (kernel * 64 + static_cast<std::uint64_t>(line)) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// What the author of the kernels tried: 32 x 32 without gaps, and blocks of one warp. All five
/// passed.
class AuthorsTest {
 public:
  AuthorsTest()
      : A_(course::exact_vector(side * side, side)), device_A_(A_), device_B_(side * side) {}

  void run(std::size_t kernel) {
    device_B_.poison();
    exercise::run([&] {
      launch_review(static_cast<int>(kernel), device_A_.data(), side, device_B_.data(), side, side,
                    side, 1);
    });
    const std::size_t columns = kernel == 2 ? 1 : side;
    const std::vector<float> B = device_B_.to_host();
    std::vector<float> got;
    std::vector<double> expected;
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t x = 0; x < columns; ++x) {
        got.push_back(B[y * side + x]);
        expected.push_back(value(kernel, y, x));
      }
    }
    exercise::expect_exact(got, expected, side, columns,
                           "kernel " + std::to_string(kernel) +
                               ", 32 x 32, as it was tested by "
                               "its author (./course reset 11c brings the kernels back)");
  }

 private:
  static constexpr int side = 32;

  double element(std::size_t y, std::size_t x) const { return A_[y * side + x]; }

  double value(std::size_t kernel, std::size_t y, std::size_t x) const {
    if (kernel == 1) return element(y, x) + element(side - 1 - y, x);
    if (kernel == 3) return element(y, side - 1 - x);
    if (kernel != 2) return element(x, y);
    double sum = 0;
    for (std::size_t k = 0; k < side; ++k) sum += element(y, k);
    return sum;
  }

  std::vector<float> A_;
  exercise::Array<float> device_A_;
  exercise::Array<float> device_B_;
};

/// Fails unless at least that many kernels are judged rightly. Nothing says which they are.
void expect_right(int wanted) {
  AuthorsTest test;
  for (std::size_t kernel = 1; kernel <= kernels; ++kernel) test.run(kernel);
  const std::array<int, kernels> lines{wrong_line_of_first(), wrong_line_of_second(),
                                       wrong_line_of_third(), wrong_line_of_fourth(),
                                       wrong_line_of_fifth()};
  int found = 0;
  int open = 0;
  for (std::size_t k = 0; k < kernels; ++k) {
    if (lines[k] == unanswered) ++open;
    if (sealed(k + 1, lines[k]) == right[k]) ++found;
  }
  if (found >= wanted) return;
  const std::string still = open == 0 ? "" : ", " + std::to_string(open) + " have no answer yet";
  FAIL(
      found, " of 5 are right", still, "; this check wants ", wanted,
      ". Not every kernel has a wrong line. Try larger shapes in your head: more than one warp per "
      "block, a matrix that does not fill its tiles, rows with a gap. And count what a comment "
      "claims.\nread again: chapters/11_transpose/README.md, 'Set a column, read a row' and "
      "'Traps'");
}

}  // namespace

TEST_CASE("correct: three of the five kernels are judged correctly") {
  expect_right(3);
}

TEST_CASE("correct: four of the five kernels are judged correctly") {
  expect_right(4);
}

TEST_CASE("correct: all five kernels are judged correctly") {
  expect_right(5);
}
