#define main chapter_main  // not the main() of the test
#include "gemm_registers.cu"
#undef main

#include <doctest/doctest.h>

#ifdef CUDA_EMULATOR
namespace {

// What a rung asks of shared memory, as its page predicts it. Loads are those of a warp at a step
// of k, stores those of a warp for a tile of 16 steps.
struct Prediction {
  const char* rung;
  int side;   // of the block's tile of C
  int sums;   // of a thread
  int loads;  // instructions
  int load_wavefronts;
  int load_conflicts;
  int stores;
  int store_wavefronts;
  int store_conflicts;
  int barriers;  // a tile
};

constexpr Prediction predictions[] = {
    // One of B and eight of A, each a broadcast.
    {"8 x 1", 64, 8, 9, 9, 0, 4, 4, 0, 2},
    // Eight of each: of A two rows, of B 16 neighbours.
    {"8 x 8", 128, 64, 16, 16, 0, 16, 16, 0, 2},
    // Two of each. A: lanes 2 i and 2 i + 1 agree, so 16 are served at once: 2 wavefronts each. B:
    // four groups of 8 lanes, 32 bytes from lane to lane: 2 wavefronts for each group.
    {"16 bytes", 128, 64, 4, 2 * 2 + 2 * 8, 2 * 4, 10, 8 * 4 + 2 * 4, 8 * 3, 2},
    // B: four groups of 8 lanes that are side by side.
    {"warp tiles", 128, 64, 4, 2 * 2 + 2 * 4, 0, 10, 8 * 4 + 2 * 4, 8 * 3, 2},
    // Lanes 2 i and 2 i + 1 agree on A, lanes with a distance of 2 on B: 16 at once for both.
    {"lane pairs", 128, 64, 4, 2 * 2 + 2 * 2, 0, 10, 8 * 4 + 2 * 4, 8 * 3, 2},
    // A store of A: 8 rows at 4 steps of k. They share 8 banks, 16, or have 32.
    {"padded", 128, 64, 4, 2 * 2 + 2 * 2, 0, 10, 8 * 2 + 2 * 4, 8 * 1, 2},
    {"swizzled", 128, 64, 4, 2 * 2 + 2 * 2, 0, 10, 8 * 1 + 2 * 4, 0, 2},
    {"double-buffered", 128, 64, 4, 2 * 2 + 2 * 2, 0, 10, 8 * 1 + 2 * 4, 0, 1},
    {"block order", 128, 64, 4, 2 * 2 + 2 * 2, 0, 10, 8 * 1 + 2 * 4, 0, 1}};

}  // namespace
#endif

TEST_CASE("shared memory: instructions, wavefronts and conflicts are what the page predicts") {
  course::device();
  if (!course::counts_traffic) {
    std::puts("SKIPPED: traffic is counted on the emulator only");
    std::exit(77);
  }
#ifdef CUDA_EMULATOR
  REQUIRE(std::size(predictions) == kernels.size());
  const int m = 128;
  const int n = 256;
  const int k = 48;
  const course::DeviceArray<float> A(course::exact_vector(m * k, k));
  const course::DeviceArray<float> B(course::exact_vector(k * n, k));
  course::DeviceArray<float> C(m * n);
  for (size_t i = 0; i < kernels.size(); ++i) {
    const Prediction& p = predictions[i];
    REQUIRE(kernels[i].name == p.rung);
    CAPTURE(p.rung);
    const auto launches = course::record_traffic([&] { kernels[i].launch(A, B, C, m, n, k); });
    REQUIRE(launches.size() == 1);
    const emulator::Traffic& t = launches[0].traffic;
    const int warps = m * n / p.sums / 32;
    // With two buffers one tile more is stored, beyond the end of k, and there is one barrier more.
    const int tiles = k / depth + (p.barriers == 1 ? 1 : 0);
    CHECK(t.shared_load_instructions == warps * k * p.loads);
    CHECK(t.shared_load_wavefronts == warps * k * p.load_wavefronts);
    CHECK(t.shared_load_bank_conflicts == warps * k * p.load_conflicts);
    CHECK(t.shared_store_instructions == warps * tiles * p.stores);
    CHECK(t.shared_store_wavefronts == warps * tiles * p.store_wavefronts);
    CHECK(t.shared_store_bank_conflicts == warps * tiles * p.store_conflicts);
    CHECK(t.barriers == warps * tiles * p.barriers);
    // Each element of A once for the columns of a block, each of B once for its rows.
    CHECK(t.global_load_sectors == 2 * m * n * k / p.side / 8);
  }
#endif
}

#ifdef CUDA_EMULATOR
template <int R, int C>
void check_work() {
  CAPTURE(R);
  CAPTURE(C);
  const int m = 16 * R;
  const int n = 16 * C;
  const int k = 32;
  const course::DeviceArray<float> A(course::exact_vector(m * k, k));
  const course::DeviceArray<float> B(course::exact_vector(k * n, k));
  course::DeviceArray<float> to(m * n);
  const auto launches =
      course::record_traffic([&] { launch_early<R, C, InGroups>(A, B, to, m, n, k); });
  REQUIRE(launches.size() == 1);
  const emulator::Traffic& t = launches[0].traffic;
  CHECK(t.shared_load_instructions == 8 * k * (R + C) / 4);  // 8 warps
  CHECK(t.shared_load_wavefronts == 8 * k * (R + C) / 2);
  CHECK(t.shared_load_bank_conflicts + t.shared_store_bank_conflicts == 0);
}
#endif

TEST_CASE("more sums a thread: R + C numbers for R C multiply-adds") {
  course::device();
  if (!course::counts_traffic) {
    std::puts("SKIPPED: traffic is counted on the emulator only");
    std::exit(77);
  }
#ifdef CUDA_EMULATOR
  check_work<4, 4>();
  check_work<4, 8>();
  check_work<8, 4>();
  check_work<8, 8>();
  check_work<8, 16>();
  check_work<16, 8>();
#endif
}
