// Names that CUDA has removed: what is said of them, and of what only looks like them.

#include "compiler/diagnose/removed_names.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using emulator::compiler::diagnose::removed_name_notes;

std::vector<std::string> notes(const std::string& code, int version) {
  return removed_name_notes("# 1 \"a.cu\"\n" + code, version);
}

using emulator::compiler::diagnose::removed_name_advice;

}  // namespace

TEST_CASE("a removed name is pointed out once, with what took its place") {
  const std::string code =
      "int main() {\n  cudaThreadSynchronize();\n  cudaThreadSynchronize();\n"
      "  cudaDeviceProp p; p.clockRate = q->computeMode;\n}\n";
  const std::vector<std::string> said = notes(code, 12);
  REQUIRE(said.size() == 3);
  CHECK(said[0] ==
        "a.cu:2:3: note: 'cudaThreadSynchronize': CUDA 13 has removed it; instead: "
        "cudaDeviceSynchronize()");
  CHECK(said[1].find("a.cu:4:23: note: 'clockRate': CUDA 13 has removed this member of "
                     "cudaDeviceProp; instead: cudaDeviceGetAttribute()") == 0);
  CHECK(said[2].find("'computeMode'") != std::string::npos);
  CHECK(notes(code, 13).empty());
  CHECK(notes("bool f(cufftResult r) { return r == CUFFT_LICENSE_ERROR; }", 12).size() == 1);
  // A name that CUDA 12 has removed is not one of CUDA 12's.
  const std::string reference = "texture<float, 2> t; void f() { cudaBindTexture(0, t, p); }";
  CHECK(notes(reference, 11).size() == 2);
  CHECK(notes(reference, 12).empty());
}

TEST_CASE("what only looks like a removed name is not pointed out") {
  CHECK(notes("int clockRate; int f(int texture) { return texture; }\n", 11).empty());
  CHECK(notes("void f(A a) { a.__any(3); a.clockRate(); __any_sync(1, 2); }\n", 11).empty());
  CHECK(notes("# 1 \"lib.h\" 3\nvoid f() { cudaThreadExit(); }\n", 12).empty());
}

TEST_CASE("an error about a removed name says which option takes it") {
  CHECK(removed_name_advice("error: 'cudaThreadExit' was not declared in this scope", 13) ==
        "'cudaThreadExit': CUDA 13 has removed it, and emucc --cuda=12 takes it; or write "
        "cudaDeviceReset()");
  CHECK(removed_name_advice("error: 'struct cudaDeviceProp' has no member named 'clockRate'", 13)
            .find("--cuda=12") != std::string::npos);
  CHECK(removed_name_advice("error: 'struct Clock' has no member named 'clockRate'", 13).empty());
  CHECK(removed_name_advice("error: could not convert '0' from 'int' to 'cudaMemLocation'", 13)
            .find("CUDA 13 has changed their parameters") != std::string::npos);
  const std::string warp = "error: '__shfl_down' was not declared in this scope";
  CHECK(removed_name_advice(warp, 13).find("takes it for an -arch below sm_70") !=
        std::string::npos);
  CHECK(removed_name_advice(warp, 12).find("CUDA has it for an -arch below sm_70 only") !=
        std::string::npos);
  const std::string type = "error: 'texture' does not name a type";
  CHECK(removed_name_advice(type, 12).find("--cuda=11") != std::string::npos);
  CHECK(removed_name_advice(type, 11).empty());
  CHECK(removed_name_advice("error: 'x' was not declared in this scope", 13).empty());
}
