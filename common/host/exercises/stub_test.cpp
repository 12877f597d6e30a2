#include "host/exercises/stub.hpp"

#include <doctest/doctest.h>

#include <string>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;

namespace {

const std::string model = R"(#include "exercises/check.hpp"

__global__ void sum(const float* x) {
  //@stub
  //@ // TODO ({lines} lines): {lines} of them.
  //@
  //@   (void)x;
  //@solution
  // Why.

  float all = 0;  // in a register
  /* a comment
     of two lines */
  /* and */ all += *x;
  //@end
}
//@stub
//@solution
int helper();
//@end
)";

std::string error_of(const std::string& text) {
  try {
    stub_of(text, "a.cu");
  } catch (const Failure& failure) {
    try {
      solution_of(text, "a.cu");
    } catch (const Failure& same) {
      CHECK(std::string(same.what()) == failure.what());
      return failure.what();
    }
  }
  return "";
}

}  // namespace

TEST_CASE("a stub has its own lines in place of a region, indented as the marker") {
  CHECK(stub_of(model, "a.cu") == R"(#include "exercises/check.hpp"

__global__ void sum(const float* x) {
  // TODO (2 lines): 2 of them.

    (void)x;
}
)");
}

TEST_CASE("a solution has everything but the markers and the stub's lines") {
  CHECK(solution_of(model, "a.cu") == R"(#include "exercises/check.hpp"

__global__ void sum(const float* x) {
  // Why.

  float all = 0;  // in a register
  /* a comment
     of two lines */
  /* and */ all += *x;
}
int helper();
)");
}

TEST_CASE("a region of comments is fine where nobody asks for its lines of code") {
  CHECK(stub_of("//@stub\n//@ // yours\n//@solution\n// ours\n//@end\n", "a.cu") == "// yours\n");
  CHECK(error_of("//@stub\n//@ // {lines}\n//@solution\n// ours\n//@end\n") ==
        "a.cu:5: the stub of this region asks for {lines} lines, and its solution holds no code");
}

TEST_CASE("markers that are not in order are an error with file and line") {
  CHECK(error_of("int a;\n") == "a.cu:1: no region is marked with //@stub, //@solution, //@end");
  CHECK(error_of("a\n//@stub\n//@solution\nb\n") == "a.cu:2: this //@stub has no //@end");
  CHECK(error_of("//@solution\n") == "a.cu:1: //@solution without a //@stub before it");
  CHECK(error_of("\n//@end\n") == "a.cu:2: //@end without a //@stub before it");
  CHECK(error_of("//@stub\n//@end\n") == "a.cu:2: //@end without a //@solution before it");
  CHECK(error_of("//@stub\n//@solution\n//@solution\n") ==
        "a.cu:3: //@solution without a //@stub before it");
  CHECK(error_of("//@stub\n//@stub\n") ==
        "a.cu:2: //@stub inside a region, which regions must not hold");
  CHECK(error_of("//@stub\n//@solution\n//@stub\n") ==
        "a.cu:3: //@stub inside a region, which regions must not hold");
  CHECK(error_of("//@stub\ncode();\n") ==
        "a.cu:2: between //@stub and //@solution every line begins with //@");
  CHECK(error_of("//@ // text\n") ==
        "a.cu:1: a line of a stub belongs between //@stub and //@solution");
  CHECK(error_of("//@stub\n//@solution\n//@ late\n") ==
        "a.cu:3: a line of a stub belongs between //@stub and //@solution");
  CHECK(error_of("//@stbu\n") ==
        "a.cu:1: '//@stbu' is none of //@stub, //@solution, //@end and //@ TEXT");
  CHECK(error_of("code();  //@stub\n") == "a.cu:1: //@ has to begin its line");
}

TEST_CASE("Windows' line ends and a last line without one do no harm") {
  CHECK(stub_of("a\r\n//@stub\r\n//@ b\r\n//@solution\r\nc\r\n//@end\r\nd", "a.cu") == "a\nb\nd\n");
}

TEST_CASE("the first line that differs, and the first that holds a word") {
  CHECK_FALSE(first_difference("a\nb\n", "a\nb\n"));
  CHECK(first_difference("a\nb\n", "a\nc\n") == 2);
  CHECK(first_difference("a\nb\n", "a\nb\nc\n") == 3);
  CHECK(first_difference("", "a") == 1);
  CHECK(line_with("a\nb TODO\nTODO", "TODO") == 2);
  CHECK_FALSE(line_with("a\n", "TODO"));
}

TEST_CASE("a model solution that cannot be read is named") {
  const TestFolder folder;
  const std::string file = (folder.path() / "none.cu").string();
  CHECK_THROWS_WITH_AS(read_stub(file), ("cannot read " + file).c_str(), Failure);
  CHECK_THROWS_WITH_AS(read_solution(file), ("cannot read " + file).c_str(), Failure);
  const auto there = folder.write("there.cu", model);
  CHECK(read_stub(there) == stub_of(model, ""));
  CHECK(read_solution(there) == solution_of(model, ""));
}
