#include "host/exercises/exercise_list.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;

namespace {

const std::string good = R"({"backend": "emulator", "compile": ["wrap", "g++"], "link": ["g++"],
 "parts": [{"title": "first", "chapters": ["00", "01"], "can_do": "You can."}],
 "exercises": [
 {"id": "01a", "name": "01a_residual", "title": "T", "kind": "build", "chapter": "01", "points": 10,
  "cublas": false, "folder": "/e/01a_residual", "file": "residual.cu", "solution": "/s/01a_residual",
  "target": "exercise_01a", "objects": ["a.o"], "libraries": ["-lpthread"], "compile": ["-Ix"],
  "cases": ["correct: one"], "case_points": [10], "judge": "/b/judge", "judge_target": "judge_01a",
  "submission": {"objects": ["boundary.o"], "libraries": ["libemulator.a"]}},
 {"id": "01b", "name": "01b_bug", "title": "U", "kind": "mend", "chapter": "01", "points": 5,
  "folder": "/e/01b_bug", "file": "bug.cu", "solution": "/s/01b_bug", "target": "exercise_01b",
  "objects": [], "libraries": [], "compile": [], "cases": []},
 {"id": "10a", "name": "10a_last", "title": "V", "kind": "build", "chapter": "10", "points": 5,
  "cublas": true, "cutensor": true, "needs": ["cudaHostAlloc"], "compiler": ["embed"],
   "not_graded": "it cannot be", "lacks": "a library",
   "folder": "/e/10a_last", "file": "last.cu", "solution": "/s/10a_last",
  "target": "exercise_10a", "objects": [], "libraries": [], "compile": [], "cases": []}]})";

ExerciseList good_list() {
  const TestFolder folder;
  return read_exercises(folder.write("exercises.json", good));
}

std::string ids(const std::vector<const Exercise*>& exercises) {
  std::string text;
  for (const Exercise* const exercise : exercises) text += exercise->id + ' ';
  return text;
}

}  // namespace

TEST_CASE("the list of exercises is read as it stands") {
  const ExerciseList list = good_list();
  CHECK(list.backend == "emulator");
  CHECK(list.compile == std::vector<std::string>{"wrap", "g++"});
  CHECK(list.link == std::vector<std::string>{"g++"});
  REQUIRE(list.parts.size() == 1);
  CHECK(list.parts[0].title == "first");
  CHECK(list.parts[0].chapters == std::vector<std::string>{"00", "01"});
  CHECK(list.parts[0].can_do == "You can.");
  REQUIRE(list.exercises.size() == 3);
  const Exercise& first = list.exercises[0];
  CHECK(first.id == "01a");
  CHECK(first.kind == "build");
  CHECK(first.points == 10);
  CHECK_FALSE(first.cublas);
  CHECK_FALSE(first.cutensor);
  CHECK(first.source() == "/e/01a_residual/residual.cu");
  CHECK(first.model() == "/s/01a_residual/residual.cu");
  CHECK(first.handout() == "/e/01a_residual/README.md");
  CHECK(first.hints() == "/e/01a_residual/hints.md");
  CHECK(first.objects == std::vector<std::string>{"a.o"});
  CHECK(first.libraries == std::vector<std::string>{"-lpthread"});
  CHECK(first.compile == std::vector<std::string>{"-Ix"});
  CHECK(first.cases == std::vector<std::string>{"correct: one"});
  CHECK(first.case_points == std::vector<int>{10});
  CHECK(first.judge == "/b/judge");
  CHECK(first.judge_target == "judge_01a");
  CHECK(first.submission_objects == std::vector<std::string>{"boundary.o"});
  CHECK(first.submission_libraries == std::vector<std::string>{"libemulator.a"});
  CHECK(list.exercises[1].judge.empty());  // a list without what grading needs
  CHECK_FALSE(list.exercises[1].cublas);
  CHECK(list.exercises[2].cublas);
  CHECK(list.exercises[2].cutensor);
  CHECK(first.needs.empty());
  CHECK(first.compiler.empty());
  CHECK(first.not_graded.empty());
  CHECK(list.exercises[2].compiler == std::vector<std::string>{"embed"});
  CHECK(list.exercises[2].not_graded == "it cannot be");
  CHECK(first.lacks.empty());
  CHECK(list.exercises[2].lacks == "a library");
  CHECK(list.exercises[2].needs == std::vector<std::string>{"cudaHostAlloc"});
}

