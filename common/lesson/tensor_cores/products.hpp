/// @file
/// The products of warpgroups, wgmma, in all widths that tiles of chapter 22 have.
#pragma once

#include "instructions.hpp"

namespace hopper {

#ifndef COURSE_WITHOUT_WGMMA

// The sums of that many columns, half as many per thread: as the instruction names them, "%0, %1",
// ...
#define COURSE_NAMES_16 "%0, %1, %2, %3, %4, %5, %6, %7"
#define COURSE_NAMES_32 \
  COURSE_NAMES_16       \
  ", "                  \
  "%8, %9, %10, %11, %12, %13, %14, %15"
#define COURSE_NAMES_48 \
  COURSE_NAMES_32       \
  ", "                  \
  "%16, %17, %18, %19, %20, %21, %22, %23"
#define COURSE_NAMES_64 \
  COURSE_NAMES_48       \
  ", "                  \
  "%24, %25, %26, %27, %28, %29, %30, %31"
#define COURSE_NAMES_80 \
  COURSE_NAMES_64       \
  ", "                  \
  "%32, %33, %34, %35, %36, %37, %38, %39"
#define COURSE_NAMES_96 \
  COURSE_NAMES_80       \
  ", "                  \
  "%40, %41, %42, %43, %44, %45, %46, %47"
#define COURSE_NAMES_112 \
  COURSE_NAMES_96        \
  ", "                   \
  "%48, %49, %50, %51, %52, %53, %54, %55"
#define COURSE_NAMES_128 \
  COURSE_NAMES_112       \
  ", "                   \
  "%56, %57, %58, %59, %60, %61, %62, %63"
#define COURSE_NAMES_144 \
  COURSE_NAMES_128       \
  ", "                   \
  "%64, %65, %66, %67, %68, %69, %70, %71"
#define COURSE_NAMES_160 \
  COURSE_NAMES_144       \
  ", "                   \
  "%72, %73, %74, %75, %76, %77, %78, %79"
#define COURSE_NAMES_176 \
  COURSE_NAMES_160       \
  ", "                   \
  "%80, %81, %82, %83, %84, %85, %86, %87"
#define COURSE_NAMES_192 \
  COURSE_NAMES_176       \
  ", "                   \
  "%88, %89, %90, %91, %92, %93, %94, %95"
#define COURSE_NAMES_208 \
  COURSE_NAMES_192       \
  ", "                   \
  "%96, %97, %98, %99, %100, %101, %102, %103"
#define COURSE_NAMES_224 \
  COURSE_NAMES_208       \
  ", "                   \
  "%104, %105, %106, %107, %108, %109, %110, %111"
#define COURSE_NAMES_240 \
  COURSE_NAMES_224       \
  ", "                   \
  "%112, %113, %114, %115, %116, %117, %118, %119"
#define COURSE_NAMES_256 \
  COURSE_NAMES_240       \
  ", "                   \
  "%120, %121, %122, %123, %124, %125, %126, %127"
// The same as operands of asm: "+f"(d[0]), "+f"(d[1]), ...
#define COURSE_EIGHT(i)                                                                       \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define COURSE_SUMS_16 COURSE_EIGHT(0)
#define COURSE_SUMS_32 COURSE_SUMS_16, COURSE_EIGHT(8)
#define COURSE_SUMS_48 COURSE_SUMS_32, COURSE_EIGHT(16)
#define COURSE_SUMS_64 COURSE_SUMS_48, COURSE_EIGHT(24)
#define COURSE_SUMS_80 COURSE_SUMS_64, COURSE_EIGHT(32)
#define COURSE_SUMS_96 COURSE_SUMS_80, COURSE_EIGHT(40)
#define COURSE_SUMS_112 COURSE_SUMS_96, COURSE_EIGHT(48)
#define COURSE_SUMS_128 COURSE_SUMS_112, COURSE_EIGHT(56)
#define COURSE_SUMS_144 COURSE_SUMS_128, COURSE_EIGHT(64)
#define COURSE_SUMS_160 COURSE_SUMS_144, COURSE_EIGHT(72)
#define COURSE_SUMS_176 COURSE_SUMS_160, COURSE_EIGHT(80)
#define COURSE_SUMS_192 COURSE_SUMS_176, COURSE_EIGHT(88)
#define COURSE_SUMS_208 COURSE_SUMS_192, COURSE_EIGHT(96)
#define COURSE_SUMS_224 COURSE_SUMS_208, COURSE_EIGHT(104)
#define COURSE_SUMS_240 COURSE_SUMS_224, COURSE_EIGHT(112)
#define COURSE_SUMS_256 COURSE_SUMS_240, COURSE_EIGHT(120)

/// Starts D = X Y, or D += X Y: 64 rows, `cols` columns, k 16. By default X is a tile of A, and Y
/// is one of B. If `swapped`, X is 64 columns of B as rows, and Y is rows of A as columns: D is a
/// piece of C's transpose. Lane l of warp w has of D, for each eight columns c: d[4 c] and d[4 c +
/// 1] in row 16 w + l / 4, columns 8 c + 2 (l % 4) and the next one; d[4 c + 2] and d[4 c + 3]
/// eight rows below. D is complete once the product has been waited for.
///
/// x, y, adds, x_turned, y_turned: the numbers of these operands. Turned: not rows along k.
#define COURSE_MULTIPLY(cols, x, y, adds, x_turned, y_turned)                               \
  template <bool swapped>                                                                   \
  __device__ void multiply(float(&d)[cols / 2], std::uint64_t X, std::uint64_t Y,           \
                           bool with_sums) {                                                \
    asm volatile(                                                                           \
        "{\n"                                                                               \
        ".reg .pred p;\n"                                                                   \
        "setp.ne.b32 p, " adds                                                              \
        ", 0;\n"                                                                            \
        "wgmma.mma_async.sync.aligned.m64n" #cols "k16.f32.bf16.bf16 {" COURSE_NAMES_##cols \
        "}, " x ", " y ", p, 1, 1, " x_turned ", " y_turned                                 \
        ";\n" /* both times 1 */                                                            \
        "}"                                                                                 \
        : COURSE_SUMS_##cols                                                                \
        : "l"(X), "l"(Y), "r"(static_cast<int>(with_sums)), "n"(swapped ? 1 : 0),           \
          "n"(swapped ? 0 : 1));                                                            \
  }
COURSE_MULTIPLY(16, "%8", "%9", "%10", "%11", "%12")
COURSE_MULTIPLY(32, "%16", "%17", "%18", "%19", "%20")
COURSE_MULTIPLY(48, "%24", "%25", "%26", "%27", "%28")
COURSE_MULTIPLY(64, "%32", "%33", "%34", "%35", "%36")
COURSE_MULTIPLY(80, "%40", "%41", "%42", "%43", "%44")
COURSE_MULTIPLY(96, "%48", "%49", "%50", "%51", "%52")
COURSE_MULTIPLY(112, "%56", "%57", "%58", "%59", "%60")
COURSE_MULTIPLY(128, "%64", "%65", "%66", "%67", "%68")
COURSE_MULTIPLY(144, "%72", "%73", "%74", "%75", "%76")
COURSE_MULTIPLY(160, "%80", "%81", "%82", "%83", "%84")
COURSE_MULTIPLY(176, "%88", "%89", "%90", "%91", "%92")
COURSE_MULTIPLY(192, "%96", "%97", "%98", "%99", "%100")
COURSE_MULTIPLY(208, "%104", "%105", "%106", "%107", "%108")
COURSE_MULTIPLY(224, "%112", "%113", "%114", "%115", "%116")
COURSE_MULTIPLY(240, "%120", "%121", "%122", "%123", "%124")
COURSE_MULTIPLY(256, "%128", "%129", "%130", "%131", "%132")
#undef COURSE_MULTIPLY

#endif

}  // namespace hopper
