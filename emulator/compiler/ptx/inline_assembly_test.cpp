// asm statements: which are a GPU's, and what becomes of them.

#include "compiler/ptx/inline_assembly.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "compiler/text/lexer.hpp"
#include "compiler/translate/translate.hpp"

namespace {

using emulator::compiler::translate::translate;

}  // namespace

TEST_CASE("asm: the host's stays as it is") {
  for (const char* host :
       {"asm volatile(\"\" ::: \"memory\");", "__asm__(\"rdtsc\" : \"=a\"(a), \"=d\"(d));",
        "asm(\"movl %1, %0; addl $1, %0\" : \"=r\"(x) : \"r\"(y));", "asm(\".byte 0x0f\");",
        "asm(\"1: pause; jmp 1b\");", "int x asm(\"y\");", "__asm__ goto(\"jmp %l0\" :::: out);",
        "asm(\"int3\");", "asm(\"jmp .L2\");",
        "asm volatile(\"lock; cmpxchgl %2, %1\" : \"=a\"(r));"}) {
    CHECK(translate(host) == host);
  }
}

TEST_CASE("asm: an empty text is the host's, unless it names registers of PTX's") {
  CHECK(translate("asm volatile(\"\" : \"+r\"(x) :: \"memory\");") ==
        "asm volatile(\"\" : \"+r\"(x) :: \"memory\");");
  CHECK(translate("asm volatile(\"\" : \"+f\"(x) :: \"memory\");") ==
        "__extension__ ({ static_cast<void>((x)); __asm__ __volatile__(\"\" ::: \"memory\"); });");
}

// A block with labels could not be in a function that is constexpr.
TEST_CASE("asm: what has labels is a lambda, and all else a block with a value") {
  CHECK(translate("asm(\"{ bra L; trap; L: }\");").starts_with("[&]() "));
  CHECK(translate("asm(\"trap;\");").starts_with("__extension__ ({ "));
}

TEST_CASE("asm: an instruction of PTX becomes a call, or an expression") {
  CHECK(translate("asm(\"mov.u32 %0, %laneid;\" : \"=r\"(lane));") ==
        "__extension__ ({ "
        "[[maybe_unused]] ::emulator::ptx::u32 ptx_0_0 = ::emulator::ptx::u32(); "
        "{ ptx_0_0 = ::emulator::ptx::as<decltype(ptx_0_0)>(static_cast<::emulator::ptx::u32>("
        "static_cast<::emulator::ptx::u32>(::emulator::special::laneid()))); } "
        "::emulator::ptx::write<::emulator::ptx::u32>((lane), ptx_0_0); });");
  for (const auto& [ptx, code] : std::initializer_list<std::pair<const char*, const char*>>{
           {"\"cp.async.commit_group;\" ::", "{ ::emulator::detail::commit_copies(); }"},
           {"\"bar.sync 1, 128;\"",
            "{ ::emulator::ptx::barrier_sync(static_cast<::emulator::ptx::u32>(1), "
            "static_cast<::emulator::ptx::u32>(128)); }"},
           {"\"cp.async.wait_group %0;\" :: \"n\"(2) : \"memory\"",
            "::emulator::detail::wait_for_copies(ptx_0_0)"},
           {"R\"(membar.gl;)\" ::: \"memory\"", "{ ::__threadfence(); }"},
           {"\"mov.\" \"u64 %[t], %%globaltimer;\" : [t] \"=l\"(t)",
            "::emulator::special::globaltimer()"},
           {"\"{ .reg .pred p; setp.ne.b32 p, %0, 0; @!p bra L; trap; L: }\" :: \"r\"(x)",
            "if (!::emulator::ptx::as<bool>(ptx_0_r0_p)) { goto ptx_0_at_L; } { ::__trap(); } "
            "ptx_0_at_L: __attribute__((unused)); "},
           {"\"ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4 + 16];\" : \"=f\"(a), \"=f\"(b), "
            "\"=f\"(c), "
            "\"=f\"(d) : \"l\"(p)",
            "*static_cast<const ::emulator::ptx::Vector<float, 4>::type*>("
            "::emulator::ptx::global_pointer(ptx_0_4, 16))"},
           {"\"ldmatrix.sync.aligned.x2.m8n8.trans.shared.b16 {%0,%1}, [%2+32];\" : \"=r\"(a), "
            "\"=r\"(b) : \"r\"(p)",
            "{ const auto written = ::emulator::ptx::ldmatrix<2, true>("
            "::emulator::ptx::shared_pointer(ptx_0_2, 32)); ptx_0_0 = "},
           {"\"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, "
            "{%4,%4}, {%0,%1,%2,%3};\" : \"+f\"(a), \"+f\"(b), \"+f\"(c), \"+f\"(d) : \"r\"(x)",
            "{ const auto written = ::emulator::ptx::mma<16, 8, 8, "
            "::emulator::detail::MatrixType::tf32, ::emulator::detail::MatrixType::tf32, "
            "::emulator::detail::MatrixType::f32, ::emulator::detail::MatrixType::f32, false>("
            "::emulator::ptx::Registers<::emulator::ptx::u32, 4>{{::emulator::ptx::as<"}}) {
    CAPTURE(ptx);
    const std::string result = translate("asm volatile(" + std::string(ptx) + ");");
    CAPTURE(result);
    CHECK(result.find(code) != std::string::npos);
  }
}

