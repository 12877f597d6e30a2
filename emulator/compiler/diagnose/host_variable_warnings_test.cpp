// Variables of the device that host code uses by their names: what is warned of, and what is not.

#include "compiler/diagnose/host_variable_warnings.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using emulator::compiler::diagnose::host_variable_warnings;

std::vector<std::string> warnings(const std::string& in_main) {
  return host_variable_warnings(
      "# 1 \"a.cu\"\n__device__ int count;\n__constant__ float coef[4];\n"
      "__global__ void k(const float* c) { count += c[0] + coef[1]; }\n"
      "int main() { int h = 0; float f[4];\n" +
      in_main + "\n}\n");
}

}  // namespace

TEST_CASE("the host's reads and writes of the device's variables are warned of") {
  for (const char* const code :
       {"count = 0;", "count += 2;", "count++;", "coef[2] = 1;", "h = count;", "return count;",
        "printf(\"%d\", count);", "f[0] = coef[1];", "k<<<1, 1>>>(coef);"}) {
    CAPTURE(code);
    const std::vector<std::string> said = warnings(code);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("a.cu:5:") == 0);
    CHECK(said[0].find(": warning: 'co") != std::string::npos);
  }
}

TEST_CASE("what is right about them, or something else of the name, is not") {
  for (const char* const code :
       {"cudaMemcpyToSymbol(count, &h, sizeof h);", "cudaMemcpyFromSymbol(f, coef, sizeof coef);",
        "void* p; cudaGetSymbolAddress(&p, count);",
        "cudaMemcpyToSymbol(coef, f, sizeof(coef), 0);", "h = sizeof(coef) / sizeof(coef[0]);",
        "x.count = 1;", "int count = 0; count = 1;", "k<<<1, 1>>>(f);"}) {
    CAPTURE(code);
    CHECK(warnings(code).empty());
  }
}
