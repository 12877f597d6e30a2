// A check program whose cases end in every way there is; check_program_test.cpp looks at what
// becomes of them.

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "emulator/order.h"

#define COURSE_EXERCISE "00z_cases"
#define COURSE_EXERCISE_FILE "cases.cu"
#include "checks/calls.hpp"
#include "checks/exercise.hpp"
#include "checks/streams.hpp"
#include "pinned.hpp"

namespace {

namespace exercise = course::exercise;
using exercise::Counter;

__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

__global__ void past_the_end(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = static_cast<float>(n);
}

// One warp adds to one element, the other one each lane to its own.
__global__ void add_up(float* sums) {
  const int t = threadIdx.x;
  atomicAdd(t < 32 ? &sums[0] : &sums[t], 1.0F);
}

// Every thread stores where its neighbour loads.
__global__ void race(float* y) {
  __shared__ float values[64];
  values[threadIdx.x] = static_cast<float>(threadIdx.x);
  y[threadIdx.x] = values[63 - threadIdx.x];
}

// The same, where the emulator's order of warps brings the right result.
__global__ void race_in_order(float* y) {
  __shared__ float first;
  if (threadIdx.x == 0) first = 1;
  y[threadIdx.x] = first;
}

const std::vector<float>& input() {
  static const std::vector<float> x = course::exact_vector(64, 1);
  return x;
}

std::vector<double> doubled() {
  std::vector<double> y;
  for (const float value : input()) y.push_back(2.0 * double{value});
  return y;
}

/// Into memory of the host, through a stream.
void twice_in_a_stream(const float* x, float* y, float* y_of_host, bool waits) {
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  twice<<<2, 32, 0, stream>>>(x, y, 64);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpyAsync(y_of_host, y, 64 * sizeof(float), cudaMemcpyDeviceToHost, stream));
  if (waits) CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaStreamDestroy(stream));
}

/// What is in the host's memory when that returns, in every order; returns the orders.
std::vector<std::string> check_in_every_order(bool waits) {
  const exercise::Array<float> x(input());
  exercise::Array<float> y(64);
  float* pinned = nullptr;
  CUDA_CHECK(cudaMallocHost(&pinned, 64 * sizeof(float)));
  std::vector<std::string> orders;
  exercise::in_every_order([&](const std::string& order) {
    orders.push_back(order);
    std::fill(pinned, pinned + 64, -1.0F);
    std::vector<float> got;
    exercise::run([&] {
      twice_in_a_stream(x.data(), y.data(), pinned, waits);
      got.assign(pinned, pinned + 64);
    });
    exercise::expect_exact(got, doubled(), "n = 64, " + order);
  });
  CUDA_CHECK(cudaFreeHost(pinned));
  return orders;
}

/// Both halves come in, are doubled and go out; in as many streams.
exercise::StreamRun run_halves(int streams) {
  constexpr int half = 32;
  course::PinnedArray<float> in_host(input());
  exercise::Array<float> x(2 * half);
  exercise::Array<float> y(2 * half);
  cudaStream_t made[2] = {};
  for (cudaStream_t& stream : made) CUDA_CHECK(cudaStreamCreate(&stream));
  exercise::StreamRun seen = exercise::run_in_streams([&] {
    for (int k = 0; k < 2; ++k) {
      cudaStream_t const stream = made[k % streams];
      const int from = k * half;
      CUDA_CHECK(cudaMemcpyAsync(x.data() + from, in_host.data() + from, half * sizeof(float),
                                 cudaMemcpyHostToDevice, stream));
      twice<<<1, half, 0, stream>>>(x.data() + from, y.data() + from, half);
      CUDA_CHECK(cudaMemcpyAsync(in_host.data() + from, y.data() + from, half * sizeof(float),
                                 cudaMemcpyDeviceToHost, stream));
    }
    CUDA_CHECK(cudaDeviceSynchronize());
  });
  for (cudaStream_t stream : made) CUDA_CHECK(cudaStreamDestroy(stream));
  return seen;
}

exercise::Pipeline pipeline_of(std::size_t pieces) {
  return {.pieces = pieces, .bytes_in = 256, .bytes_out = 256, .read = "what a pipeline is"};
}

}  // namespace

TEST_CASE("correct: passes") {
  exercise::Array<float> x(input());
  exercise::Array<float> y(64);
  exercise::run([&] { twice<<<2, 32>>>(x.data(), y.data(), 64); });
  exercise::expect_exact(y.to_host(), doubled(), "n = 64");
}

TEST_CASE("correct: passes with a note") {
  exercise::note("worth knowing");
}

