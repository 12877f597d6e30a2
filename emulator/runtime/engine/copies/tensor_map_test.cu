// Tensor maps and the copies of boxes. nvcc (-arch=sm_90a) also compiles this file, but for what is
// looked at by the checks.

#include <cuda.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <cuda/barrier>
#include <cuda/ptx>
#include <string>
#include <vector>

#include "tests/kernel_test.hpp"
#include "tests/tensor_map_encoder.hpp"

namespace {

namespace ptx = cuda::ptx;

enum : unsigned { most_bytes = 16384 };

// What a map is made of; what is not said is usual.
struct Shape {
  std::vector<cuuint64_t> dimensions;
  std::vector<cuuint64_t> strides;
  std::vector<cuuint32_t> box;
  std::vector<cuuint32_t> steps = std::vector<cuuint32_t>(5, 1);
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_INT32;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};

CUresult encode(const Shape& s, void* tensor, CUtensorMap& map) {
  return tensor_map_encoder()(&map, s.type, static_cast<cuuint32_t>(s.dimensions.size()), tensor,
                              s.dimensions.data(), s.strides.data(), s.box.data(), s.steps.data(),
                              CU_TENSOR_MAP_INTERLEAVE_NONE, s.swizzle,
                              CU_TENSOR_MAP_L2_PROMOTION_NONE, s.fill);
}

struct Corner {
  int at[5];
};

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

template <int rank>
__device__ void copy_in(void* to, const CUtensorMap* map, const Corner& c, std::uint64_t* barrier) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
  const auto address = reinterpret_cast<std::uint64_t>(map);
  if constexpr (rank == 1) {
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%3}], [%2];"
        :
        : "r"(shared), "l"(address), "r"(at), "r"(c.at[0])
        : "memory");
  } else if constexpr (rank == 2) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%3, %4}], [%2];"
        :
        : "r"(shared), "l"(address), "r"(at), "r"(c.at[0]), "r"(c.at[1])
        : "memory");
  } else {
    std::int32_t corner[rank];
    for (int d = 0; d < rank; ++d) corner[d] = c.at[d];
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, map, corner, barrier);
  }
}

// Copies a box in, and hands out the bytes as they are in shared memory.
template <int rank>
__global__ void take_box(const __grid_constant__ CUtensorMap map, Corner corner, unsigned bytes,
                         unsigned char* out, bool with_wait, unsigned expected) {
  __shared__ alignas(1024) unsigned char tile[most_bytes];
  __shared__ alignas(8) std::uint64_t full;
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) tile[i] = 0xEE;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   expected);
    copy_in<rank>(tile, &map, corner, &full);
  }
  if (with_wait) wait(&full, 0);
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = tile[i];
}

// Puts the bytes of a box into a tensor.
__global__ void put_box(const __grid_constant__ CUtensorMap map, Corner corner, unsigned bytes,
                        const unsigned char* in, bool with_fence, unsigned threads = 1) {
  __shared__ alignas(1024) unsigned char tile[most_bytes];
  for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x) {
    reinterpret_cast<unsigned*>(tile)[i] = reinterpret_cast<const unsigned*>(in)[i];
  }
  if (with_fence) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x < threads) {
    const std::int32_t at[2] = {corner.at[0], corner.at[1]};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at, tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

#ifdef CUDA_EMULATOR
__global__ void name_absent_block(const __grid_constant__ CUtensorMap map, unsigned short blocks) {
  __shared__ alignas(128) int tile[64];
  __shared__ alignas(8) std::uint64_t full;
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init(&full, 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 128);
  const std::int32_t at[2] = {0, 0};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, at, &full, blocks);
  wait(&full, 0);
}
#endif

unsigned box_elements(const Shape& shape) {
  unsigned elements = shape.box[0];
  for (std::size_t d = 1; d < shape.box.size(); ++d) {
    elements *= (shape.box[d] + shape.steps[d] - 1) / shape.steps[d];
  }
  return elements;
}

template <class T>
std::vector<T> numbered(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i + 1);
  return values;
}

