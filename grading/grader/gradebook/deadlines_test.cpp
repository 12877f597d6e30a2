#include "grader/gradebook/deadlines.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "grader/gradebook/times.hpp"
#include "host/errors.hpp"
#include "host/exercises/fake_course.hpp"

using namespace course::tool;
using namespace course::tool::grading;

namespace {

struct Files {
  FakeCourse course;

  Deadlines read(const std::string& text) const {
    return read_deadlines(course.folder.write("d.json", text), course.list);
  }

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

std::string labs(const std::string& labs) {
  return R"({"time": "file", "percent_per_day": 10, "grace_days": 2, "labs": [)" + labs + "]}";
}

std::string lab(const std::string& name, const std::string& exercise, const std::string& deadline) {
  return R"({"lab": ")" + name + R"(", "exercises": [")" + exercise + R"("], "deadline": ")" +
         deadline + "\"}";
}

constexpr std::int64_t hour = 3600;

}  // namespace

TEST_CASE("a time has its zone, and is the same in all forms") {
  const std::int64_t expected = 1795215540;  // date -d 2026-11-20T22:59:00Z +%s
  for (const char* const text :
       {"2026-11-20T22:59:00Z", "2026-11-20 22:59Z", "2026-11-20T23:59+01:00",
        "2026-11-20 23:59:00 +0100", "2026-11-20T17:29:00.123-05:30"}) {
    CAPTURE(text);
    CHECK(parse_time(text) == expected);
  }
  CHECK(time_text(expected) == "2026-11-20T22:59:00Z");
  CHECK(parse_time("2024-02-29T00:00Z"));
  CHECK(time_text(-1) == "1969-12-31T23:59:59Z");
  for (const char* const text :
       {"", "2026-11-20", "2026-11-20T22:59", "2026-02-29T00:00Z", "2026-13-01T00:00Z",
        "2026-11-20T24:00Z", "2026-11-20T22:60Z", "2026-11-20T22:59Zx", "20.11.2026 22:59",
        "2026-11-20T22:59+1", "+026-11-20T22:59Z", "2026-11-20T22:59.Z"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_time(text));
  }
}

TEST_CASE("deadlines are read, and labs stand in their order") {
  const Files files;
  const Deadlines deadlines = files.read(
      labs(lab("Two", "08a", "2026-11-27T23:59Z") + ',' + lab("One", "01", "2026-11-20T23:59Z")));
  CHECK(deadlines.clock == Deadlines::Clock::file);
  CHECK(deadlines.percent_per_day == 10);
  CHECK(deadlines.grace_days == 2);
  REQUIRE(deadlines.labs.size() == 2);
  CHECK(deadlines.labs[0].name == "One");
  CHECK(deadlines.labs[0].exercises.size() == 2);
  CHECK(deadlines.labs[1].exercises[0]->id == "08a");
}

TEST_CASE("deadlines that cannot be followed are refused, in one line") {
  const Files files;
  CHECK(files.refusal("{") == "d.json: this is not JSON");
  CHECK(files.refusal("[]") == "d.json: wants an object, {...}");
  CHECK(files.refusal(R"({"tine": 1})") ==
        "d.json: there is no key 'tine'; there are time, percent_per_day, grace_days, labs");
  CHECK(files.refusal(R"({"time": "now"})") ==
        "d.json: \"time\" wants \"commit\", \"file\" or \"roster\", got 'now'");
  CHECK(files.refusal(R"({"time": "file", "percent_per_day": 101})") ==
        "d.json: \"percent_per_day\" wants a whole number from 0 to 100");
  CHECK(files.refusal(R"({"time": "file", "percent_per_day": -1})") ==
        "d.json: \"percent_per_day\" wants a whole number from 0 to 100");
  CHECK(files.refusal(R"({"time": "file", "percent_per_day": 10, "labs": []})") ==
        "d.json: \"labs\" wants a list of labs");
  const std::string one = lab("One", "01a", "2026-11-20T23:59Z");
  CHECK(files.refusal(labs(lab("One", "01a", "2026-11-20 23:59"))) ==
        "d.json: the deadline of One wants the form 2026-11-20T23:59+01:00 (or Z for UTC), got "
        "'2026-11-20 23:59'");
  CHECK(says(files.refusal(labs(lab("One", "99z", "2026-11-20T23:59Z"))), "d.json: One: there is"));
  CHECK(files.refusal(labs(one + ',' + lab("Two", "01", "2026-11-20T23:59Z"))) ==
        "d.json: 01a is in two labs, One and Two");
  CHECK(files.refusal(labs(one + ',' + lab("One", "01b", "2026-11-20T23:59Z"))) ==
        "d.json: there are two labs 'One'");
  CHECK_THROWS_AS(read_deadlines(files.course.folder.path() / "none", files.course.list),
                  const Failure&);
}

TEST_CASE(
    "a day that has begun counts, grace days go to the first labs, and no mark is below zero") {
  const Files files;
  const Deadlines deadlines = files.read(labs(lab("One", "01a", "2026-11-20T00:00Z") + ',' +
                                              lab("Two", "01b", "2026-11-27T00:00Z") + ',' +
                                              lab("Three", "08a", "2026-11-30T00:00Z")));
  const std::int64_t one = deadlines.labs[0].deadline;
  const std::int64_t two = deadlines.labs[1].deadline;
  const std::int64_t three = deadlines.labs[2].deadline;
  const auto said = [&](int grace, const std::vector<Arrival>& arrivals) {
    std::string text;
    for (const Lateness& late : lateness_of(deadlines, grace, arrivals)) text += late.text + '|';
    return text;
  };
  CHECK(said(2, {{true, one}, {true, two - hour}, {false, {}}}) == "|||");
  CHECK(said(0, {{true, one + 1}, {true, two + 24 * hour}, {true, three + 24 * hour + 1}}) ==
        "1 day late: 10% off|1 day late: 10% off|2 days late: 20% off|");
  CHECK(said(2, {{true, one + hour}, {true, two + 47 * hour}, {true, three + hour}}) ==
        "1 day late, 1 grace day: 0% off|2 days late, 1 grace day: 10% off|1 day late: 10% off|");
  CHECK(said(2, {{false, {}}, {true, std::nullopt}, {true, three + 24 * 400 * hour}}) ==
        "|when it was handed in is not known: nothing off|400 days late, 2 grace days: 100% off|");
  CHECK(arrival_text(deadlines, deadlines.labs[0], {true, one + hour}) ==
        "One: 2026-11-20T01:00:00Z by the time of its file; the deadline was 2026-11-20T00:00Z");
}