TEST_CASE("asm: what is not modelled, or does not fit, is refused where it is called") {
  for (const auto& [ptx, what] : std::initializer_list<std::pair<const char*, const char*>>{
           {"\"tcgen05.fence::before_thread_sync;\"",
            "the instruction tcgen05.fence::before_thread_sync is not modelled; `emucc --list-ptx` "
            "lists "
            "all"},
           {"\"popc.u32 %0, %1;\" : \"=r\"(x) : \"r\"(y)",
            "the instruction popc.u32 is not modelled; those that begin alike: popc(.b32), "
            "popc(.b64); `emucc --list-ptx` lists all"},
           {"\"mma.sync.aligned.m16n8k8.row.col.f32.s8.s8.f32 {%0}, {%1}, {%1}, {%0};\" : "
            "\"+f\"(x) : \"r\"(y)",
            "the instruction mma.sync.aligned.m16n8k8.row.col.f32.s8.s8.f32 is not modelled"},
           {"\"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16 {%0,%0}, "
            "{%1,%1,%1,%1}, {%1,%1,%1,%1}, {%0,%0}, %1, 0;\" : \"+r\"(x) : \"r\"(y)",
            "the instruction mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3."
            "f16 is not modelled"},
           {"\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %0}, [%1];\" : \"=r\"(x) : \"r\"(y)",
            "`{%0, %0}` should be 4 registers"},
           {"\"mov.u32 %0, %%pm0;\" : \"=r\"(x)", "the register %pm0 is not modelled"},
           {"\"mov.u64 %0, %1;\" : \"=l\"(x) : \"r\"(y)",
            "`%1` is of type .b32, where .u64 is wanted"},
           {"\"add.f32 %0, %1, %2;\" : \"=f\"(x) : \"f\"(y), \"l\"(z)",
            "`%2` is of type .b64, where .f32 is wanted"},
           {"\"add.u32 %0, %1;\" : \"=r\"(x) : \"r\"(y)", "add.u32 does not take 2 operands"},
           {"\"@p bra done;\"", "`p` is not known"},
           {"\"{ .reg .pred p; bra done; }\"", "the label done is not in the statement"},
           {"\"add.u32 %0, %1, %2;\" : \"=r\"(x) : \"r\"(y)", "there is no operand %2"},
           {"\"add.u32 %1, %0, %0;\" : \"=r\"(x) : \"r\"(y)", "`%1` cannot be written"},
           {"\"mov.b32 %0, %1;\" : \"=z\"(x) : \"r\"(y)", "is not known"},
           {"\"cp.async.wait_group %0;\" :: \"r\"(n)", "`%0` must be a constant"}}) {
    CAPTURE(ptx);
    const std::string result = translate("asm volatile(" + std::string(ptx) + ");");
    CAPTURE(result);
    CHECK(result.starts_with(
        "[]() { void emulator_ptx_0() __attribute__((error(\"PTX in the source: "));
    CHECK(result.find(what) != std::string::npos);
  }
}
