#define main chapter_main  // not the main() of the test
#include "sort.cu"
#undef main

#include <doctest/doctest.h>

#include <limits>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// Around a warp, a block's network, tiles of every shape; primes.
const std::vector<size_t> sizes = {0,    1,    2,    3,    31,   32,   33,   127,  257, 1009,
                                   1792, 1793, 2048, 2049, 4096, 5120, 5121, 8448, 9001};

// The order that a sort has to give, by the host: values are the elements' places.
template <class Order>
std::vector<unsigned> order_of(const std::vector<typename Order::Key>& keys, int begin_bit,
                               int end_bit, const std::vector<size_t>& ends) {
  const auto part = [&](unsigned i) {
    const auto bits = Order::bits(keys[i]) >> begin_bit;
    const int width = end_bit - begin_bit;
    return width == Order::width ? bits : bits & ((typename Order::Bits{1} << width) - 1);
  };
  std::vector<unsigned> places(keys.size());
  for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<unsigned>(i);
  size_t begin = 0;
  for (const size_t end : ends) {
    std::stable_sort(places.begin() + begin, places.begin() + end,
                     [&](unsigned a, unsigned b) { return part(a) < part(b); });
    begin = end;
  }
  return places;
}

// Runs a launch function on keys and their places, and looks at the memory beside the arrays.
template <class Order, class Launch>
void check_sort(const std::vector<typename Order::Key>& keys, bool with_values, int begin_bit,
                int end_bit, const std::vector<size_t>& ends, Launch launch) {
  using Key = typename Order::Key;
  const size_t n = keys.size();
  std::vector<unsigned> places(n);
  for (size_t i = 0; i < n; ++i) places[i] = static_cast<unsigned>(i);
  GuardedArray<Key> d_keys(keys), d_sorted(n);
  GuardedArray<unsigned> d_values(places), d_sorted_values(n);
  GuardedArray<unsigned char> workspace(workspace_bytes<Order, unsigned>(n));
  const std::vector<unsigned> expected = order_of<Order>(keys, begin_bit, end_bit, ends);
  if (with_values) {
    launch(Sort<Order, unsigned>{d_keys.data(), d_sorted.data(), n, workspace.data(),
                                 d_values.data(), d_sorted_values.data(), begin_bit, end_bit});
    CHECK(verify_keys_of(d_sorted_values.to_host(), expected).passed);
  } else {
    launch(Sort<Order>{d_keys.data(), d_sorted.data(), n, workspace.data(), nullptr, nullptr,
                       begin_bit, end_bit});
  }
  const std::vector<Key> sorted = d_sorted.to_host();
  size_t wrong = 0;  // by bits: NaNs differ from themselves, -0 and +0 do not from each other
  for (size_t i = 0; i < n; ++i) {
    wrong += Order::bits(sorted[i]) != Order::bits(keys[expected[i]]) ? 1 : 0;
  }
  CHECK(wrong == 0);
  CHECK(d_keys.intact());
  CHECK(d_sorted.intact());
  CHECK(d_sorted_values.intact());
  CHECK(workspace.intact());
}

template <class Order>
void check_whole(const std::vector<typename Order::Key>& keys, bool with_values, int begin_bit = 0,
                 int end_bit = Order::width) {
  check_sort<Order>(keys, with_values, begin_bit, end_bit, {keys.size()},
                    [](const auto& s) { launch_sort(s); });
}

// Keys of any type, from bits without a pattern.
template <class Key>
std::vector<Key> some_keys(size_t n) {
  std::vector<Key> keys(n);
  for (size_t i = 0; i < n; ++i) {
    const std::uint64_t bits = mixed(i + 1);
    std::memcpy(&keys[i], &bits, sizeof(Key));
  }
  return keys;
}

template <class Key>
void check_type() {
  for (const size_t n : {1009, 5003}) {
    CAPTURE(n);
    check_whole<Order<Key>>(some_keys<Key>(n), true);
    check_whole<Order<Key, true>>(some_keys<Key>(n), true);
    check_whole<Order<Key>>(some_keys<Key>(n), false);
  }
}

}  // namespace

