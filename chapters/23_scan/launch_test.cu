#define main chapter_main  // not the main() of the test
#include "scan.cu"
#undef main

#include <doctest/doctest.h>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// Around a lane's four, a row, a warp, a tile of each kind, and what two and more of them hold.
const std::vector<size_t> sizes = {0,    1,    2,    3,    5,     31,    32,   33,   127,
                                   128,  129,  257,  1023, 1025,  2047,  2048, 2049, 4099,
                                   8191, 8192, 8193, 9001, 16384, 16385, 20011};

// So small that an array of many tiles is short: a warp looks back several times, and there are
// several groups.
struct TinyTile {
  static constexpr int threads = 64, rows = 1;
};
const std::vector<size_t> tiny_sizes = {1, 255, 256, 257, 33 * 256 + 1, 129 * 256 + 3};
// And several regions.
const std::vector<size_t> long_sizes = {1, 257, 128 * 256, 1024 * 256, 1100 * 256 + 77};

// x -> a x + b, modulo 2^16, a in the upper half: one after the other is associative, and not
// commutative.
struct Affine {
  using Carry = unsigned;
  static __host__ __device__ unsigned identity() { return 1U << 16; }
  static __host__ __device__ unsigned combine(unsigned f, unsigned g) {
    const unsigned a = (f >> 16) * (g >> 16);
    const unsigned b = (g >> 16) * (f & 0xFFFFU) + (g & 0xFFFFU);
    return a << 16 | (b & 0xFFFFU);
  }
};

std::vector<unsigned> numbers(size_t n) {
  std::vector<unsigned> x(n);
  for (size_t i = 0; i < n; ++i) x[i] = static_cast<unsigned>(i + 1) * 2654435769U | 0x10000U;
  return x;
}
template <class T>
std::vector<T> numbers_as(size_t n) {
  const std::vector<unsigned> bits = numbers(n);
  std::vector<T> x(n);
  for (size_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      x[i] = static_cast<float>(bits[i] % 7) - 3;
    } else {
      x[i] = static_cast<T>(bits[i]);
    }
  }
  return x;
}

template <class Op, bool inclusive, class T>
std::vector<T> expected_of(const std::vector<T>& x) {
  std::vector<T> y(x.size());
  T before = Op::identity();
  for (size_t i = 0; i < x.size(); ++i) {
    const T all = Op::combine(before, x[i]);
    y[i] = inclusive ? all : before;
    before = all;
  }
  return y;
}

// Two launches, since what one leaves behind is what the next one finds.
template <class T, class Launch>
void check_launch(const std::vector<T>& values, const std::vector<T>& expected, Launch launch) {
  GuardedArray<T> x(values);
  GuardedArray<T> y(values.size());
  for (int run = 0; run < 2; ++run) {
    y.poison();
    launch(x.data(), values.size(), y.data());
    CHECK(y.to_host() == expected);
    CHECK(x.intact());
    CHECK(y.intact());
  }
  CHECK(x.to_host() == values);
}

template <class Op, class Wait, bool inclusive>
void check_operator(const std::vector<size_t>& all_sizes, const TileState& state) {
  using T = typename Op::Carry;
  CAPTURE(inclusive);
  for (const size_t n : all_sizes) {
    CAPTURE(n);
    const std::vector<T> x = numbers_as<T>(n);
    check_launch(x, expected_of<Op, inclusive>(x), [&](const T* from, size_t count, T* to) {
      scan::launch_tiles<Op, Wait, inclusive, TinyTile>(Array<T>{from}, count, to, state);
    });
  }
}
template <class Wait>
void check_wait(const std::vector<size_t>& all_sizes) {
  scan::TileStateMemory memory(all_sizes.back(), 256);
  const TileState state = memory.arguments();
  check_operator<Affine, Wait, true>(all_sizes, state);
  check_operator<Affine, Wait, false>(all_sizes, state);
  check_operator<scan::Sum<unsigned>, Wait, true>({100 * 256}, state);
  check_operator<scan::Largest<int>, Wait, true>({40 * 256 + 5}, state);
  check_operator<scan::Largest<float>, Wait, false>({40 * 256 + 5}, state);
}

