#pragma once
// What the programs beside this have in common: memory, tensor maps, barriers, products of a
// warpgroup, and the choice of one of a file's programs. nvcc (-arch=sm_90a) also compiles them:
// then each says what became of its mistake.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda/ptx>
#include <vector>

using namespace cuda::ptx;
using Barrier = std::uint64_t;
using Bf16 = __nv_bfloat16;

// ---------------------------------------------------------------- in kernels

// Behind it all threads of the block may use the barrier, and copies may.
inline __device__ void make(Barrier* barrier, unsigned arrivals) {
  if (threadIdx.x == 0) {
    mbarrier_init(barrier, arrivals);
    fence_mbarrier_init(sem_release, scope_cluster);
  }
  __syncthreads();
}

// One arrival, and a number of bytes to wait for.
inline __device__ void expect(Barrier* barrier, unsigned bytes) {
  mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, barrier, bytes);
}

inline __device__ void fence_products() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
inline __device__ void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int but>
__device__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(but) : "memory");
}

// D = A B, or D += A B: 64 rows, 8 columns, k 16. A macro, as a mistake is named at the line where
// the instruction is.
#define MULTIPLY(d, a, b, adds)                                                                \
  asm volatile(                                                                                \
      "{.reg .pred p; setp.ne.b32 p, %6, 0;\n"                                                 \
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1," \
      "0, 0;}\n"                                                                               \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                         \
      : "l"(a), "l"(b), "r"(static_cast<int>(adds)))

// A tile of A: 64 rows, k 64; and one of B: 8 columns, k 64. Each row or column has 128 bytes, and
// eight of them are the pattern of the swizzle.
struct Tiles {
  Bf16 a[64 * 64];
  Bf16 b[8 * 64];
};

constexpr int all_k = 128;  // of both matrices in global memory: two such tiles

constexpr std::uint64_t no_swizzle = 0, swizzle_128 = 1;

// A matrix descriptor. A step of 16 along k is 2 more: 32 bytes.
inline __device__ std::uint64_t describe(const void* tile, std::uint64_t stride = 1024,
                                         std::uint64_t swizzle = swizzle_128) {
  return (__cvta_generic_to_shared(tile) & 0x3FFFF) >> 4 | std::uint64_t{1} << 16 |
         stride / 16 << 32 | swizzle << 62;
}

// One thread asks for both tiles, from their column `k` on.
inline __device__ void fill(Tiles& tiles, const CUtensorMap* a, const CUtensorMap* b, int k,
                            Barrier* full) {
  expect(full, sizeof(Tiles));
  const std::int32_t corner[2] = {k, 0};
  cp_async_bulk_tensor(space_cluster, space_global, tiles.a, a, corner, full);
  cp_async_bulk_tensor(space_cluster, space_global, tiles.b, b, corner, full);
}

// All threads of the block bring a number of rows of 64 numbers to a tile, as a map would that
// swizzles.
inline __device__ void store_swizzled(Bf16* tile, const Bf16* rows, int count) {
  for (int i = threadIdx.x; i < count * 64; i += blockDim.x) {
    tile[i ^ i / 64 % 8 * 8] = rows[i / 64 * all_k + i % 64];
  }
}

// A thread's sums to where they belong.
inline __device__ void write_sums(float* out, const float (&d)[4]) {
  const unsigned row = threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4;
  for (unsigned i = 0; i < 4; ++i) {
    out[(row + i / 2 * 8) * 8 + threadIdx.x % 4 * 2 + i % 2] = d[i];
  }
}

// ---------------------------------------------------------------- on the host

constexpr int numbers = 4096;  // of each array

struct Fixture {
  float* in = nullptr;   // 0, 1, 2, ...
  float* out = nullptr;  // all -1
  Bf16* a = nullptr;     // 64 rows of A
  Bf16* b = nullptr;     // 8 columns of B
  cudaError_t error = cudaSuccess;
  int wrong = 0, count = 0;

  static float value_a(int row, int k) { return static_cast<float>((row * 3 + k * 7) % 11 - 5); }
  static float value_b(int column, int k) {
    return static_cast<float>((column * 5 + k * k) % 7 - 3);
  }
  static float sum(int i, int first, int end) {
    float total = 0;
    for (int k = first; k < end; ++k) total += value_a(i / 8, k) * value_b(i % 8, k);
    return total;
  }

