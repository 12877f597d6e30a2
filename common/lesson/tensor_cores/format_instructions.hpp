/// @file
/// wgmma for numbers of FP16, BF16, TF32 and FP8, and copies of boxes by maps of three dimensions.
#pragma once

#include "formats.hpp"
#include "products.hpp"

namespace hopper {

#ifndef COURSE_WITHOUT_WGMMA

// ---------------------------------------------------------------- copies

/// Starts the copy of a box to shared memory: as copy_in(), from a matrix of a batch.
inline __device__ void copy_in(void* to, const CUtensorMap& map, int column, int row, int matrix,
                               Barrier& full) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(address_of(to)),
      "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row), "r"(matrix),
      "r"(address_of(&full))
      : "memory");
}

/// The same to all blocks of the cluster whose bits are set.
inline __device__ void copy_in_multicast(void* to, const CUtensorMap& map, int column, int row,
                                         int matrix, Barrier& full, int blocks) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(address_of(to)),
      "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row), "r"(matrix),
      "r"(address_of(&full)), "h"(static_cast<std::uint16_t>(blocks))
      : "memory");
}

/// Starts the copy of a box from shared memory. What is out of bounds is not written.
inline __device__ void copy_out(const CUtensorMap& map, int column, int row, int matrix,
                                const void* from) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(
          reinterpret_cast<std::uint64_t>(&map)),
      "r"(column), "r"(row), "r"(matrix), "r"(address_of(from))
      : "memory");
}

// ---------------------------------------------------------------- products

/// The descriptor of lines of an operand: K-major as A's tile of describe_A(), MN-major as B's of
/// describe_B(), in slabs of 64 lines.
template <Major major, int depth>
__device__ std::uint64_t describe(const void* tile) {
  return major == Major::k ? describe_A(tile) : describe_B(tile, depth * 128);
}

/// A step along k, of 32 bytes of a K-major row or 16 rows of 64 lines, in the descriptor's units
/// of 16 bytes.
template <Major major>
constexpr int step_of = major == Major::k ? 2 : 16 * 128 / 16;

template <class F, class A, class B>
constexpr bool is_pair = std::is_same_v<typename F::A, A>&& std::is_same_v<typename F::B, B>;

// One instruction: its columns, k and types, and the numbers of the operands after its sums; of 16
// bits also of those that say whether A and B are MN-major.
#define COURSE_PRODUCT(cols, types, a, b, adds)                                               \
  asm volatile(                                                                               \
      "{\n"                                                                                   \
      ".reg .pred p;\n"                                                                       \
      "setp.ne.b32 p, " adds                                                                  \
      ", 0;\n"                                                                                \
      "wgmma.mma_async.sync.aligned.m64n" #cols types " {" COURSE_NAMES_##cols "}, " a ", " b \
                                                                               ", p, 1, 1;\n" \
                                                                               "}"            \
      : COURSE_SUMS_##cols                                                                    \
      : "l"(A), "l"(B), "r"(static_cast<int>(with_sums)))
#define COURSE_PRODUCT_16(cols, types, a, b, adds, major_a, major_b)                            \
  asm volatile(                                                                                 \
      "{\n"                                                                                     \
      ".reg .pred p;\n"                                                                         \
      "setp.ne.b32 p, " adds                                                                    \
      ", 0;\n"                                                                                  \
      "wgmma.mma_async.sync.aligned.m64n" #cols types " {" COURSE_NAMES_##cols                  \
      "}, " a ", " b ", p, 1, 1, " major_a ", " major_b                                         \
      ";\n"                                                                                     \
      "}"                                                                                       \
      : COURSE_SUMS_##cols                                                                      \
      : "l"(A), "l"(B), "r"(static_cast<int>(with_sums)), "n"(F::major_A == Major::mn ? 1 : 0), \
        "n"(F::major_B == Major::mn ? 1 : 0))

/// Starts D = A B, or D += A B: 64 rows, `cols` columns, 32 bytes along k; of the format F. Which
/// lane has which sums: see multiply() in products.hpp.
#define COURSE_MULTIPLY(cols, a, b, adds, major_a, major_b)                       \
  template <class F>                                                              \
  __device__ void multiply(float(&d)[cols / 2], std::uint64_t A, std::uint64_t B, \
                           bool with_sums) {                                      \
    if constexpr (is_pair<F, Half, Half>) {                                       \
      COURSE_PRODUCT_16(cols, "k16.f32.f16.f16", a, b, adds, major_a, major_b);   \
    } else if constexpr (is_pair<F, Bf16, Bf16>) {                                \
      COURSE_PRODUCT_16(cols, "k16.f32.bf16.bf16", a, b, adds, major_a, major_b); \
    } else if constexpr (is_pair<F, float, float>) {                              \
      COURSE_PRODUCT(cols, "k8.f32.tf32.tf32", a, b, adds);                       \
    } else if constexpr (is_pair<F, E4m3, E4m3>) {                                \
      COURSE_PRODUCT(cols, "k32.f32.e4m3.e4m3", a, b, adds);                      \
    } else if constexpr (is_pair<F, E4m3, E5m2>) {                                \
      COURSE_PRODUCT(cols, "k32.f32.e4m3.e5m2", a, b, adds);                      \
    } else if constexpr (is_pair<F, E5m2, E4m3>) {                                \
      COURSE_PRODUCT(cols, "k32.f32.e5m2.e4m3", a, b, adds);                      \
    } else {                                                                      \
      static_assert(is_pair<F, E5m2, E5m2>, "no wgmma has these types");          \
      COURSE_PRODUCT(cols, "k32.f32.e5m2.e5m2", a, b, adds);                      \
    }                                                                             \
  }
COURSE_MULTIPLY(64, "%32", "%33", "%34", "%35", "%36")
COURSE_MULTIPLY(96, "%48", "%49", "%50", "%51", "%52")
COURSE_MULTIPLY(128, "%64", "%65", "%66", "%67", "%68")
COURSE_MULTIPLY(192, "%96", "%97", "%98", "%99", "%100")
COURSE_MULTIPLY(256, "%128", "%129", "%130", "%131", "%132")
#undef COURSE_MULTIPLY
#undef COURSE_PRODUCT_16
#undef COURSE_PRODUCT

#endif

}  // namespace hopper
