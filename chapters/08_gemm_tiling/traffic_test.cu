#define main chapter_main  // not the main() of the test
#include "gemm_tiling.cu"
#undef main

#include <doctest/doctest.h>

// Where the sectors come from. A shift of B by half a sector gives each piece of it that a warp
// reads one sector more, and leaves those of A as they are; and the other way round.
TEST_CASE("traffic of A and of B apart: 8 and 8 with tiles of 16, 8 and 32 with tiles of 32") {
  course::device();
  if (!course::on_emulator) {
    std::puts("SKIPPED: traffic is counted on the emulator only");
    std::exit(77);
  }
  const int m = 64;
  const int n = 96;
  const int k = 160;
  const auto values = [](int count) { return course::exact_vector(count + 4, k); };
  course::DeviceArray<float> A(values(m * k));
  course::DeviceArray<float> B(values(k * n));
  course::DeviceArray<float> C(m * n);
  const auto sectors = [&](auto launch, int a_shift, int b_shift) {
    const course::Timing timing = TIME_EVENTS(course::Options(), C.poison(),
                                              launch(A + a_shift, B + b_shift, C + 0, m, n, k));
    return static_cast<long>(timing.traffic.global_load_sectors);
  };
  const long steps = m * n / 32 * k;  // of all warps
  // A row of 32 threads reads one piece of B a step, of 4 sectors; two rows of 16 read the same
  // piece, of 2. As tiles, both matrices come in one piece of 4 sectors, or two of 2.
  const auto check = [&](auto naive, auto tiled, int tile, long a_step, long b_step) {
    CAPTURE(tile);
    const long pieces = 32 / tile;  // a request of a tile
    const long of_naive_b = sectors(naive, 0, 4) - sectors(naive, 0, 0);
    CHECK(of_naive_b == steps);
    CHECK(sectors(naive, 0, 0) == a_step * steps + b_step * of_naive_b);
    const long of_tiled_a = (sectors(tiled, 4, 0) - sectors(tiled, 0, 0)) / pieces;
    const long of_tiled_b = (sectors(tiled, 0, 4) - sectors(tiled, 0, 0)) / pieces;
    CHECK(of_tiled_a == steps / tile);  // requests
    CHECK(of_tiled_b == steps / tile);
    CHECK(sectors(tiled, 0, 0) == 4 * of_tiled_a + 4 * of_tiled_b);
    CHECK(a_step * steps == 8 * (4 * of_tiled_a));
    CHECK(b_step * steps == (tile == 16 ? 8 : 32) * (4 * of_tiled_b));
  };
  const auto naive = [](int side) {
    return [side](auto... arguments) { launch_naive(arguments..., side); };
  };
  check(naive(16), launch_tiled<16>, 16, 2, 2);
  check(naive(32), launch_tiled<32>, 32, 1, 4);
}