// Segments of 1 element and of many, and those in which a tile has no start.
template <class Wait, bool inclusive>
void check_segments() {
  using Op = scan::BySegments<scan::Sum<unsigned>>;
  scan::TileStateMemory memory(tiny_sizes.back(), 256);
  for (const size_t n : tiny_sizes) {
    for (const size_t every : {size_t{1}, size_t{3}, size_t{1000}, n}) {
      CAPTURE(n);
      CAPTURE(every);
      const std::vector<unsigned> x = numbers(n);
      std::vector<unsigned char> starts(n);
      std::vector<unsigned> expected(n);
      scan::Segment<unsigned> before = Op::identity();
      for (size_t i = 0; i < n; ++i) {
        starts[i] = (i * i + 1) % every == 0 ? 1 : 0;
        const auto all = Op::combine(before, {x[i], starts[i]});
        expected[i] = inclusive ? all.value : before.value;
        before = all;
      }
      GuardedArray<unsigned char> d_starts(starts);
      check_launch(x, expected, [&](const unsigned* from, size_t count, unsigned* to) {
        const scan::SegmentedArray<unsigned> source{from, d_starts.data()};
        scan::launch_tiles<Op, Wait, inclusive, TinyTile>(source, count, to, memory.arguments());
      });
    }
  }
}

void check_compaction(const std::vector<float>& x, const TileState& state) {
  const std::vector<double> both_lists = partition_on_cpu(x);
  const auto kept = static_cast<size_t>(std::count_if(x.begin(), x.end(), IsPositive{}));
  const std::vector<float> first(both_lists.begin(), both_lists.begin() + kept);
  const std::vector<float> others(both_lists.begin() + kept, both_lists.end());
  GuardedArray<float> d_x(x);
  for (const bool both : {false, true}) {
    CAPTURE(both);
    GuardedArray<float> list(kept);  // not one element more
    GuardedArray<float> rest(others.size());
    GuardedArray<unsigned> count(1);
    scan::launch_compact(static_cast<const float*>(d_x.data()), x.size(), IsPositive{}, list.data(),
                         both ? rest.data() : nullptr, count.data(), state);
    CHECK(count.to_host()[0] == kept);
    CHECK(list.to_host() == first);
    if (both) CHECK(rest.to_host() == others);
    CHECK(list.intact());
    CHECK(rest.intact());
    CHECK(count.intact());
  }
}

}  // namespace

TEST_CASE("every rung: sizes of all kinds, nothing touched beside them") {
  course::device();  // ends the test as skipped where there is none
  scan::TileStateMemory memory(sizes.back());
  for (const size_t n : sizes) {
    const std::vector<float> x = course::exact_vector(n, n + 1);
    for (const ScanRung& rung : scans_here()) {
      CAPTURE(n);
      CAPTURE(rung.name);
      check_launch(x, expected_of<Floats, true>(x),
                   [&](const float* from, size_t count, float* to) {
                     rung.launch(from, count, to, memory.arguments());
                   });
    }
  }
}

TEST_CASE("operators that do not commute, inclusive and exclusive, over many tiles: chained") {
  course::device();
  check_wait<scan::Chained>(tiny_sizes);
  // A volatile poll keeps a host thread busy until a timer comes: here that must not be often.
  scan::TileStateMemory memory(tiny_sizes.back(), 256);
  check_operator<Affine, scan::ChainedByFences, true>({1, 257, 20 * 256 + 5}, memory.arguments());
}
TEST_CASE("operators that do not commute, inclusive and exclusive, over many tiles: look-back") {
  course::device();
  check_wait<scan::OneLooksBack>(tiny_sizes);
  check_wait<scan::WarpLooksBack>(tiny_sizes);
  check_wait<scan::WarpLooksApart>(tiny_sizes);
  check_wait<scan::InGroups>(long_sizes);
  check_wait<scan::InGroupsApart>(long_sizes);
}