TEST_CASE("safe: clean") {
  exercise::Array<float> x(input());
  exercise::Array<float> y(64);
  exercise::run([&] { twice<<<2, 32>>>(x.data(), y.data(), 64); });
  exercise::expect_no_findings();
}

TEST_CASE("correct: half is not written") {
  exercise::Array<float> x(input());
  exercise::Array<float> y(64);
  exercise::run([&] { twice<<<1, 32>>>(x.data(), y.data(), 64); });
  exercise::expect_exact(y.to_host(), doubled(), "n = 64");
}

TEST_CASE("correct: too short") {
  exercise::expect_exact({1.0F}, {1.0, 2.0}, "n = 2");
}

TEST_CASE("correct: a mistake that is known") {
  const std::vector<double> twice_that{4.0, 8.0, 16.0};
  exercise::expect_exact({2.0F, 4.0F, 9.0F}, {2.0, 4.0, 9.0}, "n = 3", {{twice_that, "no fault"}});
  exercise::expect_exact({4.0F, 8.0F, 16.0F}, {2.0, 4.0, 9.0}, "n = 3",
                         {{{1.0, 2.0, 3.0}, "another"}, {twice_that, "doubled twice"}});
}

TEST_CASE("correct: nothing written yet") {
  const float unwritten = std::bit_cast<float>(0xFFFFFFFFU);
  exercise::expect_exact({unwritten, unwritten}, {1.0, 2.0}, "n = 2, EMULATOR_ORDER=late");
}

TEST_CASE("correct: nothing written in the order of issue") {
  const float unwritten = std::bit_cast<float>(0xFFFFFFFFU);
  exercise::expect_exact({unwritten, unwritten}, {1.0, 2.0}, "n = 2, EMULATOR_ORDER=issue");
}

TEST_CASE("correct: no launch") {
  exercise::run([] {});
}

TEST_CASE("correct: no launch but a library") {
  exercise::run([] {}, exercise::Kernels::in_a_library);
}

TEST_CASE("correct: in every order") {
  const std::vector<std::string> orders = check_in_every_order(true);
  REQUIRE(orders.size() >= 4);
  CHECK(orders[0] == "EMULATOR_ORDER=issue");
  CHECK(orders[1] == "EMULATOR_ORDER=late");
  CHECK(orders[2] == "EMULATOR_ORDER=1");
  CHECK(emulator::order() == "issue");
}

TEST_CASE("correct: copies are counted") {
  const exercise::Array<float> x(input());
  exercise::Array<float> y(64);
  float* pinned = nullptr;
  CUDA_CHECK(cudaMallocHost(&pinned, 64 * sizeof(float)));
  std::vector<float> pageable(64);
  const exercise::Copies copies = exercise::count_copies([&] {
    for (int k = 0; k < 2; ++k) twice_in_a_stream(x.data(), y.data(), pinned, /*waits=*/false);
    CUDA_CHECK(cudaMemcpy(pageable.data(), y.data(), 8, cudaMemcpyDeviceToHost));
  });
  CHECK(copies.pinned == 2);
  CHECK(copies.pinned_bytes == 2 * 64 * sizeof(float));
  CHECK(copies.most_on_their_way == 2);
  CHECK(copies.pageable == 1);
  CHECK(emulator::order() == "issue");
  CUDA_CHECK(cudaFreeHost(pinned));
}

TEST_CASE("correct: atomics are counted lane by lane") {
  exercise::Array<float> sums(std::vector<float>(64));
  const exercise::Run run = exercise::run([&] { add_up<<<1, 64>>>(sums.data()); });
  CHECK(run.count(Counter::global_atomic_requests) == 2);
  CHECK(run.count(Counter::global_atomic_sectors) == 32 + 4);
}

TEST_CASE("correct: as issued only") {
  check_in_every_order(false);
}

TEST_CASE("correct: out of bounds") {
  exercise::Array<float> y(40);
  exercise::run([&] { past_the_end<<<64, 1024>>>(y.data(), 40); });
}

TEST_CASE("correct: refused launch") {
  exercise::Array<float> y(40);
  exercise::run([&] {
    past_the_end<<<1, 2048>>>(y.data(), 40);
    CUDA_CHECK_LAUNCH();
  });
}

TEST_CASE("correct: any exception tells") {
  CHECK(exercise::ends_in_an_exception([] { throw cudaErrorInvalidValue; }));
  CHECK_FALSE(exercise::ends_in_an_exception([] {}));
}

