#include "results.hpp"

#include <doctest/doctest.h>

#include <string>

#include "host/errors.hpp"
#include "host/test_files.hpp"

using namespace course::tool;

namespace {

const std::string emulator_text = R"({"chapter":"01_global","backend":"emulator",
  "device":"emulator","rows":2048,"cols":1024,"ceiling":null,"results":[
  {"kernel":"global","verified":true,"bytes":1.67936e7,"operations":8388608,"samples":1,
   "median_ms":null,"p10_ms":null,"p90_ms":null,"gb_per_s":null,"gflop_per_s":null,
   "percent_of_ceiling":null,"wall_ms":123.5,"global_load_requests":10,"global_load_sectors":165,
   "global_store_requests":3,"global_store_sectors":12,"shared_bank_conflicts":7}]})";
const std::string gpu_text = R"({"chapter":"01_global","backend":"cuda","device":"NVIDIA H200",
  "rows":16384,"cols":16384,"ceiling":{"name":"read","gb_per_s":4503.1},"results":[
  {"kernel":"global","verified":false,"bytes":1,"operations":2,"samples":20,"median_ms":1.5,
   "p10_ms":1.4,"p90_ms":1.6,"gb_per_s":718.5,"gflop_per_s":360,"percent_of_ceiling":16,
   "wall_ms":null,"global_load_requests":null,"global_load_sectors":null,
   "global_store_requests":null,"global_store_sectors":null,"shared_bank_conflicts":null}]})";

}  // namespace

TEST_CASE("a report of the emulator holds counts and no GPU time") {
  const TestFolder folder;
  const Report report = read_report(folder.write("a.json", emulator_text));
  CHECK(report.backend == "emulator");
  CHECK(report.rows == 2048);
  CHECK(report.cols == 1024);
  CHECK(report.ceiling.empty());
  CHECK_FALSE(report.ceiling_gb_per_s.has_value());
  REQUIRE(report.results.size() == 1);
  const Result& result = report.results[0];
  CHECK(result.kernel == "global");
  CHECK(result.verified);
  CHECK(result.bytes == 1.67936e7);
  CHECK(result.operations == 8388608);
  CHECK(result.wall_ms == 123.5);
  CHECK(result.load_requests == 10);
  CHECK(result.load_sectors == 165);
  CHECK(result.store_sectors == 12);
  CHECK(result.bank_conflicts == 7);
  CHECK_FALSE(result.median_ms.has_value());
  CHECK_FALSE(result.percent_of_ceiling.has_value());
}

TEST_CASE("a report of a GPU holds times and its ceiling, and no counts") {
  const TestFolder folder;
  const Report report = read_report(folder.write("a.json", gpu_text));
  CHECK(report.backend == "cuda");
  CHECK(report.device == "NVIDIA H200");
  CHECK(report.ceiling == "read");
  CHECK(report.ceiling_gb_per_s == 4503.1);
  const Result& result = report.results.at(0);
  CHECK_FALSE(result.verified);
  CHECK(result.median_ms == 1.5);
  CHECK(result.p10_ms == 1.4);
  CHECK(result.p90_ms == 1.6);
  CHECK(result.gb_per_s == 718.5);
  CHECK(result.percent_of_ceiling == 16);
  CHECK_FALSE(result.load_sectors.has_value());
  CHECK_FALSE(result.wall_ms.has_value());
}

TEST_CASE("a report that is missing, cut off or of another form is a failure") {
  const TestFolder folder;
  CHECK_THROWS_WITH_AS(read_report(folder.path() / "none.json"), "it wrote no results", Failure);
  for (const std::string& text :
       {std::string(), emulator_text.substr(0, 100), std::string("[]"), std::string("{}"),
        std::string(R"({"backend":"cuda","device":"x","rows":"many","cols":1,"results":[]})")}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(read_report(folder.write("a.json", text)),
                         doctest::Contains("cannot be read"), Failure);
  }
}
