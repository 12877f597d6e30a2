#define main chapter_main  // not the main() of the test
#include "warp.cu"
#undef main

#include <doctest/doctest.h>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// Around a group, a warp, a block, and a chunk; primes.
const std::vector<size_t> sizes = {0,    1,    2,    3,    5,    7,    8,    9,    15,   17,   31,
                                   32,   33,   63,   64,   65,   127,  255,  256,  257,  511,  1009,
                                   1023, 1024, 1025, 2047, 4095, 4096, 4097, 8191, 9001, 65537};

// Numbers of which there are many, a few, or only one.
std::vector<unsigned> few_numbers(size_t n, unsigned how_many) {
  std::vector<unsigned> x = numbers(n);
  for (unsigned& value : x) value %= how_many;
  return x;
}

// Runs a launch function from x to y of the same size, and looks at the memory beside them.
template <class Launch>
void check_launch(const std::vector<unsigned>& values, const std::vector<unsigned>& expected,
                  Launch launch) {
  GuardedArray<unsigned> x(values);
  GuardedArray<unsigned> y(values.size());
  launch(x.data(), values.size(), y.data());
  CHECK(verify_numbers(y.to_host(), expected).passed);
  CHECK(x.intact());
  CHECK(y.intact());
  CHECK(x.to_host() == values);
}

// A block of `threads` threads scans its elements in `way`; ragged at the end.
template <template <int> class Scan, int threads, int items>
void check_block_scan() {
  CAPTURE(threads);
  CAPTURE(items);
  constexpr size_t elements = threads * items;
  for (const size_t n : {size_t{1}, elements - 1, elements, 2 * elements + 13}) {
    const std::vector<unsigned> values = numbers(n);
    std::vector<unsigned> expected(n);
    for (size_t i = 0; i < n; ++i) {
      expected[i] = values[i] + (i % elements == 0 ? 0 : expected[i - 1]);
    }
    check_launch(values, expected, [](const unsigned* x, size_t count, unsigned* y) {
      scan_chunks<Scan, threads, items>
          <<<blocks_for(count, elements), threads>>>(x, count, nullptr, y);
      CUDA_CHECK_LAUNCH();
    });
  }
}

template <template <int> class Scan>
void check_way() {
  check_block_scan<Scan, 64, 1>();
  check_block_scan<Scan, 128, 3>();
  check_block_scan<Scan, 256, 16>();
  check_block_scan<Scan, 512, 4>();
  check_block_scan<Scan, 1024, 2>();
}

}  // namespace

TEST_CASE("exchanges and votes: every lane of every width, with many values and with few") {
  course::device();  // ends the test as skipped where there is none
  for (const Exchange& e : all_exchanges()) {
    CAPTURE(e.name);
    for (const size_t n : {0, 1, 2, 31, 32, 33, 257, 1009}) {
      for (const unsigned how_many : {~0U, 3U, 1U}) {
        CAPTURE(n);
        CAPTURE(how_many);
        const std::vector<unsigned> x = few_numbers(n, how_many);
        check_launch(x, exchange_on_cpu(e, x), e.launch);
      }
    }
  }
}

// Whole warps of equal, odd or even values: what votes say in the rare cases.
TEST_CASE("votes where all agree") {
  course::device();
  for (const unsigned value : {0U, 1U, 2U, 0xFFFFFFFFU}) {
    for (const Exchange& e : all_exchanges()) {
      CAPTURE(e.name);
      CAPTURE(value);
      const std::vector<unsigned> x(512, value);
      check_launch(x, exchange_on_cpu(e, x), e.launch);
    }
  }
}

TEST_CASE("elements change hands in pairs of lanes, what is left over stays") {
  course::device();
  for (const size_t n : sizes) {
    CAPTURE(n);
    const std::vector<unsigned> x = numbers(n);
    check_launch(x, swap_in_pairs_on_cpu(x), launch_swap_in_pairs);
  }
}

TEST_CASE("a rotation of those who are there, however few") {
  course::device();
  for (const size_t n : sizes) {
    CAPTURE(n);
    const std::vector<unsigned> x = numbers(n);
    check_launch(x, rotate_who_is_there_on_cpu(x), launch_rotate_who_is_there);
  }
}

TEST_CASE("scans: sizes of all kinds, nothing touched beside them") {
  course::device();
  for (const size_t n : sizes) {
    const std::vector<unsigned> x = numbers(n);
    for (const ScanVariant& scan : scans) {
      CAPTURE(n);
      CAPTURE(scan.name);
      GuardedArray<unsigned> starts(n / whole_chunk + 1);
      check_launch(x, scan_on_cpu(x, scan.whole),
                   [&](const unsigned* d_x, size_t count, unsigned* d_y) {
                     scan.launch({d_x, count, d_y, starts.data()});
                   });
      CHECK(starts.intact());
    }
  }
}