TEST_CASE("every rung, at sizes around its tiles, of every kind of keys") {
  course::device();  // ends the test as skipped where there is none
  for (const size_t n : sizes) {
    for (const std::string& kind : kinds) {
      if (kind != "random" && n != 5121) continue;
      const std::vector<unsigned> x = numbers(n, kind);
      for (const SortVariant& variant : variants) {
        CAPTURE(n);
        CAPTURE(kind);
        CAPTURE(variant.name);
        std::vector<size_t> ends;
        const size_t length = variant.run == 0 ? n : variant.run;
        for (size_t end = length; end < n; end += length) ends.push_back(end);
        ends.push_back(n);
        GuardedArray<unsigned> d_x(x), d_y(n);
        GuardedArray<unsigned char> workspace(workspace_bytes<Ascending>(n));
        variant.launch({d_x.data(), d_y.data(), n, workspace.data()});
        std::vector<unsigned> expected = order_of<Ascending>(x, 0, 32, ends);
        for (unsigned& value : expected) value = x[value];
        CHECK(verify_keys_of(d_y.to_host(), expected).passed);
        CHECK(d_x.to_host() == x);
        CHECK(d_y.intact());
        CHECK(workspace.intact());
      }
    }
  }
}

// Equal keys stay in their order, in ours however it chooses and in one sweep of both shapes.
TEST_CASE("pairs are stable") {
  course::device();
  for (const size_t n : {1, 33, 1009, 4865, 5121, 9001}) {
    for (const std::string& kind : kinds) {
      CAPTURE(n);
      CAPTURE(kind);
      const std::vector<unsigned> x = numbers(n, kind);
      check_whole<Ascending>(x, true);
      check_sort<Ascending>(x, true, 0, 32, {n},
                            [](const auto& s) { launch_one_sweep<ByPredicates>(s); });
      check_sort<Ascending>(x, true, 0, 32, {n}, [](const auto& s) {
        launch_sweeps<Shapes<Ascending, unsigned, ByBallots>::Small>(s);
      });
      check_sort<Ascending>(x, false, 0, 32, {n}, [](const auto& s) {
        launch_sweeps<typename Shapes<Ascending, NoValue, ByPredicates>::Huge>(s);
      });
    }
  }
}

TEST_CASE("one launch, of as many tiles as there are multiprocessors and no more") {
  course::device();
  using Once = Shapes<Ascending, unsigned, ByPredicates>::Once;
  const auto most = static_cast<size_t>(course::device().multiprocessors) * Once::tile;
  for (const size_t n : {size_t{1}, size_t{Once::tile}, most - 5, most}) {
    for (const int end_bit : {32, 20}) {
      CAPTURE(n);
      CAPTURE(end_bit);
      check_sort<Ascending>(numbers(n, "random"), true, 0, end_bit, {n},
                            [](const auto& s) { CHECK(launch_at_once(s)); });
    }
  }
  CHECK(!launch_at_once(Pairs{nullptr, nullptr, most + 1, nullptr}));
}

TEST_CASE("words of 64 bits, as arrays of 2^30 keys need them") {
  course::device();
  const std::vector<unsigned> x = numbers(9001, "random");
  check_sort<Ascending>(x, true, 0, 32, {x.size()}, [](const auto& s) {
    launch_sweeps_of<Shapes<Ascending, unsigned, ByBallots>::Large, unsigned long long>(s);
  });
}

TEST_CASE("keys of 32 and 64 bits, with and without a sign, floats, up and down") {
  course::device();
  check_type<int>();
  check_type<unsigned long long>();
  check_type<long long>();
  check_type<float>();
  check_type<double>();
}

