#include "grader/gradebook/roster.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
using namespace course::tool::grading;

namespace {

struct Rosters {
  TestFolder folder;

  Roster read(const std::string& text) const { return read_roster(folder.write("r.csv", text)); }

  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const Failure& failure) {
      CHECK(failure.status() == status_refused);
      return failure.what();
    }
    return "";
  }
};

constexpr char students[] =
    "name,id,email,grace_days\n\"Berg, Anna\",101,anna@x.org,\nKim,102,kim1@x.org,5\n"
    "Kim,103,kim2@x.org,\n";

}  // namespace

TEST_CASE("a submission is the student's whose id, address or name its folder has") {
  const Rosters rosters;
  const Roster roster = rosters.read(students);
  for (const char* const name : {"Berg, Anna", "101", "anna@x.org", "101.cu"}) {
    CAPTURE(name);
    REQUIRE(roster.find(name) != nullptr);
    CHECK(shown_student(roster.find(name)->student) == "Berg, Anna (101)");
  }
  CHECK(roster.find("anna") == nullptr);
  CHECK(roster.find("") == nullptr);
  CHECK(roster.find("kim2@x.org")->student.id == "103");
  CHECK(roster.find("102")->grace_days == 5);
  CHECK_FALSE(roster.find("103")->grace_days);
  CHECK_THROWS_WITH_AS(roster.find("Kim"),
                       "r.csv:4: the submission 'Kim' could be of Kim (102) or of Kim (103): name "
                       "its folder by the id",
                       Failure);
}

TEST_CASE("no student has two submissions") {
  const Rosters rosters;
  const Roster roster = rosters.read(students);
  const auto found = match(roster, {"102", "nobody", "101", "no one"});
  CHECK(found == std::vector<const RosterRow*>{&roster.rows[1], nullptr, &roster.rows[0], nullptr});
  CHECK_THROWS_WITH_AS(
      match(roster, {"101", "102", "anna@x.org"}),
      "'101' and 'anna@x.org' are both submissions of Berg, Anna (101): take one of them away",
      Failure);
}

TEST_CASE("a roster that cannot be followed is refused") {
  const Rosters rosters;
  CHECK(rosters.refusal("name,email\nA,b\n") == "r.csv: the first line must name a column 'id'");
  CHECK(rosters.refusal("name,id\n") == "r.csv: there are no students");
  CHECK(rosters.refusal("name,id\nA,\n") == "r.csv:2: a student wants a name and an id");
  CHECK(rosters.refusal("name,id\nA,1\nB,1\n") == "r.csv:3: the id '1' was that of line 2");
  CHECK(rosters.refusal("name,id\nA,=1+1\n") ==
        "r.csv:2: a spreadsheet would take '=1+1' for a formula, and a gradebook would not find it "
        "with an apostrophe");
  CHECK(rosters.refusal("name,id,grace_days\nA,1,-1\n") ==
        "r.csv:2: grace_days wants a whole number from 0 to 366, got '-1'");
  CHECK(rosters.refusal("name,id\n=A,1\n").empty());
}
