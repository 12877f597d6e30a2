#define main chapter_main  // not the main() of the test
#include "histogram.cu"
#undef main

#include <doctest/doctest.h>

#ifdef CUDA_EMULATOR
namespace {

emulator::Traffic traffic_of(const std::function<void()>& work) {
  const auto launches = course::record_traffic(work);
  REQUIRE(launches.size() == 1);
  return launches[0].traffic;
}

}  // namespace

// The model of the page counts what the emulator counts, whatever the input.
TEST_CASE("traffic: wavefronts of shared atomics are the most words of a bank") {
  const size_t n = 1 << 15;
  for (const Input input : all_inputs) {
    const std::vector<Byte> x = make_bytes(input, n);
    const course::DeviceArray<Byte> on_device(x);
    course::DeviceArray<unsigned> counts(byte_bins);
    for (const Layout& layout : layouts) {
      CAPTURE(layout.rung.name);
      const emulator::Traffic t = traffic_of([&] { layout.rung.launch({on_device, n, counts}); });
      CHECK(t.shared_atomic_instructions == n / 32);
      CHECK(t.shared_atomic_wavefronts == wavefronts_of(layout, x));
      CHECK(t.shared_load_bank_conflicts + t.shared_store_bank_conflicts == 0);
    }
  }
}

TEST_CASE("traffic: private counters take a load and a store per byte and meet in no bank") {
  const size_t n = 1 << 15;
  const course::DeviceArray<Byte> x(make_bytes(Input::random, n));
  course::DeviceArray<unsigned> counts(byte_bins);
  const emulator::Traffic t = traffic_of([&] { byte_rungs.back().launch({x, n, counts}); });
  CHECK(t.shared_atomic_instructions == 0);
  CHECK(t.shared_load_bank_conflicts + t.shared_store_bank_conflicts == 0);
}
#else
TEST_CASE("traffic is counted") {
  std::puts("SKIPPED: traffic is counted on the emulator only");
  std::exit(77);
}
#endif
