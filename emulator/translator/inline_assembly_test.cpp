// asm statements: which are a GPU's, and what becomes of them.

#include "inline_assembly.hpp"

#include <doctest/doctest.h>

#include <string>

#include "lexer.hpp"
#include "translate.hpp"

namespace {

using emulator::translate;

const std::string refused = "::emulator::detail::inline_ptx()";

}  // namespace

TEST_CASE("asm: the host's stays as it is") {
  for (const char* host :
       {"asm volatile(\"\" ::: \"memory\");", "__asm__(\"rdtsc\" : \"=a\"(a), \"=d\"(d));",
        "asm(\"movl %1, %0; addl $1, %0\" : \"=r\"(x) : \"r\"(y));", "asm(\".byte 0x0f\");",
        "asm(\"1: pause; jmp 1b\");", "int x asm(\"y\");", "__asm__ goto(\"jmp %l0\" :::: out);",
        "asm(\"int3\");", "asm volatile(\"lock; cmpxchgl %2, %1\" : \"=a\"(r));"}) {
    CHECK(translate(host) == host);
  }
}

TEST_CASE("asm: special registers are read") {
  CHECK(translate("asm(\"mov.u32 %0, %laneid;\" : \"=r\"(lane));") ==
        "static_cast<void>((lane) = ::emulator::special::laneid());");
  CHECK(translate(
            "asm volatile(\"mov.u32 %0, %%lanemask_lt;\\n\" : \"=r\"(s.m[1]) :: \"memory\");") ==
        "static_cast<void>((s.m[1]) = ::emulator::special::lanemask_lt());");
  CHECK(translate("asm(\"mov.s32 %0, %%tid.x;\" : \"=r\"(i));") ==
        "static_cast<void>((i) = ::threadIdx.x);");
  CHECK(translate("asm(\"mov.\" \"u64 %0, %%globaltimer;\" : \"=l\"(t));") ==
        "static_cast<void>((t) = ::emulator::special::globaltimer());");
}

TEST_CASE("asm: all other PTX is refused where it is called") {
  for (const char* ptx :
       {"\"bfe.u32 %0, %1, %2, %3;\" : \"=r\"(x) : \"r\"(y), \"r\"(4), \"r\"(8)",
        "\"mov.u32 %0, %%smid;\" : \"=r\"(x)", "\"mov.u32 %0, %%warpid;\" : \"=r\"(x)",
        "\"mov.u32 %0, %%clock64;\" : \"=r\"(x)",
        "\"{ .reg .pred p;\\n setp.ne.b32 p, %0, 0; }\" :: \"r\"(x)", "\"bar.sync 0;\"",
        "\"trap;\"", "\"@p bra done;\"",
        "\"again: ld.global.u32 %0, [%1];\" : \"=r\"(x) : \"l\"(p)",
        "\"cp.async.wait_all;\\n\" ::", "R\"(membar.gl;)\" ::: \"memory\"",
        "\"mov.u32 %0, %%laneid; add.u32 %0, %0, 1;\" : \"=r\"(x)",
        "\"\\n\\t{\\n\\tfma.rn.f32 %0, %1, %2, %3;}\" : \"=f\"(x) : \"f\"(x)"}) {
    CAPTURE(ptx);
    CHECK(translate("asm volatile(" + std::string(ptx) + ");") == refused + ";");
  }
}
