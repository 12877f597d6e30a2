// Shuffles, votes, matches and reductions, against what CUDA's documentation says of each lane.

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "emulator/order.h"

namespace {

constexpr unsigned all_lanes = 0xFFFFFFFFU;

// Runs `function(lane)` in one warp and returns what each lane got.
template <class T, class Function>
__global__ void run_lanes(T* out, Function function) {
  out[threadIdx.x] = function(static_cast<int>(threadIdx.x));
}

template <class T, class Function>
std::vector<T> in_a_warp(Function function, int lanes = 32) {
  T* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, 32 * sizeof(T)) == cudaSuccess);
  run_lanes<<<1, lanes>>>(out, function);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<T> result(out, out + lanes);
  cudaFree(out);
  return result;
}

}  // namespace

TEST_CASE("a lane that takes no part gives 0, as on an H200") {
  const auto behind_a_branch = in_a_warp<double>(
      [](int lane) { return lane < 8 ? __shfl_down_sync(0xFF, lane + 1.0, 16) : -1.0; });
  CHECK(behind_a_branch[0] == 0.0);
  CHECK(behind_a_branch[7] == 0.0);
  CHECK(behind_a_branch[8] == -1.0);
  // There are no such lanes at all.
  const auto beyond_the_block =
      in_a_warp<int>([](int lane) { return __shfl_down_sync(0xF, lane + 1, 2); }, 4);
  CHECK(beyond_the_block == std::vector<int>{3, 4, 0, 0});
}

TEST_CASE("shuffles of all widths") {
  for (int width = 32; width >= 2; width /= 2) {
    CAPTURE(width);
    const auto to = in_a_warp<int>(
        [=](int lane) { return __shfl_sync(all_lanes, lane * 10, lane + 3, width); });
    const auto up = in_a_warp<float>(
        [=](int lane) { return __shfl_up_sync(all_lanes, lane * 0.5F, 1, width); });
    const auto down = in_a_warp<double>(
        [=](int lane) { return __shfl_down_sync(all_lanes, lane * 0.25, 2, width); });
    const auto exchanged = in_a_warp<long long>(
        [=](int lane) { return __shfl_xor_sync(all_lanes, lane * 1000000000000LL, 1, width); });
    for (int lane = 0; lane < 32; ++lane) {
      const int first = lane / width * width;
      CHECK(to[lane] == (first + (lane + 3) % width) * 10);
      CHECK(up[lane] == (lane == first ? lane : lane - 1) * 0.5F);
      CHECK(down[lane] == (lane + 2 < first + width ? lane + 2 : lane) * 0.25);
      CHECK(exchanged[lane] == (lane ^ 1) * 1000000000000LL);
    }
  }
}

TEST_CASE("xor may reach into lower segments, not into higher ones") {
  const auto got = in_a_warp<int>([](int lane) { return __shfl_xor_sync(all_lanes, lane, 8, 8); });
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(got[lane] == ((lane ^ 8) < lane ? lane ^ 8 : lane));
  }
}

TEST_CASE("votes") {
  const auto ballot =
      in_a_warp<unsigned>([](int lane) { return __ballot_sync(all_lanes, lane % 2); });
  CHECK(ballot[5] == 0xAAAAAAAAU);
  const auto some = in_a_warp<int>([](int lane) {
    return __any_sync(all_lanes, lane == 31) * 100 + __any_sync(all_lanes, 0) * 10 +
           __all_sync(all_lanes, lane < 31);
  });
  CHECK(some[0] == 100);
  // A ragged warp: lanes that do not exist count as gone.
  const auto ragged = in_a_warp<unsigned>([](int) { return __ballot_sync(all_lanes, 1); }, 20);
  CHECK(ragged[19] == 0xFFFFFU);
}

TEST_CASE("a mask of some lanes, in a branch") {
  const auto got = in_a_warp<int>([](int lane) {
    if (lane < 8) return __shfl_sync(0xFFU, lane, 7);
    return __reduce_add_sync(0xFFFFFF00U, lane);
  });
  CHECK(got[0] == 7);
  CHECK(got[8] == 31 * 32 / 2 - 28);
}

TEST_CASE("the active mask of a branch and of what follows it") {
  const auto got = in_a_warp<unsigned>([](int lane) {
    unsigned mask = 0;
    if (lane % 4 == 0) mask = __activemask();
    __syncwarp();
    return lane % 4 == 0 ? mask : __activemask();
  });
  CHECK(got[0] == 0x11111111U);
  CHECK(got[1] == 0xEEEEEEEEU);
}

TEST_CASE("at random, a lane finds itself the only active one") {
  emulator::set_order("7");
  const auto alone = in_a_warp<unsigned>([](int) { return __activemask(); });
  emulator::set_order("issue");
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(alone[lane] == 1U << lane);
  const auto together = in_a_warp<unsigned>([](int) { return __activemask(); });
  CHECK(together[3] == all_lanes);
}

TEST_CASE("match and reduce") {
  const auto any =
      in_a_warp<unsigned>([](int lane) { return __match_any_sync(all_lanes, lane / 8); });
  CHECK(any[9] == 0xFF00U);
  const auto all = in_a_warp<unsigned>([](int lane) {
    int equal = 5;
    const unsigned same = __match_all_sync(all_lanes, 3.0F, &equal);
    int other = 5;
    const unsigned different = __match_all_sync(all_lanes, lane, &other);
    return same == all_lanes && equal == 1 && different == 0 && other == 0 ? 1U : 0U;
  });
  CHECK(std::count(all.begin(), all.end(), 1U) == 32);
  const auto reduced = in_a_warp<int>([](int lane) {
    const int low = __reduce_min_sync(all_lanes, lane - 10);
    const int high = __reduce_max_sync(all_lanes, lane - 10);
    const unsigned wide = __reduce_max_sync(all_lanes, static_cast<unsigned>(lane - 10));
    const unsigned bits = __reduce_or_sync(all_lanes, 1U << lane) ^
                          __reduce_and_sync(all_lanes, 0xF0U) ^ __reduce_xor_sync(all_lanes, 1U);
    return low == -10 && high == 21 && wide == 0xFFFFFFFFU && bits == ~0xF0U ? 1 : 0;
  });
  CHECK(std::count(reduced.begin(), reduced.end(), 1) == 32);
}

namespace {

// A lane leaves the loop after as many shuffles as its index says; the rest go on without it.
__global__ void leave_one_by_one(int* out) {
  const int lane = threadIdx.x;
  int steps = 0;
  for (unsigned mask = 0xFFFFFFFFU; lane >= steps; mask &= ~(1U << steps), ++steps) {
    __shfl_sync(mask, lane, 31);
  }
  out[lane] = steps;
}

}  // namespace

TEST_CASE("lanes that leave one by one") {
  int* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, 32 * sizeof(int)) == cudaSuccess);
  leave_one_by_one<<<1, 32>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int lane = 0; lane < 32; ++lane) CHECK(out[lane] == lane + 1);
  cudaFree(out);
}
