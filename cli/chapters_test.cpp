#include "chapters.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;

namespace {

const std::vector<Chapter> chapters{
    {"00", "00_first_kernel", "First", "p0", "t0", false, "", "", ""},
    {"01", "01_global", "Global", "p1", "t1", true, "", "", ""},
    {"10", "10_gemm", "GEMM", "p10", "t10", false, "", "", ""}};

std::string refusal(const std::string& wanted) {
  try {
    find_chapter(chapters, wanted);
  } catch (const Failure& failure) {
    CHECK(failure.status() == 2);
    return failure.what();
  }
  return "found";
}

}  // namespace

TEST_CASE("the list of chapters is read as the build writes it") {
  const TestFolder folder;
  const auto file = folder.write("chapters.json", R"([
    {"number": "01", "name": "01_global", "title": "One thread a row", "program": "/b/01_global",
     "target": "01_global", "ladder": true,
     "fast": {"program": "/b/fast/01_global", "target": "01_global_fast"}},
    {"number": "02", "name": "02_on_cuda", "title": "T", "program": "/p", "target": "t",
     "ladder": false},
    {"number": "10", "name": "10_sum", "title": "T", "program": "/p", "target": "t",
     "ladder": false, "best_kernel": "last block", "devices": 2}])");
  const std::vector<Chapter> read = read_chapters(file);
  REQUIRE(read.size() == 3);
  CHECK(read[0].number == "01");
  CHECK(read[0].name == "01_global");
  CHECK(read[0].title == "One thread a row");
  CHECK(read[0].program == "/b/01_global");
  CHECK(read[0].target == "01_global");
  CHECK(read[0].ladder);
  CHECK(read[0].fast_program == "/b/fast/01_global");
  CHECK(read[0].fast_target == "01_global_fast");
  CHECK(read[1].fast_program.empty());
  CHECK(read[1].fast_target.empty());
  CHECK(read[1].best_kernel.empty());
  CHECK_FALSE(read[1].on_tour());
  CHECK(read[2].best_kernel == "last block");
  CHECK(read[1].devices == 0);
  CHECK(read[2].devices == 2);
  CHECK(read[2].on_tour());
  CHECK(tour_chapters(read).size() == 2);
}

TEST_CASE("a list that is missing or broken is a failure that names the file") {
  const TestFolder folder;
  for (const char* text :
       {"", "[{]", R"([{"number": 1}])", R"({"number": "01"})",
        R"([{"number": "01", "name": "n", "title": "t", "program": "/p", "target": "t",
             "ladder": true, "fast": {"program": "/f"}}])"}) {
    CAPTURE(text);
    const auto file = folder.write("chapters.json", text);
    CHECK_THROWS_WITH_AS(read_chapters(file), doctest::Contains(file.c_str()), Failure);
  }
  CHECK_THROWS_AS(read_chapters(folder.path() / "none.json"), Failure);
}

TEST_CASE("a chapter is found by number, with or without zeros, and by name") {
  CHECK(find_chapter(chapters, "1").name == "01_global");
  CHECK(find_chapter(chapters, "01").name == "01_global");
  CHECK(find_chapter(chapters, "001").name == "01_global");
  CHECK(find_chapter(chapters, "01_global").name == "01_global");
  CHECK(find_chapter(chapters, "0").name == "00_first_kernel");
  CHECK(find_chapter(chapters, "00").name == "00_first_kernel");
  CHECK(find_chapter(chapters, "10").name == "10_gemm");
}

TEST_CASE("a chapter that does not exist is refused, with what may have been meant") {
  for (const char* wanted : {"99", "", "1x", "-1", "100"}) {
    CAPTURE(wanted);
    CHECK(refusal(wanted) == "there is no chapter '" + std::string(wanted) +
                                 "': they go from 00 to 10 (./course list --all names them)");
  }
  for (const char* wanted : {"glob", "global", "gobal", "1_global", "01_globl"}) {
    CAPTURE(wanted);
    CHECK(refusal(wanted) == "there is no chapter '" + std::string(wanted) +
                                 "': did you mean 01_global? (./course list --all names them)");
  }
}

TEST_CASE("the tour begins with 00 and visits the rungs") {
  const std::vector<Chapter> tour = tour_chapters(chapters);
  REQUIRE(tour.size() == 2);
  CHECK(tour[0].number == "00");
  CHECK(tour[1].number == "01");
}

TEST_CASE("the list shows every chapter with its title") {
  CHECK(chapter_table(chapters) ==
        "chapter          on the tour  title\n"
        "---------------  -----------  ------\n"
        "00_first_kernel  yes          First\n"
        "01_global        yes          Global\n"
        "10_gemm                       GEMM\n");
}