// The box as it is stored in shared memory.
template <int rank, class T>
std::vector<T> box_of(const Shape& shape, const std::vector<T>& tensor, Corner corner) {
  const unsigned elements = box_elements(shape);
  const auto bytes = static_cast<unsigned>(elements * sizeof(T));
  Shared<T> in(static_cast<unsigned>(tensor.size()));
  for (unsigned i = 0; i < tensor.size(); ++i) in[i] = tensor[i];
  Shared<unsigned char> out(bytes);
  CUtensorMap map;
  REQUIRE(encode(shape, in.get(), map) == CUDA_SUCCESS);
  take_box<rank><<<1, 64>>>(map, corner, bytes, out.get(), true, bytes);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<T> box(elements);
  std::memcpy(box.data(), out.get(), bytes);
  return box;
}

}  // namespace

TEST_CASE("tensor maps: a box of a matrix, within it and across its edges") {
  Shape shape{{20, 10}, {96}, {8, 4}};  // rows of 24 integers, of which 20 count
  const std::vector<int> tensor = numbered<int>(240);
  for (const Corner corner : {Corner{{0, 0}}, Corner{{4, 3}}, Corner{{16, 8}}, Corner{{-4, -2}},
                              Corner{{32, 0}}, Corner{{0, 10}}}) {
    const std::vector<int> box = box_of<2>(shape, tensor, corner);
    for (int i = 0; i < 32; ++i) {
      const int x = corner.at[0] + i % 8;
      const int y = corner.at[1] + i / 8;
      const bool inside = x >= 0 && x < 20 && y >= 0 && y < 10;
      CAPTURE(x);
      CAPTURE(y);
      CHECK(box[static_cast<std::size_t>(i)] == (inside ? 24 * y + x + 1 : 0));
    }
  }
}

TEST_CASE("tensor maps: one dimension, and three with steps of two and three") {
  const std::vector<int> tensor = numbered<int>(8 * 6 * 7);
  const std::vector<int> line = box_of<1>({{300}, {}, {64}}, tensor, {{248}});
  for (int i = 0; i < 64; ++i) {
    CHECK(line[static_cast<std::size_t>(i)] == (248 + i < 300 ? 249 + i : 0));
  }
  Shape shape{{8, 6, 7}, {32, 192}, {4, 4, 5}, {1, 2, 3, 1, 1}};
  // Of the box's four rows every second, of its five planes every third.
  const std::vector<int> box = box_of<3>(shape, tensor, {{4, 1, 3}});
  REQUIRE(box.size() == 16);
  for (int i = 0; i < 16; ++i) {
    const int x = 4 + i % 4;
    const int y = 1 + 2 * (i / 4 % 2);
    const int z = 3 + 3 * (i / 8);
    CHECK(box[static_cast<std::size_t>(i)] == 48 * z + 8 * y + x + 1);
  }
}

TEST_CASE("tensor maps: five dimensions") {
  const std::vector<int> tensor = numbered<int>(4 * 3 * 3 * 2 * 3);
  Shape shape{{4, 3, 3, 2, 3}, {16, 48, 144, 288}, {4, 2, 2, 1, 2}};
  const std::vector<int> box = box_of<5>(shape, tensor, {{0, 1, 1, 1, 1}});
  for (int i = 0; i < 32; ++i) {
    const int at = i % 4 + 4 * (1 + i / 4 % 2) + 12 * (1 + i / 8 % 2) + 36 + 72 * (1 + i / 16);
    CHECK(box[static_cast<std::size_t>(i)] == at + 1);
  }
}

TEST_CASE("tensor maps: a swizzle turns over the number of the chunk by that of the row") {
  struct Case {
    CUtensorMapSwizzle swizzle;
    unsigned row_bytes;
    unsigned bits;
  };
  for (const Case one :
       {Case{CU_TENSOR_MAP_SWIZZLE_32B, 32, 1}, Case{CU_TENSOR_MAP_SWIZZLE_64B, 64, 3},
        Case{CU_TENSOR_MAP_SWIZZLE_128B, 128, 7}}) {
    CAPTURE(one.row_bytes);
    const unsigned columns = one.row_bytes / 4;
    Shape shape{{columns, 32}, {one.row_bytes}, {columns, 32}};
    shape.swizzle = one.swizzle;
    const std::vector<int> tensor = numbered<int>(std::size_t{columns} * 32);
    const std::vector<int> box = box_of<2>(shape, tensor, {{0, 0}});
    for (unsigned i = 0; i < tensor.size(); ++i) {
      const unsigned byte = 4 * i;
      const unsigned there = byte ^ ((byte / 128 & one.bits) * 16);
      CHECK(box[there / 4] == tensor[i]);
    }
  }
}

