// What becomes of findings: folded, kept, written for the reader. (How a program ends is tested by
// emulator/observers/checks/host_checks_test.py, and the checks themselves elsewhere.)

#include "emulator/findings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "events/findings.hpp"
#include "observers/checks/finding_text.hpp"

using emulator::Finding;
using emulator::findings;
using emulator::Severity;
using emulator::checks::add_finding;
using emulator::checks::finding_text;
using emulator::checks::FindingStyle;

namespace {

struct Clean {
  Clean() { emulator::clear_findings(); }
  ~Clean() { emulator::clear_findings(); }
};

Finding race() {
  Finding finding;
  finding.kind = "race";
  finding.what = "`tile` is read and written without a barrier in between";
  finding.remedy = "put __syncthreads() between the two";
  finding.kernel = "scan<float>";
  finding.place = {"/course/scan.cu", 31, "read by thread (6,0,0) of block (0,0,0)"};
  finding.others = {{"/course/scan.cu", 29, "written by thread (5,0,0) of block (0,0,0)"}};
  finding.in_kernel = true;
  finding.thread = dim3(6, 0, 0);
  finding.block = dim3(0, 0, 0);
  finding.memory = "__shared__ tile, 1024 bytes";
  finding.bytes = 1024;
  finding.offset = 20;
  finding.access_bytes = 4;
  return finding;
}

std::string text(const Finding& finding, std::size_t width = 100) {
  FindingStyle style;
  style.width = width;
  return finding_text(finding, style);
}

// The line of the text that begins with `label`, blanks apart.
std::string line_of(const std::string& text, const std::string& label) {
  const std::size_t begin = text.find("  " + label);
  REQUIRE(begin != std::string::npos);
  return text.substr(begin + 2, text.find('\n', begin) - begin - 2);
}

std::string access_line(std::int64_t offset, unsigned bytes) {
  Finding finding = race();
  finding.offset = offset;
  finding.access_bytes = bytes;
  return line_of(text(finding), "memory: ");
}

}  // namespace

TEST_CASE("the same finding at the same lines is counted") {
  const Clean clean;
  Finding finding = race();
  finding.times = 3;
  add_finding(finding);
  finding.thread = dim3(9, 0, 0);
  finding.what = "other words";
  finding.times = 4;
  add_finding(finding);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].times == 7);
  CHECK(findings()[0].thread.x == 6);  // the first one is shown
}

TEST_CASE("findings differ by kind, kernel and lines") {
  const Clean clean;
  add_finding(race());
  const auto add = [](auto change) {
    Finding finding = race();
    change(finding);
    add_finding(finding);
    return findings().size();
  };
  CHECK(add([](Finding& f) { f.kind = "out-of-bounds"; }) == 2);
  CHECK(add([](Finding& f) { f.kernel = "scan<int>"; }) == 3);
  CHECK(add([](Finding& f) { f.place.line = 32; }) == 4);
  CHECK(add([](Finding& f) { f.place.file = "/course/other.cu"; }) == 5);
  CHECK(add([](Finding& f) { f.others[0].line = 30; }) == 6);
  CHECK(add([](Finding& f) { f.others.clear(); }) == 7);
  CHECK(add([](Finding& f) { f.place.event = "not a difference"; }) == 7);
  CHECK(findings()[3].place.line == 32);  // in order
}

TEST_CASE("a warning that turns out an error is an error") {
  const Clean clean;
  Finding finding = race();
  finding.severity = Severity::warning;
  finding.what = "the same value is written twice";
  finding.times = 5;
  add_finding(finding);
  finding.severity = Severity::error;
  finding.what = "two values are written";
  finding.times = 1;
  add_finding(finding);
  finding.severity = Severity::note;
  finding.what = "never mind";
  add_finding(finding);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].severity == Severity::error);
  CHECK(findings()[0].what == "two values are written");
  CHECK(findings()[0].times == 7);
}

