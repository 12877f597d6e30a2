#define main chapter_main  // not the main() of the test
#include "transpose.cu"
#undef main

#include <doctest/doctest.h>

#include <string_view>

namespace {

// Ends a test as skipped where nobody counts.
void needs_counts() {
  course::device();
  if (course::counts_traffic) return;
  std::puts("SKIPPED: traffic is counted on the emulator only");
  std::exit(77);
}

// What a kernel asks for, and that its result is right.
template <class E>
course::TrafficCounts traffic_of(const std::string& name, int m, int n) {
  DeviceMatrices<E> matrices(m, n);
  const auto rung = std::find_if(rungs<E>.begin(), rungs<E>.end(),
                                 [&](const TransposeRung<E>& one) { return one.name == name; });
  REQUIRE(rung != rungs<E>.end());
  const course::Timing timing = TIME_EVENTS(course::Options(), matrices.poison(),
                                            rung->launch({matrices.a(), matrices.b(), m, n}));
  CHECK(matrices.verify(rung->transposes));
  REQUIRE(timing.counted);
  return timing.traffic;
}

template <class E>
void check_conflicts(int m, int n) {
  CAPTURE(m);
  CAPTURE(n);
  for (const TransposeRung<E>& rung : rungs<E>) {
    if (rung.name == std::string_view("tile") || !rung.takes(m, n)) continue;
    CAPTURE(full_name(rung));
    CHECK(traffic_of<E>(rung.name, m, n).shared_bank_conflicts == 0);
  }
}

}  // namespace

TEST_CASE("traffic: no conflict, neither of loads nor of stores, but in the plain tile") {
  needs_counts();
  for (const auto& [m, n] : {std::pair{256, 248}, {137, 259}, {131, 120}, {190, 1}, {3, 301}}) {
    check_conflicts<float>(m, n);
    check_conflicts<TwoBytes>(m, n);
  }
}

// A window of 124 floats is 31 chunks, for which 32 are read, and one of 64 rows is read with 8
// more. 32 chunks are 16 sectors, or 17 where they begin in the middle of one.
TEST_CASE(
    "traffic: with no shape of any convenience whole sectors are written, few are read twice") {
  needs_counts();
  const int m = 2049;
  const int n = 125;
  const double sectors = m * n / 8.0;
  const course::TrafficCounts any = traffic_of<float>("any shape", m, n);
  // Only at its ends is a row of B written element by element: three of them and a chunk at either.
  CHECK(static_cast<double>(any.global_store_sectors) < sectors + 8 * n);
  CHECK(static_cast<double>(any.global_load_sectors) < 72.0 / 64 * 16.5 / 15.5 * sectors + 3 * m);
  // By tiles, a piece of 32 floats is in five sectors wherever it does not begin with one.
  const course::TrafficCounts tiles = traffic_of<float>("swizzled", m, n);
  CHECK(static_cast<double>(tiles.global_load_sectors) > 1.17 * sectors);
  CHECK(static_cast<double>(tiles.global_store_sectors) > 1.17 * sectors);
}
