// Launches that a formatter has pulled apart.

#include "compiler/translate/spaced_launches.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using emulator::compiler::translate::join_launch_brackets;

std::string closed_up(std::string text) {
  join_launch_brackets(text);
  return text;
}

}  // namespace

TEST_CASE("what was pulled apart is closed up, and all else keeps its column") {
  CHECK(closed_up("k << <1, n >> > (x);") == "k <<< 1, n >>>  (x);");
  CHECK(closed_up("k<< <f(a > b), g[c >> 1]>> >(x); k << <1, 1 >> >();") ==
        "k<<< f(a > b), g[c >> 1]>>> (x); k <<< 1, 1 >>> ();");
  CHECK(closed_up("k << <1, 1>> >(x); f<g<h<int> > >(2);") ==
        "k <<< 1, 1>>> (x); f<g<h<int> > >(2);");
  CHECK(closed_up("k<<  <1, 1> >>(x);") == "k<<<  1, 1>>> (x);");
}

TEST_CASE("everything else stays") {
  for (const std::string text :
       {"k<<<1, 1>>>(x);", "a << b;", "std::cout << \"k << <1, 1 >> >()\";", "// << <1, 1>> >(x)\n",
        "std::vector<std::vector<std::vector<int> > >(3);", "k<<<f<g<h<int> > >(2), 1>>>(x);",
        "a << <", "k << <1, 1 >> > x;", "k << <1, 1", "k << <1; 2 >> >(x);"}) {
    CAPTURE(text);
    CHECK(closed_up(text) == text);
  }
}
