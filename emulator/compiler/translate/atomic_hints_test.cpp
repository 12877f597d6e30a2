// Which calls of atomic functions the runtime learns something of, and what.

#include "compiler/translate/atomic_hints.hpp"

#include <doctest/doctest.h>

#include <string>

#include "compiler/translate/translate.hpp"

namespace {

using emulator::compiler::translate::translate;

// What is put around the first argument in a kernel with this statement: the bits, or nothing.
std::string bits_in(const std::string& statement) {
  const std::string text =
      "# 1 \"k.cu\"\n__device__ int total;\n__device__ void helper(int* p) { use(p); }\n"
      "__global__ void k(int* out, const int* in, int n) { __shared__ int count, bins[64];\n" +
      statement + "\n}\n";
  const std::string result = translate(text);
  const std::string wanted = "atomic_hint<";
  const std::size_t at = result.find(wanted);
  if (at == std::string::npos) return "";
  return result.substr(at + wanted.size(), result.find('>', at) - at - wanted.size());
}

}  // namespace

TEST_CASE("one address for all lanes") {
  for (const std::string address :
       {"&count", "out", "&out[blockIdx.x]", "out + n", "bins", "&bins[n % 64]", "&total",
        "&bins[in[n]]", "&bins[blockIdx.x * gridDim.x + 3]", "n > 2 ? &bins[0] : &bins[1]"}) {
    CAPTURE(address);
    CHECK(bits_in("int v = f(); r = atomicAdd(" + address + ", v);") == "1");
    CHECK(bits_in("int v = f(); atomicMax(" + address + ", v);") == "3");
  }
  CHECK(bits_in("const int k = n * 2; int* p = &bins[k]; r = atomicSub_block(p, v);") == "1");
}

TEST_CASE("addresses that may differ between lanes") {
  for (const std::string text :
       {"r = atomicAdd(&bins[threadIdx.x], v);", "int i = threadIdx.x; r = atomicAdd(&bins[i], v);",
        "for (int i = 0; i < n; ++i) r = atomicAdd(&bins[i], v);",
        "int* p = out; p += threadIdx.x; r = atomicAdd(p, v);",
        "n = threadIdx.x; r = atomicAdd(&bins[n], v);", "r = atomicAdd(&bins[f()], v);",
        "int count = threadIdx.x; r = atomicAdd(&out[count], v);", "out++; r = atomicAdd(out, v);",
        "r = atomicAdd(elsewhere, v);"}) {
    CAPTURE(text);
    CHECK(bits_in(text) == "");
  }
}

TEST_CASE("adding 1 without asking for the sum") {
  CHECK(bits_in("atomicAdd(&bins[threadIdx.x], 1);") == "14");
  CHECK(bits_in("if (n) atomicAdd(&bins[threadIdx.x], 1u);") == "14");
  CHECK(bits_in("(void)atomicAdd(&bins[threadIdx.x], 1);") == "14");
  CHECK(bits_in("if (n) f(); else atomicAdd(&count, 1);") == "15");
  CHECK(bits_in("atomicAdd(&count, 3ull);") == "7");
  for (const std::string text :
       {"r = atomicAdd(&bins[threadIdx.x], 1);", "r = (int)atomicAdd(&bins[threadIdx.x], 1);",
        "atomicAdd(&bins[threadIdx.x], 10);", "atomicAdd(&bins[threadIdx.x], 1.5f);",
        "atomicAdd(&bins[threadIdx.x], -1);", "atomicSub(&bins[threadIdx.x], 1);",
        "atomicAdd(&bins[threadIdx.x], 1) + f();", "x.atomicAdd(&bins[threadIdx.x], 1);",
        "return n::atomicAdd(&bins[threadIdx.x], 1);"}) {
    CAPTURE(text);
    CHECK(bits_in(text) == "");
  }
}

TEST_CASE("a function's parameter is no kernel's, whatever else has its name") {
  const std::string text =
      "# 1 \"k.cu\"\n__shared__ int count;\n"
      "__device__ void helper(int* count, int v) { r = atomicAdd(count, v); }\n";
  CHECK(translate(text).find("atomic_hint") == std::string::npos);
}

TEST_CASE("the functions' own declarations are no calls") {
  const std::string text = "# 1 \"k.cu\"\n__device__ double atomicAdd(double* p, double v) { }\n";
  CHECK(translate(text).find("atomic_hint") == std::string::npos);
}