TEST_CASE("tensor maps: what is outside can be a NaN, but the barrier counts all bytes") {
  Shape shape{{8, 3}, {32}, {8, 4}};
  shape.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  shape.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  const std::vector<float> box = box_of<2>(shape, numbered<float>(24), {{4, 0}});
  for (int i = 0; i < 32; ++i) {
    const float value = box[static_cast<std::size_t>(i)];
    const bool inside = i % 8 < 4 && i / 8 < 3;
    CHECK((inside ? value == static_cast<float>(i / 8 * 8 + i % 8 + 5) : value != value));
  }
}

TEST_CASE("tensor maps: out of shared memory only what lies in the tensor is written") {
  Shape shape{{20, 10}, {96}, {8, 4}};
  for (const CUtensorMapSwizzle swizzle : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B}) {
    shape.swizzle = swizzle;
    Shared<int> tensor(240);
    Shared<unsigned char> box(128);
    for (unsigned i = 0; i < 32; ++i) {
      const int value = static_cast<int>(i) + 1;
      unsigned there = 4 * i;
      if (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE) there ^= (there / 128 & 1U) * 16;
      std::memcpy(box.get() + there, &value, 4);
    }
    CUtensorMap map;
    REQUIRE(encode(shape, tensor.get(), map) == CUDA_SUCCESS);
    put_box<<<1, 32>>>(map, Corner{{16, 8}}, 128U, box.get(), true);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned i = 0; i < 240; ++i) {
      const unsigned x = i % 24;
      const unsigned y = i / 24;
      CAPTURE(i);
      CHECK(tensor[i] ==
            (x >= 16 && x < 20 && y >= 8 ? static_cast<int>((y - 8) * 8 + x - 15) : 0));
    }
  }
}

#ifdef CUDA_EMULATOR

namespace {

constexpr unsigned matrix_bytes = 960;
const Shape matrix{{20, 10}, {96}, {8, 4}};

struct Memory {
  int* in = nullptr;
  unsigned char* out = nullptr;
  CUtensorMap map;
  CUtensorMap nothing{};
  CUtensorMap of_one_dimension{};
  explicit Memory(const Shape& shape = matrix) {
    emulator::set_checking(true);  // now, so that it is known what has been written
    REQUIRE(cudaMalloc(&in, matrix_bytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&out, most_bytes) == cudaSuccess);
    REQUIRE(cudaMemset(in, 0, matrix_bytes) == cudaSuccess);
    REQUIRE(cudaMemset(out, 0, most_bytes) == cudaSuccess);
    REQUIRE(encode(shape, in, map) == CUDA_SUCCESS);
    REQUIRE(encode({{240}, {}, {32}}, in, of_one_dimension) == CUDA_SUCCESS);
  }
  ~Memory() { emulator::set_checking(false); }
  std::string taken(Corner corner, bool with_wait = true, unsigned expected = 128) const {
    return lines_found_in(
        [&] { take_box<2><<<1, 64>>>(map, corner, 128U, out, with_wait, expected); });
  }
  std::string put(bool with_fence, unsigned threads = 1) const {
    return lines_found_in([&] {
      put_box<<<1, 64>>>(map, Corner{{16, 8}}, 128U, out, with_fence, threads);
    });
  }
};

}  // namespace

