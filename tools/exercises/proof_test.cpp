#include "proof.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"
#include "host/files.hpp"
#include "host/process.hpp"

using namespace course::tool;
namespace fs = std::filesystem;

namespace {

/// A course whose first exercise can be proved.
struct ProvableCourse {
  ProvableCourse() {
    wrong("a", "caught by: correct: one", "fails: correct: one");
    wrong("b", "caught by: correct: two", "fails: correct: two");
    wrong("c", "caught by: correct: two", "crashes: correct: two");
    wrong("d", "caught by: efficient: three", "fails: efficient: three");
  }

  /// A wrong one that has `line` where the model solution has its first line, which is "// head".
  void wrong(const std::string& name, const std::string& head, const std::string& line) const {
    course.write(file_of(name), head + "\nNot so.\n\n@@ -1 +1 @@\n-// head\n+" + line + "\n");
  }
  static std::string file_of(const std::string& name) {
    return "solutions/01a_residual/wrong/" + name + ".patch";
  }
  void model(const std::string& text, const std::string& stub = "//@ // TODO\n") const {
    course.write("solutions/01a_residual/residual.cu",
                 "// head\n//@stub\n" + stub + "//@solution\n" + text + "//@end\n");
  }

  /// All faults, a line each.
  std::string faults(bool every_wrong_one = true) {
    const ScratchFolder scratch("course-proof-test");
    proof = prove(course.checkout, course.list, course.list.exercises[0], scratch.path(),
                  every_wrong_one);
    std::string text;
    for (const std::string& fault : proof.faults) text += fault + '\n';
    return text;
  }

  FakeCourse course;
  Proof proof;
};

}  // namespace

TEST_CASE("an exercise in which all is as it should be is proved") {
  ProvableCourse sound;
  CHECK(sound.faults() == "");
  CHECK(proof_text(sound.course.list.exercises[0], sound.proof) ==
        "variant of 01a  verdict    cases that failed\n"
        "--------------  ---------  -----------------\n"
        "stub            fails      1 2 3\n"
        "model           passes\n"
        "wrong/a.patch   is caught  1\n"
        "wrong/b.patch   is caught  2\n"
        "wrong/c.patch   is caught  2\n"
        "wrong/d.patch   is caught  3\n"
        "case 1: correct: one\n"
        "case 2: correct: two\n"
        "case 3: efficient: three\n"
        "01a is proved\n");
}

TEST_CASE("one wrong solution for each case, with this case, if no more is asked for") {
  ProvableCourse sound;
  sound.course.write(ProvableCourse::file_of("d"),
                     "caught by: efficient: three\nNot so.\n\n@@ -1 +1,2 @@\n-// head\n"
                     "+fails: correct: one\n+fails: efficient: three\n");
  const auto text = [&] { return proof_text(sound.course.list.exercises[0], sound.proof); };
  CHECK(sound.faults() == "");
  CHECK(says(text(), "wrong/c.patch   is caught  2\n"));
  CHECK(says(text(), "wrong/d.patch   is caught  1 3\n"));
  CHECK(sound.faults(false) == "");
  CHECK(says(text(), "wrong/b.patch   is caught  2\n"));
  CHECK_FALSE(says(text(), "wrong/c.patch"));  // it names the same case as b.patch
  CHECK(says(text(), "wrong/d.patch   is caught  3\n"));
  CHECK(says(text(), "stub            fails      1 2 3\n"));
}

TEST_CASE("a wrong one that does not apply to the model solution is a fault, tried or not") {
  ProvableCourse sound;
  sound.course.write(ProvableCourse::file_of("c"),
                     "caught by: correct: two\nNot so.\n\n@@ -1 +1 @@\n-// Head\n+// tail\n");
  const std::string fault =
      "wrong/c.patch does not apply to the model solution: Hunk #1 FAILED at 1.\n";
  CHECK(sound.faults() == fault);
  CHECK(sound.faults(false) == fault);
  sound.wrong("c", "caught by: correct: two", "fails: correct: two");
  sound.course.write("solutions/01a_residual/wrong/e.cu", "// caught by: correct: two\n");
  CHECK(sound.faults() == "wrong/e.cu is not a .patch: only differences belong there\n");
}