TEST_CASE("reduce-then-scan, exclusive") {
  course::device();
  const size_t n = 5 * scan::size_of<scan::LargeTile> + 3;
  scan::TileStateMemory memory(n);
  const std::vector<unsigned> x = numbers(n);
  check_launch(x, expected_of<Affine, false>(x),
               [&](const unsigned* from, size_t count, unsigned* to) {
                 scan::launch_reduce_then_scan<Affine, false>(Array<unsigned>{from}, count, to,
                                                              memory.arguments());
               });
}

// More tiles than blocks, so that each block goes round its ring.
TEST_CASE("persistent blocks: any operator, exclusive, in groups; lists") {
  course::device();
  if (course::device().compute_capability < 90) {
    MESSAGE("SKIPPED: for compute capability 9.0 and later");
    return;
  }
  using Tile = scan::Ahead<64, 4, 3, 1>;
  const size_t many = size_t{4} * course::device().multiprocessors * 1024;
  scan::TileStateMemory memory(many + 77, 1024);
  const TileState state = memory.arguments();
  for (const size_t n :
       {size_t{1}, size_t{1023}, size_t{1024}, size_t{1025}, size_t{9001}, many + 77}) {
    CAPTURE(n);
    const std::vector<unsigned> x = numbers(n);
    check_launch(x, expected_of<Affine, false>(x),
                 [&](const unsigned* from, size_t count, unsigned* to) {
                   scan::launch_ahead<scan::WarpLooksBack, Tile>(
                       from, count, scan::ScanWork<Affine, false>{to}, state);
                 });
    check_launch(x, expected_of<Affine, true>(x),
                 [&](const unsigned* from, size_t count, unsigned* to) {
                   scan::launch_ahead<scan::InGroupsApart, Tile>(
                       from, count, scan::ScanWork<Affine, true>{to}, state);
                 });
    const std::vector<float> floats = numbers_as<float>(n);
    const std::vector<double> lists = partition_on_cpu(floats);
    const auto kept =
        static_cast<size_t>(std::count_if(floats.begin(), floats.end(), IsPositive{}));
    GuardedArray<float> d_x(floats);
    GuardedArray<float> list(kept);
    GuardedArray<float> rest(n - kept);
    GuardedArray<unsigned> count(1);
    const scan::ListWork<IsPositive, true, float> work{{}, list.data(), rest.data(), count.data()};
    scan::launch_ahead<scan::WarpLooksApart, Tile>(static_cast<const float*>(d_x.data()), n, work,
                                                   state);
    CHECK(count.to_host()[0] == kept);
    CHECK(list.to_host() == std::vector<float>(lists.begin(), lists.begin() + kept));
    CHECK(rest.to_host() == std::vector<float>(lists.begin() + kept, lists.end()));
    CHECK(list.intact());
    CHECK(rest.intact());
  }
}

TEST_CASE("segments") {
  course::device();
  check_segments<scan::WarpLooksBack, true>();
  check_segments<scan::WarpLooksBack, false>();
  check_segments<scan::InGroups, true>();
}

TEST_CASE("in place") {
  course::device();
  const std::vector<float> values = course::exact_vector(20011, 20011);
  scan::TileStateMemory memory(values.size());
  for (const ScanRung& rung : scans_here()) {
    if (std::string(rung.name) == "tree") continue;  // reads x again after it has written y
    CAPTURE(rung.name);
    GuardedArray<float> x(values);
    rung.launch(x.data(), values.size(), x.data(), memory.arguments());
    CHECK(x.to_host() == expected_of<Floats, true>(values));
  }
}

