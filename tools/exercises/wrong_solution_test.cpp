#include "wrong_solution.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
namespace fs = std::filesystem;

namespace {

constexpr char model[] = "// one\n// two\nint three;\n// four\n// five\n";
constexpr char patch[] =
    "caught by: correct: one\n"
    "FAILED, **** and garbage are words of this sentence.\n"
    "\n"
    "@@ -2,3 +2,3 @@\n"
    " // two\n"
    "-int three;\n"
    "+int another;\n"
    " // four\n";

/// A model solution, and what became of it.
struct PatchedModel {
  explicit PatchedModel(const std::string& difference, const std::string& to = model) {
    const fs::path file = folder.path() / "wrong/name.cu";
    const auto why = make_wrong_solution(folder.write("name.patch", difference),
                                         folder.write("model.cu", to), file);
    complaint = why.value_or("");
    text = folder.read("wrong/name.cu");
  }
  TestFolder folder;
  std::string complaint;
  std::string text;
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("the case that must catch a wrong one is named in its first line") {
  CHECK(caught_by("caught by: correct: one\nmore\n") == "correct: one");
  CHECK(caught_by("caught by: safe: two \r\n") == "safe: two");
  CHECK(caught_by("Caught by: one\n") == "");
  CHECK(caught_by("\ncaught by: one\n") == "");
  CHECK(caught_by("// caught by: one\n") == "");
  CHECK(caught_by("") == "");
}

TEST_CASE("a wrong solution is the model solution but for its difference") {
  const PatchedModel applied(patch);
  CHECK(applied.complaint == "");
  CHECK(applied.text == "// one\n// two\nint another;\n// four\n// five\n");
  CHECK(applied.folder.read("model.cu") == model);
}

TEST_CASE("what a wrong solution does not touch may change") {
  const PatchedModel applied(patch, "// zero\n// one and a half\n" + std::string(model));
  CHECK(applied.complaint == "");
  CHECK(applied.text ==
        "// zero\n// one and a half\n// one\n// two\nint another;\n// four\n// five\n");
}

TEST_CASE("a difference that does not belong to the model solution says why it does not apply") {
  CHECK(PatchedModel(patch, replaced(model, "three", "3")).complaint == "Hunk #1 FAILED at 2.");
  CHECK(PatchedModel(patch, replaced(model, "// four", "//  four")).complaint ==
        "Hunk #1 FAILED at 2.");
  // Not even one that is there already.
  CHECK(PatchedModel(patch, replaced(model, "three", "another")).complaint ==
        "Hunk #1 FAILED at 2.");
}

TEST_CASE("a file that is no difference, or not in all its lines, says so") {
  CHECK(PatchedModel("caught by: correct: one\n").complaint ==
        "patch: **** Only garbage was found in the patch input.");
  CHECK(PatchedModel(replaced(patch, "-2,3", "-2,4")).complaint != "");
  CHECK(PatchedModel(std::string(patch) + "+int four;\n").complaint ==
        "Hmm...  Ignoring the trailing garbage.");
}

TEST_CASE("without the program patch, or where it fails, one line says so") {
  const std::string path = std::getenv("PATH");
  const TestFolder folder;
  setenv("PATH", folder.path().c_str(), 1);
  std::string said;
  try {
    const PatchedModel applied(patch);
  } catch (const Failure& failure) {
    said = failure.what();
  }
  folder.script("patch", "echo all is well; exit 3");
  const std::string complaint = PatchedModel(patch).complaint;
  setenv("PATH", path.c_str(), 1);
  CHECK(said ==
        "cannot run patch: No such file or directory: it makes the wrong solutions, and comes with "
        "the package 'patch'");
  CHECK(complaint == "patch failed, exit status 3");
}
