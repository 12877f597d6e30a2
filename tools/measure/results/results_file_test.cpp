#include "results/results_file.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "check.hpp"
#include "testing/chapter_run.hpp"

using namespace course::measure;

namespace {

course::Timing timing(double median_ms) {
  course::Timing t;
  t.samples = 100;
  t.median_ms = median_ms;
  t.p10_ms = median_ms * 0.5;
  t.p90_ms = median_ms * 2;
  return t;
}

ClockSummary clocks() {
  return summarise_clocks({{1980, 3201, 400000, 45, 0x4}, {1950, 3201, 650000, 50, 0x0}});
}

KernelRecord kernel(const std::string& chapter, const std::string& name, Shape layout,
                    double median_ms, std::optional<double> cublas_ms) {
  KernelRecord record;
  record.chapter = chapter;
  record.kernel = name;
  record.layout = layout;
  record.rows = 16384;
  record.cols = layout == Shape::vector ? 1 : 8192;
  record.timing = timing(median_ms);
  record.bytes = 512e6;
  record.operations = 256e6;
  record.bound = layout == Shape::vector ? "triad" : "read";
  record.verified_before = record.verified_after = true;
  record.cublas_median_ms = cublas_ms;
  record.clocks = clocks();
  return record;
}

/// A measurement that nobody made, of a GPU that does not exist.
Measurement sample() {
  Measurement all;
  all.machine = {"Sample GPU", 90,        132,     50 << 20, std::size_t{64} << 30,
                 4096,         32768,     1980,    "580.0",  "13.0",
                 "13.0",       "13.0.88", "13.0.2"};
  all.date = "2026-01-31T12:00:00Z";
  all.ceilings = {{"read", 2048, 0, 1024e6, 0, 32, timing(0.5), clocks()},
                  {"copy", 1600, 0, 2048e6, 0, 16, timing(1.28), clocks()},
                  {"triad", 1280, 0, 3072e6, 0, 16, timing(2.4), clocks()},
                  {"fma", 0, 16384, 0, 8192e6, 64, timing(0.5), {}}};
  all.latency = timing(512);  // nanoseconds
  all.kernels = {kernel("00_first_kernel", "saxpy", Shape::vector, 0.5, {}),
                 kernel("06_unroll", "float4", Shape::column_major, 0.25, 0.5),
                 kernel("07_cublas", "cuBLAS row-major", Shape::row_major, 0.5, 0.5)};
  all.kernels[1].bytes_in_flight = 524288;
  all.kernels.push_back(all.kernels[1]);
  all.kernels.back().cache = Cache::hot;
  all.kernels.back().timing = timing(0.125);
  return all;
}

}  // namespace

TEST_CASE("a device's name becomes a file name") {
  CHECK(slug("NVIDIA H200") == "nvidia-h200");
  CHECK(slug("NVIDIA GeForce RTX 4090 (D)") == "nvidia-geforce-rtx-4090-d");
  CHECK(slug("../..") == "gpu");
}

TEST_CASE("the file is the sample, letter for letter") {
  const std::string text = to_json(sample());
  // After a change that is meant: copy the file named here over the sample.
  if (const char* const fresh = std::getenv("FRESH_SAMPLE")) write_atomically(fresh, text);
  CHECK(text == course::testing::read_file(SAMPLE_FILE));
}

TEST_CASE("rates and ratios are what they are called") {
  const auto json = course::testing::JsonValue::parse(to_json(sample()));
  const auto& row = json["kernels"][1];
  CHECK(row["gb_per_s"] == 2048);
  CHECK(row["gflop_per_s"] == 1024);
  CHECK(row["percent_of_ceiling"] == 100);
  CHECK(row["ratio_to_cublas"] == 2);  // twice as fast
  CHECK(json["kernels"][0]["percent_of_ceiling"] == 80);
  CHECK(json["kernels"][0]["ratio_to_cublas"].is_null());
  CHECK(json["kernels"][3]["cache"] == "hot");
  CHECK(json["ceilings"]["fma"]["gb_per_s"].is_null());
  CHECK(json["ceilings"]["fma"]["clocks"]["throttle_reasons"].is_null());
}

TEST_CASE("what the link bounds is a part of the link's ceiling") {
  Measurement all = sample();
  all.kernels[0].bound = "host to device";
  CHECK_THROWS_WITH(to_json(all), "saxpy: its ceiling, host to device, was not measured");
  all.ceilings.push_back({"host to device", 2048, 0, 1024e6, 0, 0, timing(0.5), clocks()});
  const auto json = course::testing::JsonValue::parse(to_json(all));
  CHECK(json["kernels"][0]["percent_of_ceiling"] == 50);
  CHECK(json["ceilings"]["host to device"]["blocks_per_multiprocessor"] == 0);
}

