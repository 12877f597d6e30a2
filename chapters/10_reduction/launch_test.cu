#define main chapter_main  // not the main() of the test
#include "reduction.cu"
#undef main

#include <doctest/doctest.h>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// Where a warp, a block, a block's four rounds, one more level of launches, and the grid in strides
// end; and primes.
const std::vector<size_t> sizes = {0,    1,    2,    3,    5,     31,    32,     33,     127,
                                   257,  511,  512,  513,  1009,  2047,  2048,   2049,   4099,
                                   8191, 8192, 8193, 9001, 65537, 99991, 262145, 1048583};

// Runs every kernel on n numbers, twice in a row, since what a launch leaves behind is the next
// one's to find; and looks at the memory beside it.
template <class T>
void check_sum(size_t n) {
  CAPTURE(n);
  const std::vector<float> values = course::exact_vector(n, n + 1);
  const std::vector<T> numbers(values.begin(), values.end());
  const T expected = std::accumulate(numbers.begin(), numbers.end(), T{});
  for (const SumRung<T>& rung : rungs<T>) {
    CAPTURE(rung.name);
    GuardedArray<unsigned> ticket(std::vector<unsigned>{0});
    for (int run = 0; run < 2; ++run) {
      GuardedArray<T> x(numbers);
      GuardedArray<T> sums(room_for_sums(n));
      GuardedArray<T> result(1);
      rung.launch({x.data(), n, sums.data(), ticket.data(), result.data()});
      CUDA_CHECK(cudaDeviceSynchronize());
      CHECK(result.to_host()[0] == expected);
      CHECK(x.intact());
      CHECK(sums.intact());
      CHECK(result.intact());
    }
    CHECK(ticket.to_host()[0] == 0);
    CHECK(ticket.intact());
  }
}

}  // namespace

TEST_CASE("sums of floats: sizes of all kinds, nothing touched beside them") {
  course::device();  // ends the test as skipped where there is none
  for (const size_t n : sizes) check_sum<float>(n);
}

TEST_CASE("sums of integers, which may wrap around") {
  course::device();
  for (const size_t n : sizes) check_sum<int>(n);
}

TEST_CASE("only the first two change their input") {
  course::device();
  const std::vector<float> numbers = course::random_vector(5003);
  for (size_t k = 0; k < rungs<float>.size(); ++k) {
    CAPTURE(rungs<float>[k].name);
    SumOnDevice<float> sum(numbers);
    sum.restore();
    sum.run(rungs<float>[k]);
    std::vector<float> after(numbers.size());
    CUDA_CHECK(cudaMemcpy(after.data(), sum.arguments().x, after.size() * sizeof(float),
                          cudaMemcpyDeviceToHost));
    CHECK((after == numbers) == (k >= 2));
  }
}

// The number of blocks, and with it the order of the sum, depends on n alone.
TEST_CASE("the last block adds up to the same bits every time") {
  course::device();
  SumOnDevice<float> sum(course::random_vector(1000003));
  std::set<float> results;
  for (int run = 0; run < 10; ++run) {
    sum.restore();
    sum.run(rungs<float>.back());
    results.insert(sum.result());
  }
  CHECK(results.size() == 1);
}

// A trap of the page's: a ticket that the last launch did not set back.
TEST_CASE("with a ticket that is not 0 no block is the last, and what was there is no sum") {
  const size_t n = 100'000;
  SumOnDevice<float> on_device(course::exact_vector(n, 1));
  const unsigned left_over = 1;
  CUDA_CHECK(cudaMemcpy(on_device.arguments().ticket, &left_over, sizeof left_over,
                        cudaMemcpyHostToDevice));
  on_device.restore();
  on_device.run(rungs<float>.back());
  CHECK(std::isnan(on_device.result()));
}

// Beyond 2^31 elements, where an int would no longer do: as many as fit, 16 GiB, where they do.
TEST_CASE("more elements than an int can count") {
  course::device();
  const size_t n = (size_t{1} << 31) + 12345;
  size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  if (course::on_emulator || free_bytes < 6 * n) {
    MESSAGE("SKIPPED: wants a GPU with 12 GiB of free memory");
    return;
  }
  course::DeviceArray<int> x(n), sums(room_for_sums(n)), result(1);
  course::DeviceArray<unsigned> ticket(std::vector<unsigned>{0});
  for (const SumRung<int>& rung : rungs<int>) {
    CAPTURE(rung.name);
    CUDA_CHECK(cudaMemset(x, 0, x.bytes()));
    for (const size_t place : {size_t{0}, size_t{1} << 31, n - 1}) {
      CUDA_CHECK(cudaMemset(x + place, 1, sizeof(int)));
    }
    rung.launch({x, n, sums, ticket, result});
    CHECK(result.to_host()[0] == 3 * 0x01010101);
  }
}
