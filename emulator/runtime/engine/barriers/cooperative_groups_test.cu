// Cooperative groups of a block and of a warp: which threads are in them, and what they can do
// together. Nothing here is the emulator's own: nvcc compiles it as well.

#include <cooperative_groups.h>
#include <doctest/doctest.h>

#include <vector>

namespace {

namespace cg = cooperative_groups;

// Runs `kernel(out)` with at most 64 results per thread and returns them.
template <class T, class Kernel>
std::vector<T> results(Kernel kernel, dim3 blocks, dim3 threads, std::size_t count) {
  T* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, count * sizeof(T)) == cudaSuccess);
  for (std::size_t i = 0; i < count; ++i) out[i] = T{};
  kernel<<<blocks, threads>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<T> result(out, out + count);
  REQUIRE(cudaFree(out) == cudaSuccess);
  return result;
}

__global__ void block_shape(int* out) {
  cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  const auto rank = static_cast<int>(grid.thread_rank());
  int ok = block.size() == 24 && block.num_threads() == 24 ? 1 : 0;
  ok += block.thread_rank() == threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z) ? 2 : 0;
  ok += block.group_index().y == blockIdx.y && block.thread_index().z == threadIdx.z ? 4 : 0;
  ok += block.group_dim().y == 3 && block.dim_threads().z == 2 ? 8 : 0;
  ok += grid.size() == 6 * 24 && grid.num_blocks() == 6 && grid.num_threads() == 6 * 24 ? 16 : 0;
  ok += grid.block_rank() == blockIdx.x + 2 * blockIdx.y && grid.block_index().x == blockIdx.x ? 32
                                                                                               : 0;
  ok += grid.group_dim().y == 3 && grid.dim_blocks().x == 2 && !grid.is_valid() ? 64 : 0;
  ok += cg::thread_rank(block) == block.thread_rank() && cg::group_size(block) == 24 ? 128 : 0;
  out[rank] = ok;
}

// What a function that takes any group sees of it.
__device__ int sum_up(const cg::thread_group& group, int* room, int value) {
  const int rank = static_cast<int>(group.thread_rank());
  room[rank] = value;
  group.sync();
  int sum = 0;
  for (int i = 0; i < static_cast<int>(group.size()); ++i) sum += room[i];
  group.sync();
  room[rank] = -1000;  // so that nobody gets by without waiting
  return sum;
}

__global__ void erased(int* out) {
  __shared__ int room[96];
  const cg::thread_block block = cg::this_thread_block();
  const int thread = static_cast<int>(block.thread_rank());
  cg::thread_group part = cg::tiled_partition(cg::this_thread_block(), 8);
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  out[thread] = sum_up(block, room, thread);
  out[96 + thread] = sum_up(part, room + thread / 8 * 8, thread);
  out[192 + thread] = sum_up(tile, room + thread / 32 * 32, thread);
  cg::thread_group small = cg::tiled_partition(part, 2);
  out[288 + thread] = sum_up(small, room + thread / 2 * 2, thread);
}

template <unsigned size>
__global__ void tile_shape(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<size>(block);
  const int thread = static_cast<int>(block.thread_rank());
  int ok = tile.size() == size && tile.num_threads() == size ? 1 : 0;
  ok += tile.thread_rank() == thread % size ? 2 : 0;
  ok += tile.meta_group_rank() == thread / size && tile.meta_group_size() == 64 / size ? 4 : 0;
  const int first = thread / static_cast<int>(size) * static_cast<int>(size);
  const int last = first + static_cast<int>(size) - 1;
  ok += tile.shfl(thread, static_cast<int>(size) - 1) == last ? 8 : 0;
  ok += tile.shfl_up(thread, 1) == (thread > first ? thread - 1 : thread) ? 16 : 0;
  ok += tile.shfl_down(thread, 1) == (thread < last ? thread + 1 : thread) ? 32 : 0;
  ok += tile.shfl_xor(thread, size / 2) == (thread ^ static_cast<int>(size / 2)) ? 64 : 0;
  ok += tile.any(thread == last) && !tile.any(0) && tile.all(1) ? 128 : 0;
  ok += static_cast<bool>(tile.all(thread != last)) ? 0 : 256;
  const unsigned all = size == 32 ? 0xFFFFFFFFU : (1U << size) - 1U;
  ok += tile.ballot(thread != first) == (all & ~1U) ? 512 : 0;
  ok += tile.match_any(thread - first) == 1U << (thread - first) ? 1024 : 0;
  int equal = -1;
  ok += tile.match_all(first, equal) == all && equal == 1 ? 2048 : 0;
  tile.sync();
  cg::sync(tile);
  out[thread] = ok;
}