TEST_CASE("a product of matrices has a third extent, and the ceiling of arithmetic") {
  Measurement all = sample();
  KernelRecord product = kernel("08_gemm_tiling", "naive", Shape::row_major, 0.5, 0.25);
  product.cols = 1024;
  product.inner = 2048;
  product.operations = 4096e6;
  product.bound = "fma";
  all.kernels.push_back(product);
  const auto json = course::testing::JsonValue::parse(to_json(all));
  const auto last = json["kernels"][json["kernels"].size() - 1];
  CHECK(last["inner"] == 2048);
  CHECK(last["gflop_per_s"] == 8192);
  CHECK(last["percent_of_ceiling"] == 50);
  CHECK(last["ratio_to_cublas"] == 0.5);
  CHECK_FALSE(json["kernels"][0].contains("inner"));
  CHECK(shape_text(product) == "16384 x 1024 x 2048");
}

TEST_CASE("what is not verified, or has no ceiling, is not written") {
  Measurement before = sample();
  before.kernels[1].verified_before = false;
  CHECK_THROWS_WITH_AS(to_json(before), "06_unroll, float4: not verified, so not written",
                       std::runtime_error);
  Measurement after = sample();
  after.kernels[2].verified_after = false;
  CHECK_THROWS_AS(to_json(after), std::runtime_error);
  Measurement unbound = sample();
  unbound.ceilings.erase(unbound.ceilings.begin());
  CHECK_THROWS_AS(to_json(unbound), std::runtime_error);
  Measurement empty = sample();
  empty.kernels.clear();
  CHECK_THROWS_AS(to_json(empty), std::runtime_error);
}

TEST_CASE("a file is written whole or not at all") {
  const course::testing::ScratchFolder folder;
  const std::string file = folder.file("results.json");
  write_atomically(file, "first");
  write_atomically(file, "second");
  CHECK(course::testing::read_file(file) == "second");
  CHECK_FALSE(std::filesystem::exists(temporary_name(file)));
  std::filesystem::create_directories(folder.file("folder/inside"));
  CHECK_THROWS_AS(write_atomically(folder.file("folder"), "text"), std::runtime_error);
  CHECK_FALSE(std::filesystem::exists(temporary_name(folder.file("folder"))));
  CHECK_THROWS_AS(write_atomically(folder.file("nowhere/file"), "text"), std::runtime_error);
}

TEST_CASE("the table names every kernel with its figures") {
  const std::string table = to_table(sample());
  CAPTURE(table);
  CHECK(table.find("ceiling read              2048.0 GB/s") != std::string::npos);
  CHECK(table.find("ceiling fma              16384.0 GFLOP/s") != std::string::npos);
  CHECK(table.find("06 float4") != std::string::npos);
  CHECK(table.find("16384 x 8192") != std::string::npos);
  CHECK(table.find("100.0 %     2.000") != std::string::npos);
  CHECK(table.find("16384 elements") != std::string::npos);
}

TEST_CASE("drawn shapes: where they start, both spreads, and a table of how the ratios lie") {
  Measurement drawn = sample();
  drawn.drawn = {3, 12345678901};
  drawn.kernels.clear();
  for (const double ratio : {4.0, 0.5, 1.0}) {
    drawn.kernels.push_back(
        kernel("07_cublas", "ours row-major", Shape::row_major, 0.5, 0.5 * ratio));
    drawn.kernels.back().cublas_timing = timing(0.5 * ratio);
    drawn.kernels.back().offset = 1;
  }
  drawn.kernels.back().cublas_default_wrong = 5663;
  const std::string json = to_json(drawn);
  CHECK(json.find("\"seed\": 12345678901") != std::string::npos);
  CHECK(json.find("\"offset\": 1") != std::string::npos);
  CHECK(json.find("\"cublas_p90_ms\": 4.0") != std::string::npos);
  CHECK(json.find("\"cublas_default_wrong\": 5663") != std::string::npos);
  CHECK(to_json(sample()).find("offset") == std::string::npos);
  CHECK(json.find("ldc") == std::string::npos);
  drawn.kernels.back().general = GeneralForm{5, 6, 7, 2.0F, -3.0F};
  CHECK(to_json(drawn).find("\"ldc\": 7, \"alpha\": 2.0, \"beta\": -3.0") != std::string::npos);
  const std::string table = to_table(drawn);
  // The least of 4, 0.5 and 1, their median, the cube root of 2, and one of three below 1.
  CHECK(table.find("07 ours row-major                    3    0.500") != std::string::npos);
  CHECK(table.find("1.000           1.260   33.3 %") != std::string::npos);
  CHECK(table.find("16384 x 8192") == std::string::npos);
}

TEST_CASE("drawn problems against another library: its ratios, and nothing of cuBLAS") {
  Measurement drawn = sample();
  drawn.drawn = {1, 7};
  drawn.kernels = {kernel("26_sparse", "ours", Shape::row_major, 0.5, 0.5)};
  drawn.kernels[0].cublas_median_ms.reset();
  drawn.kernels[0].library = "cuSPARSE";
  drawn.kernels[0].library_median_ms = 1.5;
  CHECK(to_table(drawn).find("26 ours                              1    3.000") !=
        std::string::npos);
  CHECK(to_json(drawn).find("cublas_p90_ms") == std::string::npos);
}
