#define main chapter_main  // not the main() of the test
#include "stencil.cu"
#undef main

#include <doctest/doctest.h>

#include <cstring>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// Around a warp's and a block's points, of one sweep and of sixteen, and a few warps of the latter.
const std::vector<size_t> sizes = {1,    2,    3,    4,    5,    7,    8,     9,    31,   32,
                                   33,   127,  128,  257,  1023, 1024, 1025,  1407, 1408, 1409,
                                   1471, 1472, 1473, 2815, 2816, 2817, 10007, 65537};

bool same_bits(const std::vector<float>& got, const std::vector<float>& expected) {
  return std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)) == 0;
}

std::vector<float> sweeps_on_cpu(std::vector<float> x, const std::vector<float>& w, int sweeps) {
  for (int s = 0; s < sweeps; ++s) x = sweep_on_cpu(x, w);
  return x;
}

}  // namespace

TEST_CASE("one sweep: bit for bit as on the CPU, nothing touched beside it") {
  course::device();  // ends the test as skipped where there is none
  set_weights(usual_weights);
  for (const size_t n : sizes) {
    CAPTURE(n);
    const std::vector<float> values = course::random_vector(n);
    const std::vector<float> expected = sweep_on_cpu(values, usual_weights);
    GuardedArray<float> x(values);
    for (const SweepVariant& kernel : one_sweep) {
      CAPTURE(kernel.name);
      GuardedArray<float> y(n);
      kernel.launch(x.data(), y.data(), n);
      CHECK(same_bits(y.to_host(), expected));
      CHECK(y.intact());
    }
    CHECK(x.intact());
    CHECK(same_bits(x.to_host(), values));
  }
}

TEST_CASE("many sweeps: any number, bit for bit as single ones on the CPU") {
  course::device();
  set_weights(usual_weights);
  for (const size_t n : sizes) {
    for (const int sweeps : {1, 2, 3, 15, 16, 17, 33}) {
      CAPTURE(n);
      CAPTURE(sweeps);
      const std::vector<float> values = course::random_vector(n);
      const std::vector<float> expected = sweeps_on_cpu(values, usual_weights, sweeps);
      GuardedArray<float> x(values);
      for (const RepeatedSweepVariant& kernel : several_sweeps) {
        CAPTURE(kernel.name);
        GuardedArray<float> y(n);
        GuardedArray<float> z(n);
        kernel.launch(x.data(), y.data(), z.data(), n, sweeps);
        CHECK(same_bits(y.to_host(), expected));
        CHECK(y.intact());
        CHECK(z.intact());
      }
      CHECK(x.intact());
      CHECK(same_bits(x.to_host(), values));
    }
  }
}

// With weights of powers of two nothing rounds, and a single 1 shows where each weight goes.
TEST_CASE("each weight at its distance, on both sides") {
  course::device();
  const std::vector<float> w = {1, 2, 4, 8, 16};
  set_weights(w);
  std::vector<float> values(3001);
  values[1500] = 1;
  GuardedArray<float> x(values);
  for (const SweepVariant& kernel : one_sweep) {
    CAPTURE(kernel.name);
    GuardedArray<float> y(values.size());
    kernel.launch(x.data(), y.data(), values.size());
    const std::vector<float> got = y.to_host();
    for (size_t k = 0; k <= radius; ++k) {
      CHECK(got[1500 - k] == w[k]);
      CHECK(got[1500 + k] == w[k]);
    }
    CHECK(got[1495] == 0);
    CHECK(got[1505] == 0);
  }
  set_weights(usual_weights);
}

TEST_CASE("no points") {
  course::device();
  for (const SweepVariant& kernel : one_sweep) kernel.launch(nullptr, nullptr, 0);
  for (const RepeatedSweepVariant& kernel : several_sweeps)
    kernel.launch(nullptr, nullptr, nullptr, 0, 16);
  CUDA_CHECK(cudaDeviceSynchronize());
}
