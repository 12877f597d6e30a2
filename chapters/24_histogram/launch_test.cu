#define main chapter_main  // not the main() of the test
#include "histogram.cu"
#undef main

#include <doctest/doctest.h>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// Where a load of 16 bytes, a warp's, a block's, and a private counter's 240 bytes end; and primes.
const std::vector<size_t> sizes = {0,   1,   2,    3,    15,   16,    17,    31,    33,   127,
                                   257, 511, 1009, 4095, 4097, 16384, 16387, 61441, 99991};

template <class T>
std::vector<unsigned> counts_of(size_t bins, const std::vector<T>& x, auto launch) {
  const GuardedArray<T> on_device(x);
  GuardedArray<unsigned> counts(bins);
  launch(on_device.data(), counts.data());
  CUDA_CHECK(cudaDeviceSynchronize());
  CHECK(on_device.intact());
  CHECK(counts.intact());
  return counts.to_host();
}

std::vector<unsigned> count(const ByteRung& rung, const std::vector<Byte>& x) {
  return counts_of(byte_bins, x, [&](const Byte* on_device, unsigned* counts) {
    rung.launch({on_device, x.size(), counts});
  });
}
std::vector<unsigned> count(const FloatRung& rung, const std::vector<float>& x, Bins bins) {
  return counts_of(bins.count, x, [&](const float* on_device, unsigned* counts) {
    rung.launch({on_device, x.size(), bins, counts});
  });
}

}  // namespace

TEST_CASE("bytes: sizes and inputs of all kinds, nothing touched beside them") {
  course::device();  // ends the test as skipped where there is none
  for (const Input input : all_inputs) {
    for (const size_t n : sizes) {
      CAPTURE(n);
      const std::vector<Byte> x = make_bytes(input, n);
      for (const ByteRung& rung : byte_rungs) {
        CAPTURE(rung.name);
        CHECK(count(rung, x) == count_on_cpu(x));
      }
    }
  }
}

TEST_CASE("floats: sizes, inputs and numbers of bins of all kinds") {
  course::device();
  for (const Input input : all_inputs) {
    for (const size_t n : {size_t{0}, size_t{1}, size_t{3}, size_t{4099}, size_t{70'001}}) {
      const std::vector<float> x = make_floats(input, n);
      for (const unsigned count_of_bins : {1U, 2U, 31U, 1000U, 4097U, 65'536U, 100'003U}) {
        CAPTURE(n);
        CAPTURE(count_of_bins);
        const Bins bins{0.0F, 1.0F, count_of_bins};
        for (const FloatRung& rung : float_rungs) {
          CAPTURE(rung.name);
          if (rung.can_count(count_of_bins)) CHECK(count(rung, x, bins) == count_on_cpu(x, bins));
        }
      }
    }
  }
}

TEST_CASE("floats outside, at the edges, and NaN") {
  course::device();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {-1.0F,
                                -0.5F,
                                std::nextafter(-0.5F, -1.0F),
                                0.0F,
                                -0.0F,
                                0.75F,
                                std::nextafter(0.75F, 0.0F),
                                2.0F,
                                infinity,
                                -infinity,
                                std::nanf(""),
                                0.1F};
  const Bins bins{-0.5F, 0.75F, 5};
  const std::vector<unsigned> expected = {1, 0, 3, 0, 1};
  CHECK(count_on_cpu(x, bins) == expected);
  for (const FloatRung& rung : float_rungs) {
    CAPTURE(rung.name);
    CHECK(count(rung, x, bins) == expected);
  }
}

// One block counts all, so both halves of a word overflow: a carry that is forgotten, or counted
// for the wrong bin, shows. The last bin of an odd number of them has no partner.
TEST_CASE("counters of 16 bits overflow, and the result is right") {
  course::device();
  std::vector<float> x;
  for (int k = 0; k < 400'000; ++k) x.push_back(k % 3 == 0 ? 0.1F : k % 3 == 1 ? 0.3F : 0.9F);
  for (const unsigned count_of_bins : {2U, 3U, 4U, 5U}) {
    CAPTURE(count_of_bins);
    const Bins bins{0.0F, 1.0F, count_of_bins};
    const auto got = counts_of(count_of_bins, x, [&](const float* on_device, unsigned* counts) {
      CUDA_CHECK(cudaMemset(counts, 0, count_of_bins * sizeof(unsigned)));
      floats_packed<<<1, wide_block, packed_bytes(count_of_bins)>>>(on_device, x.size(), bins,
                                                                    counts);
      CUDA_CHECK_LAUNCH();
    });
    CHECK(got == count_on_cpu(x, bins));
  }
}

TEST_CASE("weights: whole numbers are added up exactly in both ways") {
  course::device();
  for (const size_t n : {size_t{0}, size_t{1}, size_t{3}, size_t{4099}, size_t{20'011}}) {
    CAPTURE(n);
    const Problem p(Input::skewed, n, {0.0F, 1.0F, 100}, 1);
    course::DeviceArray<float> as_floats(100);
    course::DeviceArray<long long> in_units(100);
    launch_weights({p.floats, n, p.bins, nullptr}, p.weights, as_floats);
    launch_weights({p.floats, n, p.bins, nullptr}, p.weights, 0.5F, in_units);
    const std::vector<float> floats = as_floats.to_host();
    const std::vector<long long> units = in_units.to_host();
    for (size_t bin = 0; bin < p.of_weights.size(); ++bin) {
      CHECK(static_cast<double>(floats[bin]) == p.of_weights[bin]);
      CHECK(static_cast<double>(units[bin]) == 2 * p.of_weights[bin]);
    }
  }
}