TEST_CASE("correct: failures are noticed") {
  const exercise::Array<float> x(input());
  std::vector<float> got(64);
  const auto call = [&](bool checks_copy, bool checks_launch) {
    const cudaError_t error = cudaMemcpy(got.data(), x.data(), 256, cudaMemcpyDeviceToHost);
    if (checks_copy) CUDA_CHECK(error);
    exercise::Array<float> y(64);
    twice<<<2, 32>>>(x.data(), y.data(), 64);
    if (checks_launch) CUDA_CHECK_LAUNCH();
  };
  CHECK(exercise::unnoticed_failure([&] { call(true, true); }) == "");
  // CUDA_CHECK_LAUNCH() finds what a copy before has left.
  CHECK(exercise::unnoticed_failure([&] { call(false, true); }) == "");
  CHECK(exercise::unnoticed_failure([&] { call(false, false); }) == "copy number 1");
  CHECK(exercise::unnoticed_failure([&] { call(true, false); }) == "a launch");
  CHECK(exercise::unnoticed_failure([] {}) == "");
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("correct: a program that ended tells nothing") {
  exercise::ends_in_an_exception([] { throw course::boundary::Interrupted("ended there"); });
}

TEST_CASE("correct: a term needs a kernel") {
  exercise::run([] {}, exercise::kernels_for(0));
  exercise::run([] {}, exercise::kernels_for(1));
}

TEST_CASE("correct: throws") {
  throw std::runtime_error("thrown by hand");
}

TEST_CASE("correct: plain assertion") {
  const int rows = 3;
  CAPTURE(rows);
  CHECK(rows == 4);
}

TEST_CASE("correct: text that was chosen") {
  for (const int wrong : {1, 2}) CHECK_MESSAGE(wrong == 0, wrong, wrong == 1 ? " alone" : " more");
}

TEST_CASE("correct: crashes") {
  volatile int* const nowhere = nullptr;
  *nowhere = 1;
}

TEST_CASE("correct: aborts") {
  std::abort();
}

TEST_CASE("correct: exits") {
  std::puts("printed before the end");
  std::exit(0);
}

TEST_CASE("correct: exits at once") {
  _exit(0);
}

TEST_CASE("correct: never ends") {
  volatile bool forever = true;
  while (forever) {
  }
}

TEST_CASE("correct: talks a lot") {
  for (int k = 0; k < 10000; ++k) std::fprintf(stderr, "line %d of many\n", k);
  FAIL("after all that");
}

/// A race at every call, whose result is right by luck.
void race_by_luck() {
  exercise::Array<float> y(64);
  exercise::run([&] { race_in_order<<<1, 64>>>(y.data()); });
}

TEST_CASE("correct: passes in spite of a race") {
  race_by_luck();
}

TEST_CASE("safe: clean here and not before") {
  exercise::expect_no_findings();
}

TEST_CASE("safe: a race that a case before had, too") {
  race_by_luck();
  exercise::expect_no_findings();
}

TEST_CASE("safe: and again") {
  race_by_luck();
  exercise::expect_no_findings();
}

TEST_CASE("safe: race") {
  exercise::Array<float> y(64);
  exercise::run([&] { race<<<1, 64>>>(y.data()); });
  exercise::expect_no_findings();
}

TEST_CASE("safe: leak") {
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, 1000));
}

TEST_CASE("efficient: within the limit") {
  exercise::Array<float> x(input());
  exercise::Array<float> y(64);
  const exercise::Run run = exercise::run([&] { twice<<<2, 32>>>(x.data(), y.data(), 64); });
  exercise::expect_at_most(run, {.counter = Counter::global_load_requests,
                                 .limit = 2,
                                 .model = 1,
                                 .naive = 0,
                                 .why = "Because.",
                                 .read = "somewhere"});
}

TEST_CASE("efficient: a race at a size of its own") {
  race_by_luck();
}

TEST_CASE("efficient: beyond the limit") {
  exercise::Array<float> x(input());
  exercise::Array<float> y(64);
  const exercise::Run run = exercise::run([&] { twice<<<2, 32>>>(x.data(), y.data(), 64); });
  exercise::expect_at_most(run, {.counter = Counter::global_load_sectors,
                                 .limit = 7,
                                 .model = 5,
                                 .naive = 1234,
                                 .why = "Because of the idea.",
                                 .read = "somewhere"});
}

TEST_CASE("efficient: skipped") {
  exercise::skip("for want of a reason");
}

TEST_CASE("efficient: pipeline of two streams") {
  exercise::expect_pipeline(run_halves(2), pipeline_of(2));
}

TEST_CASE("efficient: pipeline in one stream") {
  exercise::expect_pipeline(run_halves(1), pipeline_of(2));
}

TEST_CASE("efficient: pipeline of other pieces") {
  exercise::expect_pipeline(run_halves(2), pipeline_of(3));
}
