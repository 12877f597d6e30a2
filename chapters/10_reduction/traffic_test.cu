#define main chapter_main  // not the main() of the test
#include "reduction.cu"
#undef main

#include <doctest/doctest.h>

namespace {

// What one block asks of shared memory, and how often each of its warps comes to a barrier.
#ifdef CUDA_EMULATOR
std::string counts_of(const SumRung<int>& rung, size_t n, unsigned warps) {
  SumOnDevice<int> sum(std::vector<int>(n, 1));
  sum.restore();
  const auto launches = course::record_traffic([&] { sum.run(rung); });
  REQUIRE(launches.size() == 1);
  CHECK(sum.result() == static_cast<int>(n));
  const emulator::Traffic& t = launches[0].traffic;
  CHECK(t.shared_load_bank_conflicts + t.shared_store_bank_conflicts == 0);
  CHECK(t.shared_load_wavefronts == t.shared_load_instructions);
  CHECK(t.barriers % warps == 0);
  return std::to_string(t.barriers / warps) + " barriers, " +
         std::to_string(t.shared_load_instructions) + " loads, " +
         std::to_string(t.shared_store_instructions) + " stores";
}
#else
std::string counts_of(const SumRung<int>&, size_t, unsigned) {
  std::puts("SKIPPED: traffic is counted on the emulator only");
  std::exit(77);
}
#endif

}  // namespace

// The table of the page.
TEST_CASE("traffic: barriers and shared memory of one block") {
  course::device();
  CHECK(counts_of(rungs<int>[0], 512, 16) == "9 barriers, 0 loads, 0 stores");
  CHECK(counts_of(rungs<int>[1], 2048, 16) == "5 barriers, 0 loads, 0 stores");
  CHECK(counts_of(rungs<int>[2], 2048, 16) == "10 barriers, 41 loads, 36 stores");
  CHECK(counts_of(rungs<int>[3], 2048, 16) == "1 barriers, 1 loads, 16 stores");
  CHECK(counts_of(rungs<int>[6], 16384, 32) == "1 barriers, 1 loads, 32 stores");
}