__global__ void tile_of_a_tile(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const cg::thread_block_tile<8, cg::thread_block_tile<32, cg::thread_block>> part =
      cg::tiled_partition<8>(tile);
  const cg::thread_block_tile<4> four = cg::tiled_partition<4>(part);
  const auto alone = cg::this_thread();
  const int thread = static_cast<int>(threadIdx.x);
  out[thread] = static_cast<int>(part.meta_group_rank() * 1000 + part.meta_group_size() * 100 +
                                 four.meta_group_rank() * 10 + four.meta_group_size()) +
                10000 * static_cast<int>(alone.size() + alone.thread_rank());
}

struct Big {
  double x;
  double y;
  int a;
  int b;
  float c;
  char d;
};
static_assert(sizeof(Big) == 32);
struct Odd {
  char c[11];
};
struct Mid {
  float x, y, z;
};

__global__ void structures(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int thread = static_cast<int>(threadIdx.x);
  const Big big{thread * 0.5, -thread * 0.25, thread,
                -thread,      thread * 2.0F,  static_cast<char>(thread)};
  const Big from = tile.shfl(big, 3);
  const int source = thread / 16 * 16 + 3;
  int ok = from.x == source * 0.5 && from.y == -source * 0.25 && from.a == source ? 1 : 0;
  ok += from.b == -source && from.c == source * 2.0F && from.d == source ? 2 : 0;
  Odd odd{};
  for (int i = 0; i < 11; ++i) odd.c[i] = static_cast<char>(thread + i);
  const Odd above = tile.shfl_down(odd, 1);
  const int next = thread % 16 == 15 ? thread : thread + 1;
  int right = 0;
  for (int i = 0; i < 11; ++i) right += above.c[i] == static_cast<char>(next + i) ? 1 : 0;
  ok += right == 11 ? 4 : 0;
  const Mid mid = cg::coalesced_threads().shfl(Mid{1.0F, static_cast<float>(thread), 3.0F}, 5);
  ok += mid.x == 1.0F && mid.y == static_cast<float>(thread / 32 * 32 + 5) && mid.z == 3.0F ? 8 : 0;
  const short little = tile.shfl_xor(static_cast<short>(thread), 1);
  ok += little == (thread ^ 1) && tile.shfl(static_cast<unsigned char>(thread), 2) == source - 1
            ? 16
            : 0;
  out[thread] = ok;
}