TEST_CASE("floats that compare strangely: both zeros, infinities, NaNs, the smallest") {
  course::device();
  using Limits = std::numeric_limits<float>;
  const std::vector<float> some = {0.0F,
                                   -0.0F,
                                   1.0F,
                                   -1.0F,
                                   Limits::infinity(),
                                   -Limits::infinity(),
                                   Limits::quiet_NaN(),
                                   -Limits::quiet_NaN(),
                                   Limits::denorm_min(),
                                   -Limits::denorm_min(),
                                   Limits::max(),
                                   Limits::lowest()};
  std::vector<float> keys;
  for (size_t i = 0; i < 777; ++i) keys.push_back(some[mixed(i) % some.size()]);
  check_whole<Order<float>>(keys, true);
  check_whole<Order<float, true>>(keys, true);
  const auto before = [](float a, float b) {
    return Order<float>::bits(a) < Order<float>::bits(b);
  };
  CHECK(before(-Limits::quiet_NaN(), -Limits::infinity()));
  CHECK(before(-0.0F, 0.0F));
  CHECK(before(-1.0F, -Limits::denorm_min()));
  CHECK(before(Limits::infinity(), Limits::quiet_NaN()));
}

TEST_CASE("some of the bits only: the others do not count, and do not get lost") {
  course::device();
  const std::vector<unsigned> x = numbers(5003, "random");
  for (const auto& [begin, end] :
       std::vector<std::pair<int, int>>{{0, 8}, {4, 9}, {0, 32}, {31, 32}, {7, 24}}) {
    CAPTURE(begin);
    CAPTURE(end);
    check_whole<Ascending>(x, true, begin, end);
    check_sort<Ascending>(x, true, begin, end, {x.size()},
                          [](const auto& s) { launch_one_sweep<ByPredicates>(s); });
    check_sort<Ascending>(x, false, begin, end, {x.size()},
                          [](const auto& s) { launch_passes<true, ByMatch>(s); });
  }
}

TEST_CASE("segments of equal and of unequal length, also empty ones and some beyond a tile") {
  course::device();
  const std::vector<unsigned> x = numbers(12289, "random");
  for (const size_t length : {100, 5000}) {
    CAPTURE(length);
    std::vector<size_t> ends;
    for (size_t end = length; end < x.size(); end += length) ends.push_back(end);
    ends.push_back(x.size());
    check_sort<Ascending>(x, true, 0, 32, ends, [&](const auto& s) {
      launch_sort_segments(s, static_cast<unsigned>(ends.size()), nullptr, length);
    });
  }
  const std::vector<unsigned> offsets = {0, 0, 1, 1000, 1000, 6001, 6033, 12289};
  GuardedArray<unsigned> d_offsets(offsets);
  for (const bool with_values : {false, true}) {
    check_sort<Ascending>(
        x, with_values, 0, 32, {offsets.begin() + 1, offsets.end()}, [&](const auto& s) {
          launch_sort_segments(s, static_cast<unsigned>(offsets.size() - 1), d_offsets.data(), 0);
        });
  }
}

// Beyond 2^31 elements, where an int would no longer do, and 2^32 bytes per array.
TEST_CASE("more keys than 30 bits can count") {
  course::device();
  const size_t n = (size_t{1} << 31) + 12345;
  size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  if (course::on_emulator || free_bytes < 15 * n) {
    MESSAGE("SKIPPED: wants a GPU with 32 GiB of free memory");
    return;
  }
  // Bytes of one value, but for few keys that are less.
  course::DeviceArray<unsigned> x(n), y(n);
  course::DeviceArray<unsigned char> workspace(workspace_bytes<Ascending>(n));
  CUDA_CHECK(cudaMemset(x, 7, x.bytes()));
  const std::vector<size_t> places = {5, size_t{1} << 30, size_t{1} << 31, n - 1};
  for (const size_t place : places) CUDA_CHECK(cudaMemset(x + place, 1, sizeof(unsigned)));
  launch_sort(Keys{x, y, n, workspace});
  const auto at = [&](size_t i) {
    unsigned value = 0;
    CUDA_CHECK(cudaMemcpy(&value, y + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
  };
  for (size_t i = 0; i < places.size(); ++i) CHECK(at(i) == 0x01010101);
  for (const size_t i : {places.size(), size_t{1} << 31, n - 1}) CHECK(at(i) == 0x07070707);
}
