// The checks of exercise 21a. The function under test is in fragments.cu.

#include "checks/exercise.hpp"

void launch_find_places(int* C_place, int* A_place, int* B_place, int order);

namespace {

namespace exercise = course::exercise;

/// Three tables, of C's, A's and B's elements.
struct Places {
  exercise::Array<int> C{128};
  exercise::Array<int> A{128};
  exercise::Array<int> B{64};
  int order;
  std::uint64_t loads = 0;  // of a warp from shared memory

  explicit Places(int which) : order(which) {
    const exercise::Run run = exercise::run([&] {
      C.poison();
      A.poison();
      B.poison();
      launch_find_places(C.data(), A.data(), B.data(), order);
    });
    loads = run.count(exercise::Counter::shared_load_instructions);
  }

  void expect_an_experiment() const {
    if (!course::on_emulator || loads != 0) return;
    FAIL("no fragment was loaded: the places are to be found by products, not looked up");
  }

  std::string where(const char* matrix) const {
    return std::string(matrix) + ", rows of 8, with order " + std::to_string(order);
  }

  void expect(const exercise::Array<int>& table, const std::vector<int>& places,
              const char* matrix) const {
    const std::vector<int> got = table.to_host();
    // Places are whole numbers below 128: a float holds them, and what was never written as well.
    std::vector<float> as_floats(got.begin(), got.end());
    exercise::expect_exact(as_floats, std::vector<double>(places.begin(), places.end()),
                           places.size() / 8, 8, where(matrix));
    exercise::expect_intact(table.intact(), matrix, where(matrix));
  }

  // By the book: PTX ISA, "Matrix Fragments for mma.m16n8k8".
  void expect_C() const {
    std::vector<int> places;
    for (int e = 0; e < 128; ++e) {
      const int lane = (e / 8 % 8 * 4 + e % 8 / 2) ^ order;
      places.push_back(4 * lane + e / 64 * 2 + e % 2);
    }
    expect(C, places, "C_place");
  }
  void expect_A() const {
    std::vector<int> places;
    for (int e = 0; e < 128; ++e) {
      const int lane = (e / 8 % 8 * 4 + e % 8 / 2) ^ order;
      places.push_back(4 * lane + e / 64 * 2 + e % 2);
    }
    expect(A, places, "A_place");
  }
  void expect_B() const {
    std::vector<int> places;
    for (int e = 0; e < 64; ++e) {
      const int lane = (e % 8 * 4 + e / 8 / 2) ^ order;
      places.push_back(2 * lane + e / 8 % 2);
    }
    expect(B, places, "B_place");
  }
};

}  // namespace

TEST_CASE("correct: where the elements of C are") {
  Places(0).expect_C();
}

TEST_CASE("correct: where the elements of A and of B are") {
  const Places places(0);
  places.expect_A();
  places.expect_B();
}

TEST_CASE("correct: the same with lanes in an unknown order") {
  for (const int order : {1, 6, 12, 21, 31}) {
    const Places places(order);
    places.expect_an_experiment();
    places.expect_C();
    places.expect_A();
    places.expect_B();
  }
}

TEST_CASE("safe: every number is written before it is used and nothing else is touched") {
  for (const int order : {0, 9}) {
    const Places places(order);
    places.expect_C();
    places.expect_A();
    places.expect_B();
    exercise::expect_no_findings();
  }
}
