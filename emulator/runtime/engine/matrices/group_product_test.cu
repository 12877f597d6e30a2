// Products of warpgroups: what is where in shared memory, and which types there are. nvcc
// (-arch=sm_90a) compiles this file as well.

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <cuda/ptx>
#include <vector>

#include "tests/kernel_test.hpp"
#include "tests/tensor_map_encoder.hpp"

namespace {

namespace ptx = cuda::ptx;

// How an operand comes to shared memory, and what its descriptor says.
struct Placement {
  unsigned boxes;  // side by side in the tensor, one after the other in shared memory
  int step;        // from box to box, in elements
  unsigned bytes;  // of a box
  unsigned leading, stride;
  unsigned mode;    // bits 62 and 63
  unsigned offset;  // bytes: the matrix does not begin where the tile does
};

__device__ std::uint64_t descriptor(const void* matrix, const Placement& placement) {
  const auto field = [](std::uint64_t bytes) { return (bytes & 0x3FFFF) >> 4; };
  return field(__cvta_generic_to_shared(matrix) + placement.offset) |
         field(placement.leading) << 16 | field(placement.stride) << 32 |
         std::uint64_t{placement.mode} << 62;
}

__device__ void copy_boxes(unsigned char* tile, const CUtensorMap* map, const Placement& placement,
                           std::uint64_t* full) {
  for (unsigned i = 0; i < placement.boxes; ++i) {
    const std::int32_t corner[2] = {static_cast<int>(i) * placement.step, 0};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile + i * placement.bytes,
                              map, corner, full);
  }
}

// Brings both operands to shared memory.
__device__ void bring(unsigned char* a, unsigned char* b, std::uint64_t* full,
                      const CUtensorMap* map_a, const CUtensorMap* map_b, const Placement& place_a,
                      const Placement& place_b) {
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                   place_a.boxes * place_a.bytes + place_b.boxes * place_b.bytes);
    copy_boxes(a, map_a, place_a, full);
    copy_boxes(b, map_b, place_b, full);
  }
  while (!ptx::mbarrier_try_wait_parity(full, 0)) {
  }
}

__device__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// D = A B, of 64 rows, 32 columns and k 16.
template <int turns_a, int turns_b>
__global__ void one_product(const __grid_constant__ CUtensorMap map_a,
                            const __grid_constant__ CUtensorMap map_b, Placement place_a,
                            Placement place_b, float* out) {
  __shared__ alignas(1024) unsigned char a[8192];
  __shared__ alignas(1024) unsigned char b[8192];
  __shared__ alignas(8) std::uint64_t full;
  bring(a, b, &full, &map_a, &map_b, place_a, place_b);
  float d[16];
  for (float& one : d) one = -1;
  wgmma_fence();
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %18, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, 1, 1, %19, %20;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15])
      : "l"(descriptor(a, place_a)), "l"(descriptor(b, place_b)), "r"(0), "n"(turns_a),
        "n"(turns_b));
  wgmma_commit();
  wgmma_wait();
  const unsigned row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned column = i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
    out[(row + i / 2 % 2 * 8) * 32 + column] = d[i];
  }
}

// An operand of that many lines (rows of A, columns of B), k 16, with a swizzle of that many bytes
// (16: none): by itself in memory, each line in one piece or (turned) each k.
struct Operand {
  std::vector<__nv_bfloat16> memory;
  CUtensorMap map;
  Placement placement;
  unsigned columns = 0;

  Operand(unsigned lines, unsigned width, bool is_turned, unsigned first_k) {
    const unsigned span = width / 2;           // elements
    const unsigned k = span > 16 ? span : 16;  // in memory there may be more than are used
    columns = is_turned ? lines : k;
    const unsigned rows = is_turned ? 16 : lines;
    memory.resize(std::size_t{rows} * columns);
    const unsigned boxes = columns / span;
    const unsigned bytes = rows * width;
    placement = {boxes, static_cast<int>(span), bytes, 0, 8 * width, 0, 0};
    placement.mode = width == 128 ? 1U : width == 64 ? 2U : width == 32 ? 3U : 0U;
    if (width == 16) {
      placement.leading = is_turned ? 128 : bytes;
      placement.stride = is_turned ? bytes : 128;
    } else if (is_turned) {
      placement.leading = bytes;
    }
    if (!is_turned) placement.offset = 2 * first_k;
    for (unsigned line = 0; line < lines; ++line) {
      for (unsigned i = 0; i < k && (!is_turned || i < 16); ++i)
        at(line, i, is_turned) = value(line, i);
    }
  }
  __nv_bfloat16& at(unsigned line, unsigned k, bool is_turned) {
    return memory[is_turned ? std::size_t{k} * columns + line : std::size_t{line} * columns + k];
  }
  // Small integers without a pattern.
  static float value(unsigned line, unsigned k) {
    return static_cast<float>(static_cast<int>((line * 7 + k * 13 + line * k) % 11) - 5);
  }
};

