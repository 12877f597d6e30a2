/// @file
/// Chapter 28: the two products of wgmma that attention needs: one with both operands along k, and
/// one whose left operand is in registers.
#pragma once

#include "tensor_cores/format_instructions.hpp"

namespace attention {

#ifndef COURSE_WITHOUT_WGMMA

/// Starts S = Q Kᵀ, or S += Q Kᵀ: 64 queries, `keys` keys, 16 of a head's size. Both tiles have
/// rows of 128 bytes along k: see hopper::describe_A(). Which lane has which scores: see
/// OnlineSoftmax.
///
/// q, k, adds: the numbers of these operands.
#define ATTENTION_SCORES(keys, q, k, adds)                                                      \
  inline __device__ void multiply_scores(float(&d)[keys / 2], std::uint64_t Q, std::uint64_t K, \
                                         bool with_sums) {                                      \
    asm volatile(                                                                               \
        "{\n"                                                                                   \
        ".reg .pred p;\n"                                                                       \
        "setp.ne.b32 p, " adds                                                                  \
        ", 0;\n"                                                                                \
        "wgmma.mma_async.sync.aligned.m64n" #keys "k16.f32.bf16.bf16 {" COURSE_NAMES_##keys     \
        "}, " q ", " k                                                                          \
        ", p, 1, 1, 0, 0;\n"                                                                    \
        "}"                                                                                     \
        : COURSE_SUMS_##keys                                                                    \
        : "l"(Q), "l"(K), "r"(static_cast<int>(with_sums)));                                    \
  }
ATTENTION_SCORES(64, "%32", "%33", "%34")
ATTENTION_SCORES(80, "%40", "%41", "%42")
ATTENTION_SCORES(96, "%48", "%49", "%50")
ATTENTION_SCORES(112, "%56", "%57", "%58")
ATTENTION_SCORES(128, "%64", "%65", "%66")
ATTENTION_SCORES(160, "%80", "%81", "%82")
ATTENTION_SCORES(176, "%88", "%89", "%90")
ATTENTION_SCORES(192, "%96", "%97", "%98")
#undef ATTENTION_SCORES

/// Starts O += P V: 64 queries, 16 keys, `cols` columns. P is in registers, four words per lane;
/// V's tile has a row per key: see hopper::describe_B().
///
/// a to d, v: the numbers of these operands.
#define ATTENTION_VALUES(cols, a, b, c, d_, v)                                              \
  inline __device__ void multiply_values(float(&d)[cols / 2], const std::uint32_t* P,       \
                                         std::uint64_t V) {                                 \
    asm volatile(                                                                           \
        "{\n"                                                                               \
        ".reg .pred p;\n"                                                                   \
        "setp.eq.b32 p, 0, 0;\n"                                                            \
        "wgmma.mma_async.sync.aligned.m64n" #cols "k16.f32.bf16.bf16 {" COURSE_NAMES_##cols \
        "}, {" a ", " b ", " c ", " d_ "}, " v                                              \
        ", p, 1, 1, 1;\n"                                                                   \
        "}"                                                                                 \
        : COURSE_SUMS_##cols                                                                \
        : "r"(P[0]), "r"(P[1]), "r"(P[2]), "r"(P[3]), "l"(V));                              \
  }
ATTENTION_VALUES(64, "%32", "%33", "%34", "%35", "%36")
ATTENTION_VALUES(128, "%64", "%65", "%66", "%67", "%68")
ATTENTION_VALUES(256, "%128", "%129", "%130", "%131", "%132")
#undef ATTENTION_VALUES

#endif

}  // namespace attention