TEST_CASE("tensor maps: the checks find what is wrong with a copy, and nothing in what is right") {
  const Memory memory;
  CHECK(memory.taken({{0, 0}}).empty());
  CHECK(memory.taken({{16, 8}}).empty());
  CHECK(memory.taken({{-4, -1}}).empty());
  CHECK(memory.taken({{4, 1}}).empty());
  CHECK(first_line(memory.taken({{0, 0}}, false)) ==
        "race: the kernel reads shared memory that a bulk copy may still be writing");
  CHECK(memory.put(true).empty());
  CHECK(memory.put(true, 32).empty());  // what all lanes of a warp start alike is one copy
  CHECK(memory.put(true, 64).starts_with("race: a bulk copy writes "));  // but of two warps
  CHECK(first_line(memory.put(false)) ==
        "missing-fence: a bulk copy reads shared memory that threads have written, with no fence "
        "for the asynchronous proxy after the write");
  Shape too_tall = matrix;
  too_tall.dimensions[1] = 11;  // there are ten
  const Memory smaller(too_tall);
  CHECK(smaller.taken({{0, 4}}).empty());
  CHECK(first_line(smaller.taken({{0, 8}})).starts_with("out-of-bounds: "));
}

TEST_CASE("tensor maps: a box begins at a multiple of 16 bytes within its row") {
  const Memory memory;
  CHECK(first_line(memory.taken({{3, 1}})) ==
        "misaligned: a box of a tensor begins 12 bytes into a row: that must be a multiple of 16");
}

TEST_CASE("tensor maps: a barrier that expects other bytes says how many, and how many came") {
  const Memory memory;
  CHECK(first_line(memory.taken({{0, 0}}, true, 144)) ==
        "misused-barrier: a thread waits forever at an mbarrier: its phase expects 144 bytes, and "
        "copies have brought 128");
}

// CUTLASS writes to a map: it clears bit 21 of the second word, for the sake of some drivers.
TEST_CASE("tensor maps: nothing is kept in the second word") {
  Shared<int> in(240);
  for (unsigned i = 0; i < 240; ++i) in[i] = static_cast<int>(i);
  Shared<unsigned char> out(128);
  CUtensorMap map;
  REQUIRE(encode(Shape{{20, 10}, {96}, {8, 4}}, in.get(), map) == CUDA_SUCCESS);
  for (const std::uint64_t word : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    std::memcpy(reinterpret_cast<char*>(&map) + 8, &word, sizeof(word));
    take_box<2><<<1, 64>>>(map, {{4, 3}}, 128, out.get(), true, 128);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    int last = 0;
    std::memcpy(&last, out.get() + 124, sizeof(last));
    CHECK(last == 24 * 6 + 11);
  }
}

TEST_CASE("tensor maps: what is no map, or names an absent block, ends the launch") {
  const auto found = [](CUtensorMap Memory::*map, unsigned short blocks) {
    const Memory memory;
    return first_line(lines_found_in([&] { name_absent_block<<<1, 32>>>(memory.*map, blocks); }));
  };
  CHECK(found(&Memory::map, 1).empty());
  CHECK(
      found(&Memory::map, 2) ==
      "failed-kernel: a multicast copy goes to the blocks of the mask 0x0002, and the cluster has "
      "only those of 0x0001");
  CHECK(found(&Memory::nothing, 1) ==
        "failed-kernel: a copy names a tensor map that cuTensorMapEncodeTiled() has not made: it "
        "must be in device memory or a parameter of the kernel");
  CHECK(found(&Memory::of_one_dimension, 1) ==
        "failed-kernel: the tensor map has 1 dimensions, and the instruction is for 2");
}

TEST_CASE("tensor maps: the sectors of the rows that lie in the tensor are counted") {
  const auto traffic = [](Corner corner) {
    Shared<int> in(240);
    Shared<unsigned char> out(128);
    CUtensorMap map;
    REQUIRE(encode(matrix, in.get(), map) == CUDA_SUCCESS);
    return traffic_of([&] { take_box<2><<<1, 64>>>(map, corner, 128U, out.get(), true, 128U); });
  };
  emulator::Traffic counted = traffic({{0, 0}});
  CHECK(counted.bulk_load_copies == 1);
  CHECK(counted.bulk_load_bytes == 128);
  CHECK(counted.bulk_load_sectors == 4);
  counted = traffic({{4, 0}});  // each row is across two sectors
  CHECK(counted.bulk_load_sectors == 8);
  counted = traffic({{16, 8}});  // half of two rows
  CHECK(counted.bulk_load_bytes == 32);
  CHECK(counted.bulk_load_sectors == 2);
  CHECK(counted.global_load_requests == 0);
}

#endif