template <int turns_a, int turns_b>
void check_product(unsigned width_a, unsigned width_b, unsigned first_k) {
  CAPTURE(width_a);
  CAPTURE(width_b);
  CAPTURE(turns_a);
  CAPTURE(turns_b);
  Operand a(64, width_a, turns_a == 1, first_k);
  Operand b(32, width_b, turns_b == 1, first_k);
  Shared<__nv_bfloat16> in_a(static_cast<unsigned>(a.memory.size()));
  Shared<__nv_bfloat16> in_b(static_cast<unsigned>(b.memory.size()));
  std::memcpy(in_a.get(), a.memory.data(), a.memory.size() * 2);
  std::memcpy(in_b.get(), b.memory.data(), b.memory.size() * 2);
  Shared<float> out(64 * 32);
  const auto encode = [](Operand& operand, void* memory, unsigned width) {
    const auto rows = static_cast<unsigned>(operand.memory.size() / operand.columns);
    operand.map = matrix_map(memory, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, rows, operand.columns,
                             rows, width / 2, width);
  };
  encode(a, in_a.get(), width_a);
  encode(b, in_b.get(), width_b);
  one_product<turns_a, turns_b><<<1, 128>>>(a.map, b.map, a.placement, b.placement, out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  unsigned wrong = 0;
  for (unsigned row = 0; row < 64; ++row) {
    for (unsigned column = 0; column < 32; ++column) {
      float sum = 0;
      for (unsigned k = 0; k < 16; ++k) {
        sum += Operand::value(row, k + (turns_a == 1 ? 0 : first_k)) *
               Operand::value(column, k + (turns_b == 1 ? 0 : first_k));
      }
      if (out[row * 32 + column] != sum) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

// ---------------------------------------------------------------- types

// D = A B and then D = A B + D, of 64 rows, 8 columns and k of 32 bytes.
template <int type>
__global__ void of_type(const __grid_constant__ CUtensorMap map_a,
                        const __grid_constant__ CUtensorMap map_b, Placement place_a,
                        Placement place_b, unsigned* out) {
  __shared__ alignas(1024) unsigned char a[2048];
  __shared__ alignas(1024) unsigned char b[1024];
  __shared__ alignas(8) std::uint64_t full;
  bring(a, b, &full, &map_a, &map_b, place_a, place_b);
  const std::uint64_t da = descriptor(a, place_a);
  const std::uint64_t db = descriptor(b, place_b);
  unsigned d[4] = {};
  float f[4] = {};
  wgmma_fence();
  for (int round = 0; round < 2; ++round) {
    if constexpr (type == 0) {
      asm volatile(
          "{.reg .pred p; setp.ne.b32 p, %4, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, p, 1, -1, 0, 0;}\n"
          : "+r"(d[0]), "+r"(d[1])
          : "l"(da), "l"(db), "r"(round));
    } else if constexpr (type == 1) {
      asm volatile(
          "{.reg .pred p; setp.ne.b32 p, %6, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, p, -1, "
          "1;}\n"
          : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
          : "l"(da), "l"(db), "r"(round));
    } else if constexpr (type == 2) {
      asm volatile(
          "{.reg .pred p; setp.ne.b32 p, %6, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {%0, %1, %2, %3}, %4, %5, p;}\n"
          : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
          : "l"(da), "l"(db), "r"(round));
    } else if constexpr (type == 4) {
      asm volatile(
          "{.reg .pred p; setp.ne.b32 p, %6, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%0, %1, %2, %3}, %4, %5, p, -1, "
          "1;}\n"
          : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
          : "l"(da), "l"(db), "r"(round));
    } else {
      // A from registers: each thread has its part of it.
      const unsigned row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
      unsigned part[4];
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned byte = (row + i % 2 * 8) * 32 + i / 2 * 16 + threadIdx.x % 4 * 4;
        part[i] = *reinterpret_cast<const unsigned*>(a + (byte ^ (byte / 128 % 2 * 16)));
      }
      wgmma_fence();
      asm volatile(
          "{.reg .pred p; setp.ne.b32 p, %9, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
          "%8, p, 1, -1, 0;}\n"
          : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
          : "r"(part[0]), "r"(part[1]), "r"(part[2]), "r"(part[3]), "l"(db), "r"(round));
    }
  }
  wgmma_commit();
  wgmma_wait();
  for (unsigned i = 0; i < 4; ++i) {
    if constexpr (type == 1 || type >= 3) std::memcpy(&d[i], &f[i], 4);
    out[threadIdx.x * 4 + i] = d[i];
  }
}

// Runs it; element (row, column) of what comes out, as a number.
template <int type, class A, class B>
void check_type(float scale) {
  constexpr unsigned k = 32 / sizeof(A);
  Shared<A> a(64 * k);
  Shared<B> b(8 * k);
  const auto value = [](unsigned i) { return static_cast<int>(i * 5 % 7) - (type == 2 ? 0 : 3); };
  for (unsigned i = 0; i < 64 * k; ++i) a[i] = static_cast<A>(static_cast<float>(value(i) - 3));
  for (unsigned i = 0; i < 8 * k; ++i) b[i] = static_cast<B>(static_cast<float>(value(i * i)));
  const Placement place_a{1, 0, 2048, 0, 256, 3, 0};
  const Placement place_b{1, 0, 256, 0, 256, 3, 0};
  const CUtensorMap map_a =
      matrix_map(a.get(), CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 64, 32, 64, 32, 32);
  const CUtensorMap map_b = matrix_map(b.get(), CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 8, 32, 8, 32, 32);
  Shared<unsigned> out(512);
  of_type<type><<<1, 128>>>(map_a, map_b, place_a, place_b, out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  unsigned wrong = 0;
  for (unsigned row = 0; row < 64; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      int sum = 0;
      for (unsigned i = 0; i < k; ++i) {
        sum += (value(row * k + i) - 3) * value((column * k + i) * (column * k + i));
      }
      const float expected = 2 * scale * static_cast<float>(sum);
      const unsigned thread = row / 16 * 32 + row % 8 * 4 + column / 2;
      const unsigned index = row / 8 % 2 * 2 + column % 2;
      const unsigned bits = out[thread * 4 + (type == 0 ? index / 2 : index)];
      float got = 0;
      if (type == 0) {
        const auto half = static_cast<unsigned short>(bits >> (index % 2 * 16));
        __half number;
        std::memcpy(&number, &half, 2);
        got = __half2float(number);
      } else if (type == 2) {
        got = static_cast<float>(static_cast<int>(bits));
      } else {
        std::memcpy(&got, &bits, 4);
      }
      if (got != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("wgmma: operands with each swizzle, as they are and transposed") {
  for (const unsigned width : {16U, 32U, 64U, 128U}) {
    check_product<0, 0>(width, width, 0);
    check_product<1, 0>(width, width == 16 ? 128 : 32, 0);
    check_product<0, 1>(128, width == 128 ? 64 : width, 0);
    check_product<1, 1>(width, width == 128 ? 64 : width, 0);
  }
}

TEST_CASE("wgmma: a descriptor that begins within the rows of a swizzle") {
  check_product<0, 0>(128, 128, 16);
  check_product<0, 0>(128, 128, 48);
  check_product<0, 0>(64, 64, 16);
}

TEST_CASE("wgmma: types, A from registers, and -1") {
  check_type<0, __half, __half>(-1);
  check_type<1, float, float>(-1);
  check_type<2, signed char, unsigned char>(1);
  check_type<3, __half, __half>(-1);
  check_type<4, __nv_fp8_e4m3, __nv_fp8_e5m2>(-1);
}