  Fixture() {
    std::vector<float> numbered(numbers), minus(numbers, -1);
    for (int i = 0; i < numbers; ++i) numbered[i] = static_cast<float>(i);
    std::vector<Bf16> as(64 * all_k), bs(8 * all_k);
    for (int i = 0; i < 64 * all_k; ++i) as[i] = __float2bfloat16(value_a(i / all_k, i % all_k));
    for (int i = 0; i < 8 * all_k; ++i) bs[i] = __float2bfloat16(value_b(i / all_k, i % all_k));
    upload(in, numbered);
    upload(out, minus);
    upload(a, as);
    upload(b, bs);
  }
  ~Fixture() {
    for (void* memory : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(a),
                         static_cast<void*>(b)}) {
      cudaFree(memory);
    }
  }

  template <class T>
  void upload(T*& to, const std::vector<T>& from) {
    note(cudaMalloc(&to, from.size() * sizeof(T)));
    note(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  void note(cudaError_t status) {
    if (error == cudaSuccess) error = status;
  }

  // A matrix's boxes: as wide as a row of shared memory that a swizzle turns, or as said.
  CUtensorMap map(CUtensorMapDataType type, void* matrix, unsigned size, unsigned columns,
                  unsigned rows, unsigned box_columns, unsigned box_rows,
                  CUtensorMapSwizzle swizzle) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    note(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                          cudaEnableDefault, &found));
    CUtensorMap made{};
    const cuuint64_t extents[2] = {columns, rows};
    const cuuint64_t pitch[1] = {cuuint64_t{columns} * size};
    const cuuint32_t box[2] = {box_columns, box_rows};
    const cuuint32_t steps[2] = {1, 1};
    if (function == nullptr ||
        reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function)(
            &made, type, 2, matrix, extents, pitch, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
      note(cudaErrorInvalidValue);
    }
    return made;
  }
  // `in` or `out`, as rows of 32 numbers, 128 bytes.
  CUtensorMap rows_of(float* array, unsigned box_rows, unsigned rows = numbers / 32) {
    return map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, array, 4, 32, rows, 32, box_rows,
               CU_TENSOR_MAP_SWIZZLE_NONE);
  }
  CUtensorMap map_a(CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B, unsigned width = 64) {
    return map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, a, 2, all_k, 64, width, 64, swizzle);
  }
  CUtensorMap map_b() {
    return map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, b, 2, all_k, 8, 64, 8, CU_TENSOR_MAP_SWIZZLE_128B);
  }

  // Whether `out` begins as it should.
  template <class Want>
  void compare(int length, Want want) {
    note(cudaGetLastError());
    note(cudaDeviceSynchronize());
    if (error != cudaSuccess) return;
    std::vector<float> got(length);
    note(cudaMemcpy(got.data(), out, length * sizeof(float), cudaMemcpyDeviceToHost));
    count = length;
    for (int i = 0; i < length; ++i) wrong += got[i] == want(i) ? 0 : 1;
  }
  // The row of numbers, each block of that many reversed.
  void wants_turned(int length, int block = 256) {
    compare(length,
            [=](int i) { return static_cast<float>(i / block * block + block - 1 - i % block); });
  }
  void wants_product(int first = 0, int end = 64) {
    compare(512, [=](int i) { return sum(i, first, end); });
  }
};

struct Program {
  const char* name;
  void (*run)(Fixture&);
};

#define PROGRAM(name) \
  { #name, name }

template <int count>
int run(int argc, char** argv, const Program (&programs)[count]) {
  for (const Program& program : programs) {
    if (argc != 2 || std::strcmp(argv[1], program.name) != 0) continue;
    Fixture fixture;
    program.run(fixture);
    if (fixture.error != cudaSuccess) {
      std::printf("%s: error, %s\n", program.name, cudaGetErrorString(fixture.error));
    } else if (fixture.wrong != 0) {
      std::printf("%s: wrong, %d of %d elements\n", program.name, fixture.wrong, fixture.count);
    } else {
      std::printf("%s: right\n", program.name);
    }
    return fixture.error != cudaSuccess || fixture.wrong != 0 ? 1 : 0;
  }
  std::puts("which of the programs?");
  for (const Program& program : programs) std::puts(program.name);
  return 2;
}
