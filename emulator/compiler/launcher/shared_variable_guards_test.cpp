#include "compiler/launcher/shared_variable_guards.hpp"

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using emulator::compiler::launcher::add_guards;
using emulator::compiler::testing::compiler;
using emulator::compiler::testing::contains;
using emulator::compiler::testing::Result;
using emulator::compiler::testing::Scratch;

const std::string gap = "\t.zero\t128\n";

}  // namespace

TEST_CASE("gaps: after each object in a thread-local section") {
  const std::string a =
      "\t.section\t.tbss,\"awT\",@nobits\n\t.align 128\n\t.type\ta, @object\n"
      "\t.size\ta, 4\na:\n\t.zero\t4\n";
  const std::string b = "\t.globl\tb\n\t.type\tb, @object\n\t.size\tb, 1\nb:\n\t.zero\t1\n";
  const std::string text = "\t.text\nmain:\n\tret\n";
  CHECK(add_guards(a) == a + gap);
  CHECK(add_guards(a + b) == a + gap + b + gap);
  CHECK(add_guards(text + a + b + text) == text + a + gap + b + gap + text);
  CHECK(add_guards(a + text + a + "\t.bss\n" + b) == a + gap + text + a + gap + "\t.bss\n" + b);
  CHECK(add_guards(a + "\t.zero\t4\n\t.text") == a + "\t.zero\t4\n" + gap + "\t.text");
  CHECK(add_guards(a.substr(0, a.size() - 1)) == a + gap);
}

TEST_CASE("gaps: forms of sections and objects") {
  const auto has_gap = [](const std::string& lines) { return add_guards(lines) == lines + gap; };
  CHECK(has_gap("\t.section\t.tbss\na:\n\t.zero\t4\n"));
  CHECK(has_gap(" .section .tdata, \"awT\", %progbits\na:\n .long 1\n .long 2\n"));
  CHECK(has_gap("\t.section\t.tbss._ZZ1kvE1a,\"awTG\",@nobits,_ZZ1kvE1a,comdat\na:\n\t.zero\t4\n"));
  CHECK(has_gap("\t.section\t.tbss\na:\n.LANCHOR0:\n\t.zero\t4\n\t.size\ta, .-a\n"));
  CHECK(has_gap("\t.section\t.tdata\na:\n\t.string\t\"\\t.text\"\n\t# .text\n"));
  CHECK(!has_gap("\t.section\t.tbssx\na:\n\t.zero\t4\n"));
  CHECK(!has_gap("\t.section\t.rodata\na:\n\t.string\t\"\t.section\t.tbss\"\n"));
  CHECK(!has_gap("\t.section\t.tbss\n"));
  CHECK(add_guards("") == "");
}

TEST_CASE("gaps: after each function that another object may have, too") {
  const std::string again =
      "\t.section\t.text._Z1fv,\"axG\",@progbits,_Z1fv,comdat\n_Z1fv:\n\tret\n";
  const std::string size = "\t.size\t_Z1fv, .-_Z1fv\n";
  const std::string once = "\t.text\nmain:\n\tret\n\t.size\tmain, .-main\n";
  const std::string skip = "\t.skip\t2\n";
  CHECK(add_guards(again + size) == again + size + skip);
  CHECK(add_guards(once + again + size + once) == once + again + size + skip + once);
  // A part of it elsewhere in between.
  const std::string apart =
      "\t.section\t.text.unlikely._Z1fv,\"axG\",@progbits,_Z1fv,comdat\n\tud2\n";
  CHECK(add_guards(again + apart + again + size + apart + size) ==
        again + apart + again + size + skip + apart + size + skip);
  CHECK(add_guards(again) == again);
}

namespace {

const std::string header =
    "#pragma once\n#pragma GCC system_header\n#include <cstddef>\n#define __global__\n";

// Prints for each pair of neighbours whether there is room between them.
const std::string pairs = R"cuda(#include <cstdint>
#include <cstdio>
extern thread_local int elsewhere;
struct Guarded { Guarded(); int i; };
thread_local Guarded guarded;
Guarded::Guarded() : i(1) {}
void show(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
  const std::uintptr_t end = x < y ? x + a_bytes : y + b_bytes;
  const bool room = (x < y ? y : x) - end >= 128;
  std::printf("%d%d ", room, x % 128 == 0 && y % 128 == 0);
}
__global__ void plain() {
  __shared__ float a[32];
  __shared__ float b[32];
  show(a, 128, b, 128);
}
template <class T> __global__ void in_template() {
  __shared__ T a[32];
  __shared__ T b[64];
  show(a, sizeof(a), b, sizeof(b));
}
inline __global__ void inlined() {
  __shared__ bool a;
  __shared__ char b[256];
  show(&a, 1, b, 256);
}
namespace { __shared__ int a[32], b[32]; }
int main() {
  plain(); in_template<float>(); in_template<double>(); inlined();
  show(a, 128, b, 128);
  std::printf("%d%d", elsewhere, guarded.i);
}
)cuda";

}  // namespace

TEST_CASE("gaps: between neighbours, whatever declares them") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", header);
  scratch.write("pairs.cu", pairs);
  scratch.write("elsewhere.cpp", "thread_local int elsewhere = 7;\n");
  for (const std::string flags : {"-Og -g", "-O2 -pipe", "-Og -save-temps -fdata-sections",
                                  "-O1 -fPIC -gz -Wa,-mrelax-relocations=no"}) {
    const Result compiled = scratch.compile("--emulator-fast " + compiler + " -std=c++20 -Iinc " +
                                            flags + " -c pairs.cu");
    CHECK(compiled.status == 0);
    CHECK(compiled.errors == "");
    const Result ran = scratch.run(compiler + " pairs.o elsewhere.cpp -o pairs && ./pairs");
    CHECK(ran.output == "11 11 11 11 11 71");
  }
}

TEST_CASE("gaps: what the assembler refuses is told as by g++") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", header);
  scratch.write("k.cu", "void f() { __shared__ int a; a = 1; asm(\"nonsense\"); }\n");
  for (const std::string flags : {"", "-pipe"}) {
    const Result result =
        scratch.compile("--emulator-fast " + compiler + " -Iinc " + flags + " -c k.cu");
    CHECK(result.status == 1);
    CHECK(contains(result.errors, "Error: no such instruction: `nonsense'"));
    CHECK(!contains(result.errors, "emulator"));
    CHECK(!scratch.has("k.o"));
  }
}

TEST_CASE("gaps: a wrapper of the user's own is left alone") {
  const Scratch scratch;
  scratch.write("inc/cuda_runtime.h", header);
  scratch.write("k.cu", "void f() { __shared__ int a; a = 1; }\n");
  scratch.write_compiler("exec \"$@\"");
  const Result result = scratch.compile(compiler + " -Iinc -wrapper ./g++ -c k.cu");
  CHECK(result.status == 0);
  CHECK(result.errors == "");
  CHECK(contains(scratch.read("calls"), "as\n"));
}
