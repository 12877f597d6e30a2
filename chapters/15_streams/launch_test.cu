#define main chapter_main  // not the main() of the test
#include "streams.cu"
#undef main

#include <doctest/doctest.h>

#include <cstring>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// None, around a warp and a block, a chunk or two of whole blocks, and primes.
const std::vector<size_t> sizes = {0,   1,   2,   3,    31,   32,   33,   127,
                                   255, 256, 257, 1009, 1024, 2047, 2049, 10007};

// A sum between guards: poison around the device's arrays, and around z on the host.
class GuardedSum {
 public:
  explicit GuardedSum(size_t n)
      : x_values_(course::random_vector(n, 1)),
        y_values_(course::random_vector(n, 2)),
        x_(x_values_),
        y_(y_values_),
        z_(n + 2 * margin),
        d_x_(n),
        d_y_(n),
        d_z_(n) {
    std::fill(z_.begin(), z_.end(), untouched);
  }
  Sum arguments(int chunks) {
    return {x_.data(),   y_.data(),   z_.data() + margin, d_x_.data(),
            d_y_.data(), d_z_.data(), x_.size(),          chunks};
  }
  void poison() {
    std::fill(z_.begin(), z_.end(), untouched);
    d_x_.poison(), d_y_.poison(), d_z_.poison();
  }
  // z is right, and nothing else has changed.
  bool is_right() const {
    const size_t n = x_.size();
    for (size_t i = 0; i < n; ++i) {
      const float wanted = x_values_[i] + y_values_[i];
      if (std::memcmp(z_.data() + margin + i, &wanted, sizeof wanted) != 0) return false;
    }
    for (size_t i = 0; i < margin; ++i) {
      if (z_.data()[i] != untouched || z_.data()[margin + n + i] != untouched) return false;
    }
    return d_x_.intact() && d_y_.intact() && d_z_.intact() &&
           std::equal(x_values_.begin(), x_values_.end(), x_.data()) &&
           std::equal(y_values_.begin(), y_values_.end(), y_.data());
  }
  double total() const {
    double total = 0;
    for (size_t i = 0; i < x_.size(); ++i) {
      total += static_cast<double>(x_values_[i] + y_values_[i]);
    }
    return total;
  }

 private:
  static constexpr size_t margin = 64;
  static constexpr float untouched = -7;
  std::vector<float> x_values_, y_values_;
  course::PinnedArray<float> x_, y_, z_;
  GuardedArray<float> d_x_, d_y_, d_z_;
};

}  // namespace

TEST_CASE("chunks: whole blocks, one after the other, and all elements once") {
  for (const size_t n : sizes) {
    for (const int chunks : {1, 2, 3, 4, 7, 8, 32, 100}) {
      CAPTURE(n);
      CAPTURE(chunks);
      const Sum sum = {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, n, chunks};
      size_t end = 0;
      for (int c = 0; c < chunks; ++c) {
        const Chunk chunk = chunk_of(sum, c);
        CHECK(chunk.begin == end);
        if (chunk.length > 0) CHECK(chunk.begin % block == 0);
        end += chunk.length;
      }
      CHECK(end == n);
    }
  }
}

TEST_CASE("chunks: of more elements than an int can count") {
  const size_t n = (size_t{1} << 33) + 5;
  const Sum sum = {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, n, 4096};
  const Chunk last = chunk_of(sum, 4095);
  CHECK(chunk_of(sum, 1).length == (size_t{1} << 21) + block);
  CHECK(chunk_of(sum, 2).begin == (size_t{1} << 22) + 2 * block);
  CHECK(last.begin + last.length == n);
}

TEST_CASE("every way, with any number of chunks and streams: bit for bit, nothing beside it") {
  course::device();  // ends the test as skipped where there is none
  for (const size_t n : sizes) {
    GuardedSum data(n);
    for (const int chunks : {1, 2, 5, 8, 33}) {
      for (const int count : {1, 3, 4}) {
        const auto streams = std::make_shared<Streams>(count);
        for (const StreamsVariant& variant : variants_of(data.arguments(chunks), streams)) {
          CAPTURE(n);
          CAPTURE(chunks);
          CAPTURE(count);
          CAPTURE(variant.name);
          data.poison();
          variant.run();
          CHECK(data.is_right());
        }
      }
    }
  }
}

TEST_CASE("a graph: two copies, a kernel and a copy for each chunk that holds something") {
  course::device();
  GuardedSum data(5 * block);
  CHECK(GraphPipeline(data.arguments(1)).nodes() == 4);
  CHECK(GraphPipeline(data.arguments(5)).nodes() == 4 * 5);
  CHECK(GraphPipeline(data.arguments(33)).nodes() == 4 * 5);
}

TEST_CASE("a graph may be launched again and again") {
  course::device();
  GuardedSum data(1009);
  const GraphPipeline graph(data.arguments(3));
  for (int launch = 0; launch < 3; ++launch) {
    data.poison();
    graph.run();
    CHECK(data.is_right());
  }
}

TEST_CASE("host functions add up every chunk, once") {
  course::device();
  for (const size_t n : sizes) {
    for (const int chunks : {1, 3, 8}) {
      CAPTURE(n);
      CAPTURE(chunks);
      GuardedSum data(n);
      const Streams streams(4);
      CHECK(total_of(data.arguments(chunks), streams) == doctest::Approx(data.total()));
      CHECK(data.is_right());
    }
  }
}

TEST_CASE("who asks until all is done finds the sum, and no error stays behind") {
  course::device();
  GuardedSum data(10007);
  const Streams streams(4);
  CHECK(polls_until_done(data.arguments(8), streams) >= 0);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(data.is_right());
}

TEST_CASE("priorities: both kernels are right, in whatever order they run") {
  course::device();
  PriorityLatency latencies;
  const course::Timing alone = latencies.alone();
  const course::Timing equal = latencies.with_equal_priority();
  const course::Timing high = latencies.with_high_priority();
  CHECK(latencies.is_right());
  if (course::on_emulator) return;  // its times say nothing
  CHECK(alone.median_ms < equal.median_ms);
  CHECK(high.median_ms < equal.median_ms);
}

TEST_CASE("costs: a line for each piece") {
  course::device();
  const std::vector<CallCost> costs = Costs().measure();
  CHECK(costs.size() == 7);
  for (const CallCost& cost : costs) {
    CAPTURE(cost.what);
    CHECK(cost.all.median_ms >= cost.call.median_ms);
  }
}