// So many chunks that the block which scans their sums goes round more than once.
TEST_CASE("the whole array: more chunks than one round takes") {
  course::device();
  const size_t n = 4097 * whole_chunk + 5;
  const std::vector<unsigned> x = numbers(n);
  GuardedArray<unsigned> starts(n / whole_chunk + 1);
  check_launch(x, scan_on_cpu(x, true), [&](const unsigned* d_x, size_t count, unsigned* d_y) {
    launch_whole({d_x, count, d_y, starts.data()});
  });
  CHECK(starts.intact());
}

TEST_CASE("every way to scan a block, of 64 to 1,024 threads") {
  course::device();
  check_way<InShared>();
  check_way<TwoStages>();
  check_way<ByOneWarp>();
  check_way<ByInstruction>();
}

TEST_CASE("appends: what is kept is there once, nothing touched beside it") {
  course::device();
  for (const size_t n : sizes) {
    const std::vector<unsigned> values = numbers(n);
    const auto kept = static_cast<size_t>(std::count_if(values.begin(), values.end(), is_kept));
    for (const AppendVariant& append : appends) {
      CAPTURE(n);
      CAPTURE(append.name);
      GuardedArray<unsigned> x(values);
      GuardedArray<unsigned> y(kept);  // not one element more
      GuardedArray<unsigned> count(1);
      append.launch({x.data(), n, y.data(), count.data()});
      const course::Verdict verdict = verify_append(y.to_host(), count.to_host()[0], n);
      CHECK_MESSAGE(verdict.passed, verdict.message);
      CHECK(y.intact());
      CHECK(count.intact());
    }
  }
}

TEST_CASE("appends of all, and of none") {
  course::device();
  for (const unsigned value : {2U, 3U}) {
    for (const AppendVariant& append : appends) {
      CAPTURE(append.name);
      const std::vector<unsigned> values(10007, value);
      GuardedArray<unsigned> x(values);
      GuardedArray<unsigned> y(value == 3 ? values : std::vector<unsigned>());
      y.poison();
      GuardedArray<unsigned> count(1);
      append.launch({x.data(), values.size(), y.data(), count.data()});
      CHECK(count.to_host()[0] == y.size());
      CHECK(y.to_host() == (value == 3 ? values : std::vector<unsigned>()));
      CHECK(y.intact());
    }
  }
}

// Clocks are a GPU's. What they are measured of is verified above; here only that it runs.
TEST_CASE("clocks are positive, and a full multiprocessor begins more often than one warp ends") {
  course::device();
  if (course::on_emulator) {
    MESSAGE("SKIPPED: clocks are a GPU's");
    return;
  }
  for (const ClocksRow& row : clocks_rows) {
    CAPTURE(row.name);
    const Clocks clocks = row.measure();
    CHECK(clocks.each > 0);
    CHECK(clocks.latency > clocks.each);
  }
}

// Beyond 2^31 elements, where an int would no longer do.
TEST_CASE("more elements than an int can count") {
  course::device();
  const size_t n = (size_t{1} << 31) + 12345;
  size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  if (course::on_emulator || free_bytes < 9 * n) {
    MESSAGE("SKIPPED: wants a GPU with 20 GiB of free memory");
    return;
  }
  // Odd numbers at few places, so that every scan and every append can be told from them.
  const std::vector<size_t> places = {0, 5, size_t{1} << 31, n - 1};
  course::DeviceArray<unsigned> x(n), y(n), starts(n / whole_chunk + 1);
  CUDA_CHECK(cudaMemset(x, 0, x.bytes()));
  for (const size_t place : places) CUDA_CHECK(cudaMemset(x + place, 1, sizeof(unsigned)));
  constexpr unsigned one = 0x01010101;
  const auto at = [&](size_t i) {
    unsigned value = 0;
    CUDA_CHECK(cudaMemcpy(&value, y + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  };
  for (const ScanVariant& scan : scans) {
    CAPTURE(scan.name);
    y.poison();
    scan.launch({x, n, y, starts});
    CHECK(at(0) == one);
    CHECK(at(chunk - 1) == 2 * one);
    CHECK(at(size_t{1} << 31) == (scan.whole ? 3 : 1) * one);
    CHECK(at(n - 2) == (scan.whole ? 3 * one : 0));
    CHECK(at(n - 1) == (scan.whole ? 4 : 1) * one);
  }
  course::DeviceArray<unsigned> count(1);
  for (const AppendVariant& append : appends) {
    CAPTURE(append.name);
    y.poison();
    append.launch({x, n, y, count});
    CHECK(count.to_host()[0] == places.size());
    for (size_t k = 0; k < places.size(); ++k) CHECK(at(k) == one);
  }
}