TEST_CASE("a stub that passes, or that fails only an efficient case, is a fault") {
  ProvableCourse sound;
  sound.model("int a;\n", "");
  CHECK(sound.faults() == "the stub fails no case that is named 'correct: …'\n");
  sound.model("int a;\n", "//@ fails: efficient: three\n");
  CHECK(sound.faults() == "the stub fails no case that is named 'correct: …'\n");
  CHECK(says(proof_text(sound.course.list.exercises[0], sound.proof), "WRONG: the stub fails no"));
  sound.model("int a;\n", "//@ SYNTAX\n");
  CHECK(says(sound.faults(), "stub does not compile: "));
}

TEST_CASE("a stub that is to be made fast fails efficient cases, and no others") {
  ProvableCourse sound;
  sound.course.list.exercises[0].kind = "speed";
  sound.model("int a;\n", "//@ fails: efficient: three\n");
  CHECK(sound.faults() == "");
  sound.model("int a;\n", "");
  CHECK(sound.faults() == "the stub fails no case that is named 'efficient: …'\n");
  sound.model("int a;\n", "//@ fails: correct: two\n//@ fails: efficient: three\n");
  CHECK(sound.faults() == "the stub is to be slow and right, and fails 'correct: two'\n");
}

TEST_CASE("a model solution that fails, skips, warns or does not compile is a fault") {
  ProvableCourse sound;
  sound.model("fails: correct: two\n");
  CHECK(says(sound.faults(), "the model solution fails 'correct: two': got 1"));
  sound.model("skips: correct: two\n");
  CHECK(says(sound.faults(), "the model solution skips 'correct: two': no GPU"));
  sound.model("UNUSED\n");
  CHECK(says(sound.faults(), "the model solution does not compile without a warning: "));
  sound.model("RENAMED\n");
  CHECK(says(sound.faults(), "model cannot be linked: "));
  sound.model("SYNTAX\n");
  CHECK(says(sound.faults(), "model does not compile: "));
}

TEST_CASE("on a GPU a model solution may skip what is about efficiency") {
  ProvableCourse sound;
  sound.model("skips: efficient: three\n");
  CHECK(sound.faults() == "");
  sound.course.list.backend = "no GPU";
  CHECK(says(sound.faults(), "the model solution skips 'efficient: three': no GPU"));
}

TEST_CASE("on the emulator the launches are taken away, from an object that has to be one") {
  ProvableCourse sound;
  sound.course.list.backend = "emulator";
  try {
    sound.faults();
    FAIL_CHECK("proved");
  } catch (const Failure& failure) {
    CHECK(std::string(failure.what()).starts_with("nm failed, "));
  }
}

TEST_CASE("a wrong one has to be caught by the case that it names") {
  ProvableCourse sound;
  sound.wrong("d", "caught by: efficient: three", "fails: correct: one");
  sound.course.list.backend = "no GPU";
  CHECK(sound.faults() == "wrong/d.patch is not caught by 'efficient: three'\n");
  CHECK(sound.faults(false) == "wrong/d.patch is not caught by 'efficient: three'\n");
  // On a GPU not everything shows; that is worth a note.
  sound.course.list.backend = "cuda";
  CHECK(sound.faults() == "");
  CHECK(sound.proof.notes == std::vector<std::string>{"wrong/d.patch: 'efficient: three' does not "
                                                      "see it on this GPU"});
  sound.wrong("d", "caught by: efficient: four", "fails: correct: one");
  CHECK(sound.faults() == "wrong/d.patch: there is no case 'efficient: four'\n");
  sound.wrong("d", "fails", "fails: correct: one");
  CHECK(sound.faults() == "wrong/d.patch: its first line has to be 'caught by: NAME OF A CASE'\n");
  sound.wrong("d", "caught by: efficient: three", "SYNTAX");
  CHECK(says(sound.faults(), "wrong/d.patch does not compile: "));
  sound.wrong("d", "caught by: efficient: three", "skips: efficient: three");
  CHECK(sound.faults() == "");
  CHECK(sound.proof.notes == std::vector<std::string>{"wrong/d.patch: not checked on a GPU, where "
                                                      "'efficient: three' is skipped"});
  fs::remove(sound.course.checkout.source_dir / ProvableCourse::file_of("d"));
  CHECK(sound.faults() == "there are 3 wrong ones in wrong/, and 4 are wanted\n");
}