// In a branch: the odd lanes above 8.
__global__ void coalesced(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane % 2 == 1 && lane > 8) {
    const cg::coalesced_group group = cg::coalesced_threads();
    const int rank = (lane - 9) / 2;
    int ok = group.size() == 12 && group.num_threads() == 12 ? 1 : 0;
    ok += static_cast<int>(group.thread_rank()) == rank ? 2 : 0;
    ok +=
        group.shfl(lane, 0) == 9 && group.shfl(lane, 11) == 31 && group.shfl(lane, 4) == 17 ? 4 : 0;
    ok += group.shfl_up(lane, 2) == (rank >= 2 ? lane - 4 : lane) ? 8 : 0;
    ok += group.shfl_down(lane, 3) == (rank < 9 ? lane + 6 : lane) ? 16 : 0;
    ok += group.ballot(rank == 1 || rank == 11) == 0x802U ? 32 : 0;
    ok += group.any(rank == 7) && !group.all(rank == 7) && group.all(1) ? 64 : 0;
    ok += group.match_any(rank / 3) == 7U << (rank / 3 * 3) ? 128 : 0;
    int equal = -1;
    ok += group.match_all(5LL, equal) == 0xFFFU && equal == 1 ? 256 : 0;
    ok += group.match_all(rank, equal) == 0 && equal == 0 ? 512 : 0;
    const cg::coalesced_group part = cg::tiled_partition(group, 8);
    ok += static_cast<int>(part.size()) == (rank < 8 ? 8 : 4) &&
                  static_cast<int>(part.thread_rank()) == rank % 8 &&
                  static_cast<int>(part.meta_group_rank()) == rank / 8 &&
                  part.meta_group_size() == 2
              ? 1024
              : 0;
    ok += part.shfl(lane, 0) == (rank < 8 ? 9 : 25) ? 2048 : 0;
    group.sync();
    part.sync();
    out[lane] = ok;
  } else {
    const cg::coalesced_group rest = cg::coalesced_threads();
    out[lane] = static_cast<int>(rest.size()) + 100 * static_cast<int>(rest.meta_group_size());
  }
}

// One atomic for all lanes that have something to add.
__global__ void aggregated(int* out) {
  if (threadIdx.x % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int old = 0;
    if (active.thread_rank() == 0) old = atomicAdd(&out[0], static_cast<int>(active.size()));
    const int place = active.shfl(old, 0) + static_cast<int>(active.thread_rank());
    atomicAdd(&out[1 + place], 1);
  }
}

__global__ void partitions(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(threadIdx.x);
  const cg::coalesced_group odd = cg::binary_partition(tile, lane % 4 == 0);
  int ok = odd.size() == (lane % 4 == 0 ? 8U : 24U) ? 1 : 0;
  ok += odd.meta_group_size() == 2 && odd.meta_group_rank() == (lane % 4 == 0 ? 1U : 0U) ? 2 : 0;
  const cg::coalesced_group same = cg::binary_partition(tile, true);
  ok += same.size() == 32 && same.meta_group_size() == 1 ? 4 : 0;
  // Labels 2, 1, 0, 2, 1, 0, ...: the first lane has label 2.
  const cg::coalesced_group third = cg::labeled_partition(tile, 2 - lane % 3);
  ok += third.size() == (lane % 3 == 2 ? 10U : 11U) &&
                static_cast<int>(third.thread_rank()) == lane / 3
            ? 8
            : 0;
  ok += third.meta_group_size() == 3 && static_cast<int>(third.meta_group_rank()) == lane % 3 ? 16
                                                                                              : 0;
  const cg::coalesced_group label = cg::labeled_partition(third, lane < 15);
  ok += third.shfl(lane, 0) == lane % 3 && label.all(lane < 15) == (lane < 15) ? 32 : 0;
  out[lane] = ok;
}

__global__ void one_for_all(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  cg::invoke_one(
      tile, [&](int add) { atomicAdd(&out[0], add); }, 5);
  const int number = cg::invoke_one_broadcast(tile, [&] { return 40 + atomicAdd(&out[1], 1); });
  out[2 + threadIdx.x] = number;
}

