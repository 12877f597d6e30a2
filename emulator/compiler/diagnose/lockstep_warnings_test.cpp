// Code from before Volta that counts on lanes in step: what is warned of, and what is not.

#include "compiler/diagnose/lockstep_warnings.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using emulator::compiler::diagnose::lockstep_warnings;

std::vector<std::string> warnings(const std::string& code) {
  return lockstep_warnings("# 1 \"a.cu\"\n" + code);
}

std::string in_kernel(const std::string& body) {
  return "__global__ void k(float* x, int t) {\n" + body + "\n}\n";
}

const std::string shared = "__shared__ float p[64]; volatile float* s = p;\n";

}  // namespace

TEST_CASE("steps of a reduction without __syncwarp() are warned of, once a function") {
  const std::vector<std::string> said = warnings(
      in_kernel(shared + "s[t] += s[t + 16];\n  s[t] += s[t + 8];\n  s[t] += s[t + 4];\n"));
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("a.cu:4:3: warning: the lanes of a warp do not run in step") == 0);
  for (const char* const body : {
           "s[t] = s[t] + s[t + 2]; s[t] = s[t] + s[t + 1];",
           "s[t] += s[t + 2]; if (t < 32) { s[t] += s[t + 1]; }",
           "if (n > 2) s[t] += s[t + 2]; if (n > 1) s[t] += s[t + 1];",
           "for (int d = 16; d > 0; d /= 2) s[t] += s[t + d];",
           "for (int d = 16; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; }",
           "s[threadIdx.x] += s[threadIdx.x ^ 2]; s[threadIdx.x] += s[threadIdx.x ^ 1];",
       }) {
    CAPTURE(body);
    CHECK(warnings(in_kernel(shared + body)).size() == 1);
  }
  const std::string body = "{ s[t] += s[t + 2]; s[t] += s[t + 1]; }\n";
  CHECK(warnings("template <class T> __device__ void f(volatile T* s, int t)" + body).size() == 1);
  CHECK(warnings("__device__ void f(volatile int *s, int t)" + body +
                 "__device__ void g(int volatile* s, int t)" + body)
            .size() == 2);
}

TEST_CASE("who synchronises, or has memory of its own, is not warned of") {
  for (const char* const body : {
           "s[t] += s[t + 2]; __syncwarp(); s[t] += s[t + 1];",
           "s[t] += s[t + 2]; __syncthreads(); s[t] += s[t + 1];",
           "s[t] += s[t + 2]; tile.sync(); s[t] += s[t + 1];",
           "for (int d = 16; d > 0; d /= 2) { s[t] += s[t + d]; __syncwarp(); }",
           "for (int i = 0; i < 9; ++i) s[i] = s[i] + s[i + 1];",
           "s[t] += s[t + 2];",
           "s[0] = s[1]; s[2] = s[3];",
           "while (s[t] == 0) {}",
           "p[t] += p[t + 2]; p[t] += p[t + 1];",
       }) {
    CAPTURE(body);
    CHECK(warnings(in_kernel(shared + body)).empty());
  }
  const std::string body = "{ s[t] += s[t + 2]; s[t] += s[t + 1]; }\n";
  CHECK(warnings("void on_host(volatile int* s, int t)" + body).empty());
  CHECK(lockstep_warnings("# 1 \"a.h\" 1 3\n__device__ void f(volatile int* s, int t)" + body)
            .empty());
}