// Each finds what launches of other kinds and of other sizes have left.
TEST_CASE("one state for launches of all kinds, one after the other") {
  course::device();
  scan::TileStateMemory memory(40000);
  const TileState state = memory.arguments();
  for (const size_t n : {40000, 2049, 30001, 1, 9000, 40000}) {
    const std::vector<float> x = course::exact_vector(n, n + 1);
    GuardedArray<float> d_x(x);
    GuardedArray<float> y(n);
    for (const ScanRung& rung : scans_here()) {
      CAPTURE(n);
      CAPTURE(rung.name);
      y.poison();
      rung.launch(d_x.data(), n, y.data(), state);
      CHECK(y.to_host() == expected_of<Floats, true>(x));
      check_compaction(x, state);
    }
  }
}

TEST_CASE("epochs begin anew") {
  course::device();
  const std::vector<float> x = course::exact_vector(10000, 10000);
  scan::TileStateMemory memory(x.size());
  const TileState state = memory.arguments();
  const scan::Word last = static_cast<scan::Word>(scan::epochs - 2) << 32;
  CUDA_CHECK(cudaMemcpy(state.ticket, &last, sizeof last, cudaMemcpyHostToDevice));
  for (int launch = 0; launch < 3; ++launch) {
    for (const ScanRung& rung : scans_here()) {
      CAPTURE(rung.name);
      check_launch(x, expected_of<Floats, true>(x), [&](const float* from, size_t n, float* to) {
        rung.launch(from, n, to, state);
      });
    }
  }
}

// A chain, and look-back in groups, add in the same order every time. They differ in how they group
// the tiles, so in their bits.
TEST_CASE("the same bits every time, of random floats") {
  course::device();
  const size_t n = course::on_emulator ? 1100 * 256 + 9 : 5000011;
  const std::vector<float> x = course::random_vector(n);
  scan::TileStateMemory memory(n, 256);
  course::DeviceArray<float> d_x(x), d_y(n);
  const auto check = [&](auto wait) {
    std::set<std::vector<float>> results;
    for (int run = 0; run < 4; ++run) {
      scan::launch_tiles<Floats, decltype(wait), true, TinyTile>(
          Array<float>{d_x}, n, static_cast<float*>(d_y), memory.arguments());
      results.insert(d_y.to_host());
    }
    CHECK(results.size() == 1);
  };
  check(scan::Chained{});
  check(scan::InGroups{});
}

TEST_CASE("compaction and partition: sizes of all kinds") {
  course::device();
  scan::TileStateMemory memory(sizes.back());
  for (const size_t n : sizes) {
    CAPTURE(n);
    check_compaction(course::exact_vector(n, n + 1, 7), memory.arguments());
  }
}

TEST_CASE("compaction of all, of none, and of what is far apart") {
  course::device();
  const size_t n = 20011;
  scan::TileStateMemory memory(n);
  check_compaction(std::vector<float>(n, 1), memory.arguments());
  check_compaction(std::vector<float>(n, -1), memory.arguments());
  std::vector<float> x(n, -2);
  for (const size_t i : {size_t{0}, size_t{4095}, size_t{4096}, n - 1}) x[i] = 3;
  check_compaction(x, memory.arguments());
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
  const std::vector<size_t> places = {0, 5, size_t{1} << 31, n - 1};
  course::DeviceArray<float> x(n), y(n);
  scan::TileStateMemory memory(n);
  CUDA_CHECK(cudaMemset(x, 0, x.bytes()));
  const float one = 1;
  for (const size_t place : places) {
    CUDA_CHECK(cudaMemcpy(x + place, &one, sizeof one, cudaMemcpyHostToDevice));
  }
  const auto at = [&](size_t i) {
    float value = 0;
    CUDA_CHECK(cudaMemcpy(&value, y + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  };
  for (const ScanRung& rung : scans_here()) {
    CAPTURE(rung.name);
    y.poison();
    rung.launch(x, n, y, memory.arguments());
    CHECK(at(0) == 1);
    CHECK(at(places[2] - 1) == 2);
    CHECK(at(places[2]) == 3);
    CHECK(at(n - 2) == 3);
    CHECK(at(n - 1) == 4);
  }
}
