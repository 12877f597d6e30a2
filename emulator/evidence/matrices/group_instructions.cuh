#pragma once
/// \file
/// Instructions of wgmma as types of C++: what makes one of its name, its width and its operands.

#include <cstdint>

#include "group_operands.cuh"
#include "numbers.cuh"

namespace matrices {

constexpr unsigned most_sums = 128;  ///< registers of D

/// So many instructions in a row add to a tile.
constexpr unsigned steps_of(unsigned n) {
  return 1 + n / 24 % most_steps;
}

/// How an instruction takes its operands, apart from their types.
struct GroupForm {
  bool has_a_in_registers;
  bool turns_a, turns_b;  ///< rows of A, columns of B are side by side in shared memory
};

// Operands of the assembler's. First come as many registers of D as any instruction has: their
// numbers are literals, and so what comes after them has the same ones in all: %128, A's
// descriptor, or %129 to %132, its registers; %133, B's descriptor; %134, whether D is added to.
// clang-format off

#define MATRICES_D_2 "%0, %1"
#define MATRICES_D_4 MATRICES_D_2 ", %2, %3"
#define MATRICES_D_6 MATRICES_D_4 ", %4, %5"
#define MATRICES_D_8 MATRICES_D_6 ", %6, %7"
#define MATRICES_D_10 MATRICES_D_8 ", %8, %9"
#define MATRICES_D_12 MATRICES_D_10 ", %10, %11"
#define MATRICES_D_14 MATRICES_D_12 ", %12, %13"
#define MATRICES_D_16 MATRICES_D_14 ", %14, %15"
#define MATRICES_D_18 MATRICES_D_16 ", %16, %17"
#define MATRICES_D_20 MATRICES_D_18 ", %18, %19"
#define MATRICES_D_22 MATRICES_D_20 ", %20, %21"
#define MATRICES_D_24 MATRICES_D_22 ", %22, %23"
#define MATRICES_D_26 MATRICES_D_24 ", %24, %25"
#define MATRICES_D_28 MATRICES_D_26 ", %26, %27"
#define MATRICES_D_30 MATRICES_D_28 ", %28, %29"
#define MATRICES_D_32 MATRICES_D_30 ", %30, %31"
#define MATRICES_D_34 MATRICES_D_32 ", %32, %33"
#define MATRICES_D_36 MATRICES_D_34 ", %34, %35"
#define MATRICES_D_38 MATRICES_D_36 ", %36, %37"
#define MATRICES_D_40 MATRICES_D_38 ", %38, %39"
#define MATRICES_D_42 MATRICES_D_40 ", %40, %41"
#define MATRICES_D_44 MATRICES_D_42 ", %42, %43"
#define MATRICES_D_46 MATRICES_D_44 ", %44, %45"
#define MATRICES_D_48 MATRICES_D_46 ", %46, %47"
#define MATRICES_D_50 MATRICES_D_48 ", %48, %49"
#define MATRICES_D_52 MATRICES_D_50 ", %50, %51"
#define MATRICES_D_54 MATRICES_D_52 ", %52, %53"
#define MATRICES_D_56 MATRICES_D_54 ", %54, %55"
#define MATRICES_D_58 MATRICES_D_56 ", %56, %57"
#define MATRICES_D_60 MATRICES_D_58 ", %58, %59"
#define MATRICES_D_62 MATRICES_D_60 ", %60, %61"
#define MATRICES_D_64 MATRICES_D_62 ", %62, %63"
#define MATRICES_D_68 MATRICES_D_64 ", %64, %65, %66, %67"
#define MATRICES_D_72 MATRICES_D_68 ", %68, %69, %70, %71"
#define MATRICES_D_76 MATRICES_D_72 ", %72, %73, %74, %75"
#define MATRICES_D_80 MATRICES_D_76 ", %76, %77, %78, %79"
#define MATRICES_D_84 MATRICES_D_80 ", %80, %81, %82, %83"
#define MATRICES_D_88 MATRICES_D_84 ", %84, %85, %86, %87"
#define MATRICES_D_92 MATRICES_D_88 ", %88, %89, %90, %91"
#define MATRICES_D_96 MATRICES_D_92 ", %92, %93, %94, %95"
#define MATRICES_D_100 MATRICES_D_96 ", %96, %97, %98, %99"
#define MATRICES_D_104 MATRICES_D_100 ", %100, %101, %102, %103"
#define MATRICES_D_108 MATRICES_D_104 ", %104, %105, %106, %107"
#define MATRICES_D_112 MATRICES_D_108 ", %108, %109, %110, %111"
#define MATRICES_D_116 MATRICES_D_112 ", %112, %113, %114, %115"
#define MATRICES_D_120 MATRICES_D_116 ", %116, %117, %118, %119"
#define MATRICES_D_124 MATRICES_D_120 ", %120, %121, %122, %123"
#define MATRICES_D_128 MATRICES_D_124 ", %124, %125, %126, %127"

#define MATRICES_SUMS_8(as, d, i) as(d[i]), as(d[i + 1]), as(d[i + 2]), as(d[i + 3]), as(d[i + 4]), as(d[i + 5]), as(d[i + 6]), as(d[i + 7])
#define MATRICES_SUMS_32(as, d, i) MATRICES_SUMS_8(as, d, i), MATRICES_SUMS_8(as, d, i + 8), MATRICES_SUMS_8(as, d, i + 16), MATRICES_SUMS_8(as, d, i + 24)
#define MATRICES_SUMS(as, d) MATRICES_SUMS_32(as, d, 0), MATRICES_SUMS_32(as, d, 32), MATRICES_SUMS_32(as, d, 64), MATRICES_SUMS_32(as, d, 96)
// clang-format on

// An instruction: its type, n, registers of D (their C++ type, and as the assembler knows them),
// formats, form, what it is called, and its operands of A and after those of D, A and B.
#define MATRICES_GROUP_PRODUCT(Type, n_, count_, Register, as, of_a, of_b, of_d, in_registers,     \
                               turns_a, turns_b, types, name_of_a, operand_of_a, behind)           \
  template <>                                                                                      \
  struct Type<n_> {                                                                                \
    static constexpr const char* name = #Type "_n" #n_;                                            \
    static constexpr const char* form_name = "m64n" #n_ types " d, " name_of_a ", b, adds" behind; \
    static constexpr unsigned n = n_, count = count_, steps = steps_of(n_);                        \
    static constexpr auto a_format = of_a;                                                         \
    static constexpr auto b_format = of_b;                                                         \
    static constexpr auto d_format = of_d;                                                         \
    static constexpr GroupForm form{in_registers != 0, turns_a != 0, turns_b != 0};                \
    using Sum = Register;                                                                          \
    static __device__ void multiply(Sum (&d)[most_sums], std::uint64_t in_a,                       \
                                    const std::uint32_t (&a)[4], std::uint64_t in_b, int adds) {   \
      asm volatile(                                                                                \
          "{\n"                                                                                    \
          ".reg .pred p;\n"                                                                        \
          "setp.ne.b32 p, %134, 0;\n"                                                              \
          "wgmma.mma_async.sync.aligned.m64n" #n_ types " {" MATRICES_D_##count_                   \
          "}, " operand_of_a ", %133, p" behind                                                    \
          ";\n"                                                                                    \
          "}"                                                                                      \
          : MATRICES_SUMS(as, d)                                                                   \
          : "l"(in_a), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(in_b), "r"(adds));          \
    }                                                                                              \
  };

// What differs where A is in registers, 1, and not in shared memory, 0.
#define MATRICES_A_NAME_0 "a"
#define MATRICES_A_NAME_1 "{a}"
#define MATRICES_A_0 "%128"
#define MATRICES_A_1 "{%129, %130, %131, %132}"
#define MATRICES_TURNS_0(turns_a, turns_b) ", " #turns_a ", " #turns_b
#define MATRICES_TURNS_1(turns_a, turns_b) ", " #turns_b

}  // namespace matrices
