// Kernels that are cast to `void*`: which casts they are, and what is written around them.

#include "compiler/translate/kernel_casts.hpp"

#include <doctest/doctest.h>

#include <string>

#include "compiler/translate/translate.hpp"

namespace {

using emulator::compiler::translate::translate;

const std::string kernels =
    "__global__ void k(int*); template <class T> __global__ void __attribute__((x(1))) t(T*);\n"
    "namespace n { static __global__ void k2() {} } void host();\n";

// The text in a function, translated; without line markers and blanks.
std::string in_function(const std::string& text) {
  const std::string result = translate(kernels + "void f() { " + text + " }\n");
  std::string plain;
  for (std::size_t at = result.find("void f()"); at < result.size(); ++at) {
    if (result[at] == '\n' && result[at + 1] == '#') at = result.find('\n', at + 1);
    if (result[at] != '\n' && result[at] != ' ') plain += result[at];
  }
  const std::size_t begin = plain.find('{') + 1;
  return plain.substr(begin, plain.rfind('}') - begin);
}

std::string noted(const std::string& name, const std::string& kernel) {
  return "::emulator::kernel_address(\"" + name + "\"," + kernel + ")";
}

}  // namespace

TEST_CASE("casts of kernels are noted") {
  CHECK(in_function("g((void*)k);") == "g((void*)" + noted("k", "k") + ");");
  CHECK(in_function("g((const void *) &k, 1);") == "g((constvoid*)" + noted("k", "&k") + ",1);");
  CHECK(in_function("void const* p[] = {(void const*)t<int>, (void*)n::k2};") ==
        "voidconst*p[]={(voidconst*)" + noted("t", "t<int>") + ",(void*)" +
            noted("n::k2", "n::k2") + "};");
  CHECK(in_function("p = reinterpret_cast<void*>(&::n::k2);") ==
        "p=reinterpret_cast<void*>(" + noted("n::k2", "&::n::k2") + ");");
  CHECK(in_function("p = (void*)(t<a<(1 > 2)>>);") ==
        "p=(void*)" + noted("t", "(t<a<(1>2)>>)") + ";");
}

TEST_CASE("a variable that gets a kernel's address") {
  CHECK(in_function("auto* p = &k;") == "auto*p=" + noted("k", "&k") + ";");
  CHECK(in_function("auto p = &t<int>, q = &n::k2;") ==
        "autop=" + noted("t", "&t<int>") + ",q=" + noted("n::k2", "&n::k2") + ";");
  for (const std::string other : {"x=k;", "x=t<int>;", "x=&k+1;", "x=t<int>(1);"}) {
    CHECK(in_function(other) == other);
  }
}

TEST_CASE("what a launch takes first is noted, whatever it is") {
  CHECK(in_function("cudaLaunchKernel((void*)pick(a, b), 1);") ==
        "cudaLaunchKernel((void*)" + noted("kernel", "pick(a,b)") + ",1);");
  CHECK(in_function("cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(p), 1);") ==
        "cudaLaunchCooperativeKernel(reinterpret_cast<constvoid*>(" + noted("kernel", "p") +
            "),1);");
}

TEST_CASE("a system header's parameter may have a kernel's name") {
  const std::string header = "inline void f(void* k) { g((const void*)k); }\n";
  const std::string text = "# 1 \"k.cu\"\n__global__ void k();\n# 1 \"a.h\" 1";
  CHECK(translate(text + "\n" + header).find("kernel_address") != std::string::npos);
  CHECK(translate(text + " 3\n" + header).find("kernel_address") == std::string::npos);
}

TEST_CASE("other casts stay as they are") {
  for (const std::string text :
       {"p=(void*)host;", "p=(void*)&x;", "p=(void*)0;", "p=(void**)k;", "(void)k;",
        "p=(void*)k(1);", "p=(void*)k.x;", "p=static_cast<void*>(q);", "intg(void*k);",
        "cudaMalloc((void**)&p,4);"}) {
    CAPTURE(text);
    CHECK(in_function(text) == text);
  }
}
