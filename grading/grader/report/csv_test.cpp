#include "grader/report/csv.hpp"

#include <doctest/doctest.h>

#include <string>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
using namespace course::tool::grading;

namespace {

/// A table as one line: cells between |, rows between /.
std::string in_short(const std::string& text) {
  const CsvTable table = parse_csv(text, "a.csv");
  std::string said;
  for (const std::string& name : table.columns) said += name + '|';
  for (const CsvRow& row : table.rows) {
    said += '/' + std::to_string(row.line) + ':';
    for (const std::string& cell : row.cells) said += cell + '|';
  }
  return said;
}

std::string refusal(const std::string& text) {
  try {
    parse_csv(text, "a.csv");
  } catch (const Failure& failure) {
    CHECK(failure.status() == status_refused);
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a table is read as spreadsheets of all systems write it") {
  const std::string expected = "name|id|/2:Anna|1|/3:Ben|2|";
  CHECK(in_short("name,id\nAnna,1\nBen,2\n") == expected);
  CHECK(in_short("\xEF\xBB\xBFname,id\r\nAnna,1\r\nBen,2") == expected);
  CHECK(in_short("name;id\rAnna;1\rBen;2\r") == expected);
  CHECK(in_short(" name , \"id\"\n\"Anna\",1 \nBen,2,,\n\n,\n") == expected);
  CHECK(in_short("name,id\n\"Berg, Anna \"\"A\"\"\nB\",1\nBen\n") ==
        "name|id|/2:Berg, Anna \"A\"\nB|1|/4:Ben||");
  CHECK(in_short("name;id\nA, B;1\n") == "name|id|/2:A, B|1|");
  CHECK(in_short("").empty());
  CHECK(parse_csv("Name,ID\n", "a.csv").column("name") == 0);
  CHECK(parse_csv("Name,ID\n", "a.csv").column("id") == 1);
  CHECK_FALSE(parse_csv("Name,ID\n", "a.csv").column("mail"));
}

TEST_CASE("what is no table is refused, with file and line") {
  CHECK(refusal("name,id\n\"Anna,1\n\n") == "a.csv:2: a quote is not closed");
  CHECK(refusal("name,id\n\"Anna\"x,1\n") == "a.csv:2: there is text after a closing quote");
  CHECK(refusal("name,id\nA,1\nBerg, Anna,1\n") ==
        "a.csv:3: the row has more cells than there are columns: a cell with a comma wants quotes");
  CHECK(refusal("name,Name\n") == "a.csv:1: there are two columns 'Name'");
  CHECK(refusal("name,id\nJ\xFCrgen,1\n") ==
        "a.csv:2: this is not UTF-8 text: save it as CSV in UTF-8");
  CHECK(refusal(std::string("name,id\nA\0,1\n", 13)) ==
        "a.csv:2: this is not UTF-8 text: save it as CSV in UTF-8");
  const TestFolder folder;
  CHECK_THROWS_WITH_AS(read_csv(folder.write("b.csv", "name,mail\n"), {"name", "id"}),
                       "b.csv: the first line must name a column 'id'", Failure);
  CHECK_THROWS_AS(read_csv(folder.path() / "none.csv", {}), const Failure&);
}

TEST_CASE("what is written is read again, but for what a spreadsheet would compute") {
  for (const std::string text : {"Anna", "Berg, Anna", "a \"b\" c", "J\xC3\xBCrgen; jr", "a-b"}) {
    CHECK(in_short("x\n" + csv_cell(text) + "\n") == "x|/2:" + text + "|");
  }
  for (const std::string text : {"=1+1", "+1", "-1", "@x", " =x", "|x", "%x", "\t=x"}) {
    CAPTURE(text);
    CHECK(looks_like_formula(text));
    CHECK(csv_cell(text).starts_with("\"'"));
  }
}
