// What a chapter's program reports on the emulator. This source is compiled twice,
// instrumented and fast: what a program can count is settled when it is compiled.

#include "report.hpp"

#include <unistd.h>

#include "testing/chapter_run.hpp"

namespace {

__global__ void add_one(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0F;
}

/// What `print` writes to stdout.
template <class Print>
std::string printed(Print print) {
  const course::testing::ScratchFolder scratch;
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  std::FILE* const file = std::fopen(scratch.file("out").c_str(), "w");
  dup2(fileno(file), STDOUT_FILENO);
  print();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  std::fclose(file);
  return course::testing::read_file(scratch.file("out"));
}

course::Options options_for(const std::string& program) {
  course::Options options;
  options.program = program;
  options.rows = 1000;
  return options;
}

course::Timing timed_launch(const course::Options& options) {
  course::DeviceArray<float> x(1000);
  return TIME_EVENTS(options, x.poison(), (add_one<<<4, 256>>>(x, 1000)));
}

struct ReportRun {
  int status = -1;
  std::string text;
  course::testing::JsonValue json;
};

ReportRun report(const std::string& program, bool right) {
  const course::testing::ScratchFolder scratch;
  course::Options options = options_for(program);
  options.json = scratch.file("report.json");
  ReportRun result;
  result.text = printed([&] {
    course::Report report(options, course::CeilingKind::read);
    if (!right) report.check("add_one", "exact data", {false, "element 3: got 1, expected 2"});
    report.add("add_one", timed_launch(options), {8000, 1000});
    result.status = report.finish();
  });
  result.json = course::testing::JsonValue::parse(course::testing::read_file(options.json));
  return result;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

#if BUILT_FAST

TEST_CASE("report: fast, it has verdicts and times, and no traffic") {
  static_assert(!course::counts_traffic);
  const ReportRun good = report("07_chapter", true);
  CHECK(good.status == 0);
  CHECK(says(good.text, "07_chapter, 1000, on the emulator, fast\n"));
  CHECK(says(good.text, "kernel               verified emul. s\nadd_one                   yes "));
  CHECK_FALSE(says(good.text, "sectors"));
  CHECK(says(good.text, "says nothing about a GPU. Nothing was counted.\n"));
  CHECK(says(good.text, "To see the memory traffic: ./course run 07\n"));
  const ReportRun bad = report("07_chapter", false);
  CHECK(bad.status == 1);
  CHECK(says(bad.text, "add_one                    NO "));
}

TEST_CASE("report: fast, its JSON file says that nothing was counted") {
  const course::testing::JsonValue json = report("07_chapter", true).json;
  REQUIRE(json.is_object());
  CHECK(json["counts_traffic"] == false);
  const course::testing::JsonValue row = json["results"][0];
  CHECK(row["verified"] == true);
  CHECK(row["wall_ms"].is_number());
  for (const char* const name :
       {"global_load_requests", "global_load_sectors", "global_store_requests",
        "global_store_sectors", "shared_bank_conflicts", "shared_load_wavefronts", "median_ms"}) {
    CAPTURE(name);
    CHECK(row[name].is_null());
  }
}

TEST_CASE("report: only a chapter is pointed to as what to run") {
  for (const char* const program : {"measure", "7_x", "007_x", "07", "07x", ""}) {
    CAPTURE(program);
    CHECK_FALSE(says(report(program, true).text, "./course"));
  }
}

TEST_CASE("record_traffic(): fast, it does the work and nothing is recorded") {
  course::DeviceArray<float> x(std::vector<float>(1000, 1.0F));
  const auto launches = course::record_traffic([&] { add_one<<<4, 256>>>(x, 1000); });
  CHECK(launches.empty());
  CHECK(x.to_host() == std::vector<float>(1000, 2.0F));
  bool recording = true;
  course::record_traffic([&] { recording = emulator::recording(); });
  CHECK_FALSE(recording);
}

#else

TEST_CASE("report: built for looking, it shows the traffic, on the screen and in its JSON file") {
  static_assert(course::counts_traffic);
  const ReportRun good = report("07_chapter", true);
  CHECK(good.status == 0);
  CHECK(says(good.text, "on the emulator: what a GPU's memory system would be asked for\n"));
  CHECK(says(good.text, "add_one                   yes            32          125        3.91"));
  CHECK_FALSE(says(good.text, ", fast\n"));
  REQUIRE(good.json.is_object());
  CHECK(good.json["counts_traffic"] == true);
  CHECK(good.json["results"][0]["global_load_sectors"] == 125);
}

#endif