// Tiles of two warps: a barrier of their own, though the warps come in any order.
__global__ void wide_tiles(int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int room[128];
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  const int thread = static_cast<int>(block.thread_rank());
  int ok = tile.size() == 64 && static_cast<int>(tile.thread_rank()) == thread % 64 ? 1 : 0;
  ok += static_cast<int>(tile.meta_group_rank()) == thread / 64 && tile.meta_group_size() == 2 ? 2
                                                                                               : 0;
  if (thread >= 64) {  // the other tile does not come here
    room[thread] = thread;
    tile.sync();
    ok += room[64 + (thread + 33) % 64] == 64 + (thread + 33) % 64 ? 4 : 0;
    tile.sync();
  } else {
    ok += 4;
  }
  ok += tile.shfl(thread * 0.5, 40) == (thread / 64 * 64 + 40) * 0.5 ? 8 : 0;
  ok +=
      tile.any(thread == 100) == (thread >= 64) && tile.all(thread < 64) == (thread < 64) ? 16 : 0;
  const auto warp = cg::tiled_partition<32>(tile);
  ok += static_cast<int>(warp.meta_group_rank()) == thread / 32 % 2 && warp.meta_group_size() == 2
            ? 32
            : 0;
  out[thread] = ok;
}

}  // namespace

TEST_CASE("blocks and grids know their shapes") {
  for (const int ok : results<int>(block_shape, dim3(2, 3), dim3(4, 3, 2), 6 * 24))
    CHECK(ok == 255);
}

TEST_CASE("a function that takes any group") {
  const auto got = results<int>(erased, 1, 96, 4 * 96);
  for (int i = 0; i < 96; ++i) {
    CAPTURE(i);
    CHECK(got[i] == 96 * 95 / 2);
    CHECK(got[96 + i] == i / 8 * 8 * 8 + 28);
    CHECK(got[192 + i] == i / 32 * 32 * 32 + 31 * 16);
    CHECK(got[288 + i] == i / 2 * 4 + 1);
  }
}

TEST_CASE("tiles of all sizes") {
  for (const int ok : results<int>(tile_shape<32>, 1, 64, 64)) CHECK(ok == 4095);
  for (const int ok : results<int>(tile_shape<16>, 1, 64, 64)) CHECK(ok == 4095);
  for (const int ok : results<int>(tile_shape<8>, 1, dim3(4, 16), 64)) CHECK(ok == 4095);
  for (const int ok : results<int>(tile_shape<4>, 1, dim3(2, 4, 8), 64)) CHECK(ok == 4095);
  for (const int ok : results<int>(tile_shape<2>, 1, 64, 64)) CHECK(ok == 4095);
}

TEST_CASE("a tile of a tile") {
  const auto got = results<int>(tile_of_a_tile, 1, 32, 32);
  for (int i = 0; i < 32; ++i) CHECK(got[i] == 10000 + i / 8 * 1000 + 400 + i / 4 % 2 * 10 + 2);
}

TEST_CASE("shuffles of structures, and of what is smaller than a word") {
  for (const int ok : results<int>(structures, 1, 32, 32)) CHECK(ok == 31);
}

TEST_CASE("the threads that have come together in a branch") {
  const auto got = results<int>(coalesced, 1, 32, 32);
  for (int lane = 0; lane < 32; ++lane) {
    CAPTURE(lane);
    CHECK(got[lane] == (lane % 2 == 1 && lane > 8 ? 4095 : 120));
  }
}

TEST_CASE("one atomic for all that have something to add") {
  const auto got = results<int>(aggregated, 2, 64, 50);
  CHECK(got[0] == 44);
  for (int i = 1; i < 50; ++i) CHECK(got[i] == (i <= 44 ? 1 : 0));
}

TEST_CASE("partitions by predicate and by label") {
  for (const int ok : results<int>(partitions, 1, 32, 32)) CHECK(ok == 63);
}

TEST_CASE("one thread works for all") {
  const auto got = results<int>(one_for_all, 1, 32, 34);
  CHECK(got[0] == 10);
  CHECK(got[1] == 2);
  for (int i = 0; i < 16; ++i) {
    CHECK(got[2 + i] == got[2]);
    CHECK(got[18 + i] == 81 - got[2]);
  }
}

TEST_CASE("tiles of several warps") {
  for (const int ok : results<int>(wide_tiles, 1, 128, 128)) CHECK(ok == 63);
}
