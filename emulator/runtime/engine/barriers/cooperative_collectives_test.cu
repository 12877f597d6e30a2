// Cooperative groups: reductions and scans over the threads of a group. Nothing here is the
// emulator's own: nvcc compiles it as well.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace {

namespace cg = cooperative_groups;

template <class T, class Kernel>
std::vector<T> results(Kernel kernel, int threads, std::size_t count) {
  T* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, count * sizeof(T)) == cudaSuccess);
  for (std::size_t i = 0; i < count; ++i) out[i] = T{};
  kernel<<<1, threads>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<T> result(out, out + count);
  REQUIRE(cudaFree(out) == cudaSuccess);
  return result;
}

template <unsigned size>
__global__ void reductions(int* out) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int thread = static_cast<int>(threadIdx.x);
  const int count = static_cast<int>(size);
  const int first = thread / count * count;
  int ok =
      cg::reduce(tile, thread, cg::plus<int>()) == first * count + count * (count - 1) / 2 ? 1 : 0;
  ok += cg::reduce(tile, thread - 40, cg::less<int>()) == first - 40 ? 2 : 0;
  ok += cg::reduce(tile, 40U + threadIdx.x, cg::greater<unsigned>()) == 39U + first + size ? 4 : 0;
  const unsigned long long bit = 1ULL << (thread % 64);
  ok += (cg::reduce(tile, ~bit, cg::bit_and<unsigned long long>()) & bit) == 0 ? 8 : 0;
  ok += (cg::reduce(tile, bit, cg::bit_or<unsigned long long>()) >> (first % 64) & 1) == 1 ? 16 : 0;
  ok += cg::reduce(tile, 3, cg::bit_xor<int>()) == (size == 1 ? 3 : 0) ? 32 : 0;
  // An operator of one's own.
  const auto larger = [](double a, double b) { return a * a > b * b ? a : b; };
  ok += cg::reduce(tile, -0.5 * thread, larger) == -0.5 * (first + count - 1) ? 64 : 0;
  out[thread] = ok;
}

// A tile folds halves, quarters and so on onto each other; so a sum of floats has the order of
// that.
__global__ void float_sum(float* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const float value = 1.0F / static_cast<float>(threadIdx.x + 1);
  out[threadIdx.x] = cg::reduce(tile, value, cg::plus<float>());
}

struct Best {
  float value;
  int place;
  long long other;
};

__global__ void structures(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(threadIdx.x);
  const Best mine{static_cast<float>((lane * 7) % 32), lane, -1LL * lane};
  const Best best = cg::reduce(
      tile, mine, [](const Best& a, const Best& b) { return a.value > b.value ? a : b; });
  out[lane] = best.place == 9 && best.value == 31.0F && best.other == -9 ? 1 : 0;
}

__global__ void some_lanes(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane % 3 == 1) {  // eleven lanes
    const cg::coalesced_group group = cg::coalesced_threads();
    const int rank = lane / 3;
    int ok = cg::reduce(group, lane, cg::plus<int>()) == 11 + 3 * 55 ? 1 : 0;
    ok += cg::reduce(group, lane, cg::greater<int>()) == 31 ? 2 : 0;
    ok += cg::reduce(group, lane, cg::less<int>()) == 1 ? 4 : 0;
    ok += cg::inclusive_scan(group, rank) == rank * (rank + 1) / 2 ? 8 : 0;
    ok += cg::exclusive_scan(group, rank, cg::plus<int>()) == rank * (rank - 1) / 2 ? 16 : 0;
    out[lane] = ok;
  } else {
    const cg::coalesced_group rest = cg::coalesced_threads();
    out[lane] = cg::reduce(rest, 1, cg::plus<int>()) == 21 ? 31 : 0;
  }
}

__global__ void scans(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int thread = static_cast<int>(threadIdx.x);
  const int rank = thread % 16;
  int ok = cg::inclusive_scan(tile, rank + 1) == (rank + 1) * (rank + 2) / 2 ? 1 : 0;
  ok += cg::inclusive_scan(tile, rank == 5 ? 100 : rank, cg::greater<int>()) ==
                (rank < 5 ? rank : 100)
            ? 2
            : 0;
  ok += cg::exclusive_scan(tile, 2.5) == 2.5 * rank ? 4 : 0;
  ok += cg::exclusive_scan(tile, rank + 1, cg::greater<int>()) == rank ? 8 : 0;
  ok += cg::exclusive_scan(tile, 1U << rank, cg::bit_or<unsigned>()) == (1U << rank) - 1U ? 16 : 0;
  out[thread] = ok;
}

__global__ void stored(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::reduce_store_async(tile, &out[tile.meta_group_rank()], static_cast<int>(threadIdx.x),
                         cg::plus<int>());
}

__global__ void wide(int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<128>(block);
  const int thread = static_cast<int>(threadIdx.x);
  const int first = thread / 128 * 128;
  int ok = cg::reduce(tile, thread, cg::plus<int>()) == first * 128 + 127 * 64 ? 1 : 0;
  ok += cg::reduce(tile, static_cast<double>(thread), cg::greater<double>()) == first + 127 ? 2 : 0;
  out[thread] = ok;
}

}  // namespace

TEST_CASE("reductions over tiles") {
  for (const int ok : results<int>(reductions<32>, 64, 64)) CHECK(ok == 127);
  for (const int ok : results<int>(reductions<16>, 64, 64)) CHECK(ok == 127);
  for (const int ok : results<int>(reductions<2>, 64, 64)) CHECK(ok == 127);
  for (const int ok : results<int>(reductions<1>, 64, 64)) CHECK(ok == 127);
}

TEST_CASE("a tile adds floats in a GPU's order") {
  std::array<float, 32> expected{};
  for (int i = 0; i < 32; ++i) expected[i] = 1.0F / static_cast<float>(i + 1);
  for (int distance = 16; distance > 0; distance /= 2) {
    for (int i = 0; i < distance; ++i) expected[i] += expected[i + distance];
  }
  for (const float sum : results<float>(float_sum, 32, 32)) CHECK(sum == expected[0]);
}

TEST_CASE("reductions of structures by an operator of one's own") {
  for (const int ok : results<int>(structures, 32, 32)) CHECK(ok == 1);
}

TEST_CASE("reductions and scans over the threads that have come together") {
  for (const int ok : results<int>(some_lanes, 32, 32)) CHECK(ok == 31);
}

TEST_CASE("scans over tiles") {
  for (const int ok : results<int>(scans, 64, 64)) CHECK(ok == 31);
}

TEST_CASE("a reduction stored in memory") {
  const auto got = results<int>(stored, 64, 2);
  CHECK(got[0] == 496);
  CHECK(got[1] == 496 + 1024);
}

TEST_CASE("reductions over tiles of several warps") {
  for (const int ok : results<int>(wide, 256, 256)) CHECK(ok == 3);
}
