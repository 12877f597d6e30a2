#include "exercises/list_command.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;

namespace {

CourseContents contents_of(const FakeCourse& course) {
  CourseContents contents;
  contents.chapters = {{"00", "00_first_kernel", "First", "p", "t", false, "", "", ""},
                       {"01", "01_global", "Global", "p", "t", true, "", "", ""},
                       {"02", "02_coalesced", "Coalesced", "p", "t", true, "", "", ""},
                       {"08", "08_gemm_tiling", "Tiles", "p", "t", false, "", "", ""}};
  contents.exercises = course.list;
  contents.record.work["01a_residual"] = {2, 1, true, ""};
  return contents;
}

std::string list(FakeCourse& course, bool all, const std::string& part) {
  return course_list(course.checkout, contents_of(course), all, part, course.screen);
}

}  // namespace

TEST_CASE("the overview has a line for each part, and the chapters of the one where one is") {
  FakeCourse course;
  CHECK(parts_overview(contents_of(course), course.screen) ==
        "[----------]  1 first steps          0 of 0\n"
        "[#####-----]  2 the ladder           1 of 2\n"
        "[#####-----]      01_global          1 of 2\n"
        "[----------]      02_coalesced       0 of 0\n"
        "[----------]  3 matrix products      0 of 1\n"
        "1 of 3 exercises solved, 10 of 30 points.\n");
  CHECK(says(list(course, false, ""), "10 of 30 points; see ./course list 2, or --all.\n"));
}

TEST_CASE("where there is no room for the bars they are left out, and then columns") {
  FakeCourse course;
  for (const std::size_t width : {20, 40, 60, 80}) {
    CAPTURE(width);
    const Screen screen{course.out, course.err, course.progress, false, width};
    const std::string text = parts_overview(contents_of(course), screen);
    CHECK(says(text, "[#####-----]") == (width >= 60));
    CHECK(says(text, "2 the ladder: 1 of 2") == (width == 20));
    const std::string counted = text.substr(0, text.find("1 of 3"));
    for (std::size_t begin = 0; begin < counted.size();) {
      const std::size_t end = counted.find('\n', begin);
      CHECK(end - begin <= width);
      begin = end + 1;
    }
  }
}

TEST_CASE("a part is shown with its chapters and exercises, or all of them are") {
  FakeCourse course;
  const std::string second = list(course, false, "2");
  CHECK(second.starts_with("Part 2 the ladder\n\nchapter"));
  CHECK(says(second, "\n01_global     yes          Global\n"));
  CHECK(says(second, "\n01b_squares"));
  CHECK(says(second, "\n1 of 2 exercises solved, 10 of 20 points.\n"));
  CHECK_FALSE(says(second, "08"));
  CHECK(list(course, false, "the ladder") == second);
  const std::string all = list(course, true, "");
  CHECK(says(all, "\n08_gemm_tiling"));
  CHECK(says(all, "\n08a_tile"));
  CHECK(says(all, "\nNext:\n"));
}

TEST_CASE("a part that is not there is refused, with those that are") {
  FakeCourse course;
  CHECK_THROWS_WITH_AS(list(course, false, "4"),
                       "there is no part '4': they go from 1 to 3 (./course list names them)",
                       Failure);
  CHECK_THROWS_WITH_AS(
      list(course, false, "ladder"),
      "there is no part 'ladder': did you mean the ladder? (./course list names them)", Failure);
}

TEST_CASE("a bar is full only if all is solved") {
  const FakeCourse course;
  CHECK(progress_bar(0, 0, 4, course.screen) == "[----]");
  CHECK(progress_bar(99, 100, 4, course.screen) == "[###-]");
  CHECK(progress_bar(100, 100, 4, course.screen) == "[####]");
}
