#define main chapter_main  // not the main() of the test
#include "warp.cu"
#undef main

#include <doctest/doctest.h>

namespace {

// What a launch asks of shared memory, and how often its warps come to a barrier.
#ifdef CUDA_EMULATOR
template <class Work>
std::string counts_of(Work work, unsigned warps) {
  const auto launches = course::record_traffic(work);
  REQUIRE(launches.size() == 1);
  const emulator::Traffic& t = launches[0].traffic;
  CHECK(t.shared_load_bank_conflicts + t.shared_store_bank_conflicts == 0);
  CHECK(t.barriers % warps == 0);
  return std::to_string(t.barriers / warps) + " barriers, " +
         std::to_string(t.shared_load_instructions) + " loads, " +
         std::to_string(t.shared_store_instructions) + " stores";
}
template <class Work>
emulator::Traffic traffic_of(Work work) {
  return course::total(course::record_traffic(work));
}
#else
template <class Work>
std::string counts_of(Work, unsigned) {
  std::puts("SKIPPED: traffic is counted on the emulator only");
  std::exit(77);
}
struct Counts {
  unsigned long long global_atomic_requests, global_atomic_sectors;
};
template <class Work>
Counts traffic_of(Work) {
  std::puts("SKIPPED: traffic is counted on the emulator only");
  std::exit(77);
}
#endif

std::string scan_counts(size_t way, unsigned warps) {
  course::DeviceArray<unsigned> x(numbers(chunk)), y(chunk), starts(1);
  return counts_of([&] { scans[way].launch({x, chunk, y, starts}); }, warps);
}

std::string exchange_counts(const std::string& name) {
  for (const Exchange& e : all_exchanges()) {
    if (e.name != name) continue;
    course::DeviceArray<unsigned> x(numbers(block)), y(block);
    return counts_of([&] { e.launch(x, block, y); }, block / 32);
  }
  return "no such exchange";
}

}  // namespace

// The table of the page: one block, 1,024 elements.
TEST_CASE("traffic: barriers and shared memory of a block that scans") {
  course::device();
  CHECK(scan_counts(0, 32) == "21 barriers, 289 loads, 352 stores");
  CHECK(scan_counts(1, 32) == "1 barriers, 32 loads, 32 stores");
  CHECK(scan_counts(2, 32) == "2 barriers, 64 loads, 64 stores");
  CHECK(scan_counts(3, 32) == "1 barriers, 31 loads, 32 stores");  // the first warp asks for none
  CHECK(scan_counts(4, 8) == "1 barriers, 7 loads, 8 stores");
}

// Eight warps: shuffles take nothing, by way of shared memory each step is a store and a load.
TEST_CASE("traffic: shuffles and votes use no memory") {
  course::device();
  CHECK(exchange_counts("butterfly 32") == "0 barriers, 0 loads, 0 stores");
  CHECK(exchange_counts("peers by ballots") == "0 barriers, 0 loads, 0 stores");
  CHECK(exchange_counts("xor in shared") == "0 barriers, 8 loads, 8 stores");
  CHECK(exchange_counts("sum in shared") == "0 barriers, 40 loads, 40 stores");
}

// 8192 elements are 256 warps, 32 blocks of one an element, 2 blocks of 16 a thread. Lanes that
// mean one word wait for each other: a sector each.
TEST_CASE("traffic: an append asks for a place once a lane, once a warp, once a block") {
  course::device();
  const size_t n = 8192;
  const std::vector<unsigned> values = numbers(n);
  const auto kept = static_cast<size_t>(std::count_if(values.begin(), values.end(), is_kept));
  course::DeviceArray<unsigned> x(values), y(n);
  course::DeviceArray<unsigned> count(1);
  const size_t sectors[] = {kept, 256, 256, 2};
  const size_t requests[] = {256, 256, 256, 2};
  for (size_t k = 0; k < appends.size(); ++k) {
    CAPTURE(appends[k].name);
    const auto traffic = traffic_of([&] { appends[k].launch({x, n, y, count}); });
    CHECK(traffic.global_atomic_requests == requests[k]);
    CHECK(traffic.global_atomic_sectors == sectors[k]);
  }
}