TEST_CASE("a case that catches nothing is a fault") {
  ProvableCourse sound;
  sound.model("int a;\n", "//@ fails: correct: one\n");
  CHECK(sound.faults() == "");
  // Some case fails, but not the one that is named.
  sound.course.write(ProvableCourse::file_of("d"),
                     "caught by: correct: one\nNot so.\n\n@@ -1 +1,2 @@\n-// head\n"
                     "+fails: efficient: three\n+fails: correct: one\n");
  CHECK(sound.faults() ==
        "'efficient: three' catches neither the stub nor a wrong one that names it\n");
}

TEST_CASE("a case that the list does not know is a fault") {
  ProvableCourse sound;
  sound.course.list.exercises[0].cases.pop_back();
  CHECK(says(sound.faults(),
             "exercises.json does not know the case 'efficient: three': configure again"));
}

TEST_CASE("handout and hints have the form that the commands expect") {
  ProvableCourse sound;
  const std::string folder = "exercises/01a_residual/";
  sound.course.write(folder + "hints.md", "## 1. One\n\n## 2. Two\n");
  sound.course.write(folder + "README.md", "No title\n\n### How it is checked\n");
  CHECK(sound.faults() ==
        "hints.md has 2 steps, headed ## 1, ## 2 and so on, and three are wanted\n"
        "README.md does not begin with a title\n"
        "README.md has no section '## How it is checked'\n");
  fs::remove(sound.course.list.exercises[0].hints());
  fs::remove(sound.course.list.exercises[0].handout());
  CHECK(sound.faults() == "there is no hints.md\nthere is no README.md\n");
}

TEST_CASE("a proof does not begin without the checks, or with malformed markers") {
  ProvableCourse sound;
  sound.course.write("solutions/01a_residual/residual.cu", "//@stub\n");
  CHECK_THROWS_AS(sound.faults(), Failure);
  sound.course.list.exercises[0].objects = {"/none.o"};
  CHECK_THROWS_AS(sound.faults(), Failure);
}

// With a real compiler: what is changed are names in an object.
TEST_CASE("an object whose launches are taken away still reports success") {
  const TestFolder folder;
  const std::string declarations = R"(
    namespace emulator { struct Configuration {}; namespace detail {
      struct ThreadBody { void (*call)(const void*); const void* object; };
      int launch(const char*, const Configuration&, ThreadBody, const void*);
    } }
    extern "C" int cublasSgemv_v2(int);
    extern "C" int cublasSetStream_v2(int);
    extern "C" int cutensorContract(int);
    extern "C" int cutensorCreatePlan(int);
  )";
  const auto compile = [&](const std::string& name, const std::string& text) {
    const fs::path source = folder.write(name + ".cpp", declarations + text);
    const std::string object = (folder.path() / (name + ".o")).string();
    CHECK(run_process({"g++", "-c", source.string(), "-o", object}, [](Stream, std::string_view) {
          }).ok());
    return object;
  };
  const std::string student = compile("student", R"(
    int work() {
      return emulator::detail::launch("k", {}, {}, nullptr) + cublasSgemv_v2(3) + cublasSetStream_v2(4) +
             cutensorContract(5) + cutensorCreatePlan(6);
    })");
  const std::string none = compile("none", "int work() { return cublasSetStream_v2(4); }");
  const std::string rest = compile("rest", R"(
    int emulator::detail::launch(const char*, const Configuration&, ThreadBody, const void*) { return 1; }
    int cublasSgemv_v2(int) { return 2; }
    int cublasSetStream_v2(int) { return 4; }
    int cutensorContract(int) { return 8; }
    int cutensorCreatePlan(int) { return 16; }
    int work();
    int main() { return work(); })");
  const auto status_of = [&](std::vector<std::string> objects) {
    const std::string program = (folder.path() / "program").string();
    objects.insert(objects.begin(), {"g++", "-o", program});
    CHECK(run_process(objects, [](Stream, std::string_view) {}).ok());
    return run_process({program}, [](Stream, std::string_view) {}).code;
  };
  ExerciseList list;
  list.link = {"g++"};
  const std::string changed = (folder.path() / "changed.o").string();
  std::vector<std::string> objects = make_never_launched(list, student, changed);
  objects.insert(objects.end(), {changed, rest});
  CHECK(status_of({student, rest}) == 31);
  CHECK(status_of(objects) == 20);
  CHECK_THROWS_WITH_AS(make_never_launched(list, none, changed),
                       "the model solution launches no kernel", Failure);
}