TEST_CASE("what is no list of exercises is a failure that names the file") {
  const TestFolder folder;
  CHECK_THROWS_AS(read_exercises(folder.path() / "none.json"), Failure);
  for (
      const std::string text :
      {"", "[]", "{}",
       R"({"backend": "cuda", "compile": [], "link": ["a"], "parts": [], "exercises": []})",
       R"({"backend": "cuda", "compile": ["a"], "link": ["a"], "parts": [], "exercises": [{"id": "01a"}]})"}) {
    CAPTURE(text);
    const auto file = folder.write("bad.json", text);
    try {
      read_exercises(file);
      FAIL_CHECK("accepted");
    } catch (const Failure& failure) {
      CHECK(std::string(failure.what()).starts_with(file.string() + " is damaged ("));
      CHECK(std::string(failure.what())
                .ends_with("): remove the folder (rm -r '" + folder.path().string() +
                           "') and run the same command again"));
      CHECK(failure.status() == status_refused);
    }
  }
}

TEST_CASE("an exercise is found by its id or its name, a chapter's by its number") {
  const ExerciseList list = good_list();
  CHECK(find_exercise(list, "01a").name == "01a_residual");
  CHECK(find_exercise(list, "1a").name == "01a_residual");
  CHECK(find_exercise(list, "001b").name == "01b_bug");
  CHECK(find_exercise(list, "01a_residual").name == "01a_residual");
  CHECK(ids(find_exercises(list, "01a")) == "01a ");
  CHECK(ids(find_exercises(list, "01")) == "01a 01b ");
  CHECK(ids(find_exercises(list, "1")) == "01a 01b ");
  CHECK(ids(find_exercises(list, "01_global")) == "01a 01b ");
  CHECK(ids(find_exercises(list, "10")) == "10a ");
}

TEST_CASE("an exercise that is not there is refused, with what may have been meant") {
  ExerciseList list = good_list();
  const auto refusal = [&](const std::string& wanted) -> std::string {
    try {
      find_exercise(list, wanted);
    } catch (const Failure& failure) {
      CHECK(failure.status() == status_refused);
      return failure.what();
    }
    return "found";
  };
  for (const std::string wanted : {"01c", "1", "1z", "01ab", "01a_other"}) {
    CHECK(refusal(wanted) == "there is no exercise '" + wanted +
                                 "': did you mean 01a or 01b? (./course list --all names them)");
  }
  CHECK(refusal("residua") ==
        "there is no exercise 'residua': did you mean 01a_residual? (./course list --all names "
        "them)");
  for (const std::string wanted : {"99x", "nonsense", ""}) {
    CHECK(refusal(wanted) ==
          "there is no exercise '" + wanted + "' (./course list --all names them)");
  }
  CHECK_THROWS_AS(find_exercises(list, "02"), Failure);
  CHECK_THROWS_AS(find_exercises(list, "0"), Failure);
  CHECK_THROWS_AS(find_exercises(list, "nonsense"), Failure);
  list.exercises.clear();
  CHECK_THROWS_WITH_AS(
      find_exercise(list, "01a"),
      "there is no exercise '01a': there are none yet (./course list --all names them)", Failure);
}

TEST_CASE("words that mean an exercise are told from those that mean a chapter") {
  for (const char* const word : {"01a", "1a", "01a_residual", "9b_x"}) CHECK(names_exercise(word));
  for (const char* const word : {"01", "1", "01_global", "a", "", "01ab", "_a", "--line"}) {
    CAPTURE(word);
    CHECK_FALSE(names_exercise(word));
  }
}

TEST_CASE("paths in the checkout are shown relative to it, others as they are") {
  Checkout checkout;
  checkout.source_dir = "/home/me/course";
  CHECK(path_in_checkout(checkout, "/home/me/course/exercises/a.cu") == "exercises/a.cu");
  CHECK(path_in_checkout(checkout, "/home/me/course2/a.cu") == "/home/me/course2/a.cu");
  CHECK(path_in_checkout(checkout, "/tmp/a.cu") == "/tmp/a.cu");
}