TEST_CASE("findings of several threads are all counted") {
  const Clean clean;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([] {
      for (int i = 0; i < 1000; ++i) {
        Finding finding = race();
        finding.place.line = 1 + i % 10;
        add_finding(finding);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(findings().size() == 10);
  for (const Finding& finding : findings()) CHECK(finding.times == 400);
}

TEST_CASE("cleared findings are forgotten") {
  const Clean clean;
  add_finding(race());
  emulator::clear_findings();
  CHECK(findings().empty());
  add_finding(race());
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].times == 1);
}

TEST_CASE("checks are turned on and off") {
  const bool before = emulator::checking();
  emulator::set_checking(true);
  CHECK(emulator::checking());
  CHECK(emulator::checks::details_wanted());
  emulator::set_checking(false);
  CHECK(!emulator::checking());
  CHECK(!emulator::checks::details_wanted());
  emulator::set_checking(before);
}

TEST_CASE("severities have names") {
  CHECK(std::string(name_of(Severity::error)) == "error");
  CHECK(std::string(name_of(Severity::warning)) == "warning");
  CHECK(std::string(name_of(Severity::note)) == "note");
}

TEST_CASE("a finding as the reader gets it") {
  Finding finding = race();
  finding.times = 255;
  CHECK(text(finding) ==
        "emulator: error: race: `tile` is read and written without a barrier in between\n"
        "  scan.cu:31: read by thread (6,0,0) of block (0,0,0)\n"
        "  scan.cu:29: written by thread (5,0,0) of block (0,0,0)\n"
        "  kernel: scan<float>\n"
        "  memory: __shared__ tile, 1024 bytes: bytes 20 to 23 (element 5, if elements have 4 "
        "bytes)\n"
        "  found 255 times\n"
        "  to fix it: put __syncthreads() between the two\n");
}

TEST_CASE("a finding says no more than is known") {
  Finding finding;
  finding.severity = Severity::warning;
  finding.kind = "leak";
  finding.what = "4 bytes are never freed";
  CHECK(text(finding) == "emulator: warning: leak: 4 bytes are never freed\n");
  finding.place.event = "allocated here";
  CHECK(line_of(text(finding), "at ") == "at an unknown place: allocated here");
}

TEST_CASE("a thread that the event does not name is named") {
  Finding finding = race();
  finding.place.event = "";
  CHECK(line_of(text(finding), "scan.cu:31") == "scan.cu:31: thread (6,0,0) of block (0,0,0)");
  finding.place.event = "read";
  CHECK(line_of(text(finding), "scan.cu:31") ==
        "scan.cu:31: read, thread (6,0,0) of block (0,0,0)");
  finding.in_kernel = false;
  CHECK(line_of(text(finding), "scan.cu:31") == "scan.cu:31: read");
}

TEST_CASE("where an access lies in its memory") {
  const std::string memory = "memory: __shared__ tile, 1024 bytes: ";
  CHECK(access_line(20, 4) == memory + "bytes 20 to 23 (element 5, if elements have 4 bytes)");
  CHECK(access_line(22, 4) == memory + "bytes 22 to 25");
  CHECK(access_line(7, 1) == memory + "byte 7");
  CHECK(access_line(1020, 4) ==
        memory + "bytes 1020 to 1023 (element 255, if elements have 4 bytes)");
  CHECK(access_line(1022, 4) == memory + "bytes 1022 to 1025, partly past its end");
  CHECK(access_line(1024, 1) == memory + "byte 1024, just past its end");
  CHECK(access_line(1025, 1) == memory + "byte 1025, 1 byte past its end");
  CHECK(access_line(-2, 4) == memory + "bytes -2 to 1, partly before its start");
  CHECK(access_line(-1, 1) == memory + "byte -1, just before its start");
  CHECK(access_line(-6, 1) == memory + "byte -6, 5 bytes before its start");
  CHECK(access_line(0, 0) == "memory: __shared__ tile, 1024 bytes");
}

TEST_CASE("files have the shortest names that tell them apart") {
  FindingStyle style;
  style.folder = "/home/reader/course";
  Finding finding = race();
  finding.place.file = "/home/reader/course/chapters/scan.cu";
  finding.others = {{"/elsewhere/a/scan.cu", 1, "a"}, {"/elsewhere/b/scan.cu", 2, "b"}};
  std::string lines = finding_text(finding, style);
  CHECK(line_of(lines, "chapters").starts_with("chapters/scan.cu:31: "));
  CHECK(line_of(lines, "a/") == "a/scan.cu:1: a");
  CHECK(line_of(lines, "b/") == "b/scan.cu:2: b");
  style.folder = "/home/reader/cour";  // not a folder above
  finding.others.clear();
  CHECK(line_of(finding_text(finding, style), "scan").starts_with("scan.cu:31: "));
}

TEST_CASE("long lines are broken") {
  Finding finding = race();
  finding.what += " and this goes on until there is no room for it any more";
  const std::string lines = text(finding, 60);
  std::size_t begin = 0;
  while (begin < lines.size()) {
    const std::size_t end = lines.find('\n', begin);
    CHECK(end - begin <= 60);
    if (begin != 0) CHECK(lines.substr(begin, 2) == "  ");
    begin = end + 1;
  }
}

TEST_CASE("the line itself is shown if it can be read") {
  const auto path = std::filesystem::temp_directory_path() / "findings_test_source.cu";
  std::ofstream(path) << "first\n\t  tile[i] = x[i];  \n\n" + std::string(200, 'x') + "\n";
  Finding finding = race();
  finding.place = {path.string(), 2, "written"};
  finding.others = {{path.string(), 3, "an empty line"},
                    {path.string(), 4, "a long line"},
                    {path.string(), 5, "no line"}};
  const std::string lines = text(finding);
  std::filesystem::remove(path);
  CHECK(lines.find("_source.cu:2: written, thread (6,0,0) of block (0,0,0)\n"
                   "    2 | tile[i] = x[i];\n") != std::string::npos);
  CHECK(lines.find("an empty line\n  findings_test_source.cu:4: a long line\n    4 | xxx") !=
        std::string::npos);
  // A line that is too long goes on below, whole.
  CHECK(lines.find("xxx\n      | ") != std::string::npos);
  CHECK(std::count(lines.begin(), lines.end(), 'x') >= 200);
  CHECK(lines.find("no line\n  kernel") != std::string::npos);
}

TEST_CASE("colour marks the severity and the places") {
  FindingStyle style;
  style.colour = true;
  const std::string lines = finding_text(race(), style);
  CHECK(lines.starts_with("\033[1;31memulator: error:\033[0m race: "));
  CHECK(lines.find("\033[1mscan.cu:31\033[0m: read") != std::string::npos);
  Finding warning = race();
  warning.severity = Severity::warning;
  CHECK(finding_text(warning, style).starts_with("\033[1;35memulator: warning:\033[0m"));
  CHECK(text(race()).find('\033') == std::string::npos);
}
