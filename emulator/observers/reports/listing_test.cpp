#include "observers/reports/listing.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/listing_text.hpp"
#include "observers/reports/hand_made_traffic.hpp"
#include "observers/reports/shown_lines.hpp"

namespace {

using namespace hand_made;
using namespace emulator::reports;
using emulator::LaunchRecord;

// A source file for the length of a scope.
class Source {
 public:
  Source(const std::string& name, const std::string& text)
      : folder_(std::filesystem::temp_directory_path() /
                ("listing_test_" + std::to_string(getpid()))),
        file_((folder_ / name).string()) {
    std::filesystem::create_directories(folder_);
    std::ofstream(file_) << text;
  }
  ~Source() { std::filesystem::remove_all(folder_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  const std::string& file() const { return file_; }

 private:
  std::filesystem::path folder_;
  std::string file_;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const std::string& line : split(text)) most = std::max(most, columns(line));
  return most;
}

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("no \"" << part << "\" in:\n" << text);
  return found;
}

bool lacks(const std::string& text, const std::string& part) {
  return text.find(part) == std::string::npos;
}

const char* sum_source =
    "#include <cstdio>\n"                                           // 1
    "\n"                                                            // 2
    "template <typename T>\n"                                       // 3
    "__global__ void sum(const T* A, const T* x, T* y, int n) {\n"  // 4
    "\tconst int row = threadIdx.x;\n"                              // 5
    "\tT all = 0;\n"                                                // 6
    "\tfor (int j = 0; j < n; ++j) {\n"                             // 7
    "\t\tall += A[row * n + j] * x[j];\n"                           // 8
    "\t}\n"                                                         // 9
    "\ty[row] = all;\n"                                             // 10
    "}\n";                                                          // 11

KernelTraffic sum_kernel(const std::string& file) {
  const auto column = load(
      4, [](unsigned lane) { return 4096 * lane; }, all_lanes, 8388608);
  const auto broadcast = load(
      4, [](unsigned) { return 0; }, all_lanes, 8388608);
  const auto store = instruction(
      InstructionKind::global_store, 4, [](unsigned lane) { return 4 * lane; }, 0xFFFF, 512);
  return kernel("sum<float>",
                {line(file, 5, {}, 512), line(file, 8, {column, broadcast}, 8388608, 24),
                 line(file, 10, {store}, 512)});
}

LaunchRecord launch_of(const std::string& kernel, unsigned grid, std::uint64_t sectors) {
  LaunchRecord launch;
  launch.kernel = kernel;
  launch.grid = dim3(grid);
  launch.traffic.global_load_sectors = sectors;
  return launch;
}

}  // namespace

TEST_CASE("listing: a kernel's lines") {
  const Source source("sum.cu", sum_source);
  const std::string text = render({sum_kernel(source.file())}, {});
  CHECK(has(text, "sum<float>: grid 1, block 128\n====="));
  CHECK(has(text,
            "global loads   16.8M requests, 276.8M sectors: 16.5 each (2.5 would do), 12.5 % "
            "of the bytes used\n"));
  CHECK(has(text,
            "global stores  512 requests, 1024 sectors: 2.0 each (2.0 would do), 100 % of the "
            "bytes used\n"));
  CHECK(has(text, "\n    3                                | template <typename T>\n"));
  CHECK(has(text, "\n    5                                |     const int row = threadIdx.x;\n"));
  CHECK(has(text,
            "\n!   8 ld    8.4M 32.0/4.0   12%      |         all += A[row * n + j] * x[j];\n"));
  CHECK(has(text, "\n   .2 ld    8.4M  1.0/1.0   12%      |\n"));
  CHECK(has(text, "\n   10 st     512  2.0/2.0  100% 16.0 |     y[row] = all;\n"));
  CHECK(has(text, "\nline 8: neighbouring lanes load elements that are"));
  CHECK(lacks(text, "#include"));
  CHECK(lacks(text, "\x1b"));
}

TEST_CASE("listing: colour adds escape sequences and nothing else") {
  const Source source("sum.cu", sum_source);
  const std::string plain = render({sum_kernel(source.file())}, {});
  std::string coloured = render({sum_kernel(source.file())}, {.colour = true});
  CHECK(has(coloured, "\x1b[1;31m!   8 ld "));
  CHECK(has(coloured, "\x1b[2m   10 st "));
  for (auto at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  CHECK(coloured == plain);
}

TEST_CASE("listing: no line is wider than asked for") {
  std::string code = sum_source;
  const std::vector<std::string> fillers = {" // " + std::string(300, 'x'), " // größere Felder",
                                            " // a b\tc " + std::string(200, '.')};
  for (const std::string& filler : fillers) {
    code += "\t\t\t\tcall(" + filler + ");" + filler + filler + filler + "\n";
  }
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "表ä ";
  code += wide + "\n";
  const Source source("sum.cu", code);
  auto kernel = sum_kernel(source.file());
  kernel.instance = "some::name<" + std::string(200, 'T') + ", (anonymous namespace)::f<1, 2>>";
  kernel.grid = dim3(2147483647, 65535, 65535);
  kernel.launches = 1000000;
  kernel.of_one_launch = false;
  kernel.error = "cudaErrorIllegalAddress";
  for (int number = 12; number <= 15; ++number) {
    kernel.lines.push_back(
        line(source.file(), number,
             {load(
                 16, [](unsigned lane) { return 512 * lane; }, all_lanes, 1000000000000)}));
    kernel.traffic += kernel.lines.back().traffic;
  }
  kernel.lines.push_back(
      line("/gone/" + std::string(150, 'd') + "/gone.hpp", 123456,
           {shared_load(
               4, [](unsigned lane) { return 128 * lane; }, all_lanes, 1000000000000)}));
  kernel.traffic += kernel.lines.back().traffic;
  for (const unsigned width : {60U, 80U, 100U, 173U}) {
    CAPTURE(width);
    const std::string text = render({kernel}, {.width = width});
    CHECK(widest(text) <= width);
    for (const std::string& line : split(text)) CHECK(printable(line) == line);
  }
  const std::string text = render({kernel}, {});
  CHECK(has(text, "1.0T"));
  CHECK(has(text, "Ended by cudaErrorIllegalAddress"));
  // Nothing of a long line is lost.
  std::size_t letters = 0;
  for (const char c : text) letters += c == 'x' ? 1 : 0;
  CHECK(letters >= 1200);
}

TEST_CASE("listing: gaps are folded") {
  std::string code = "__global__ void k(float* x) {\n";
  for (int number = 2; number <= 100; ++number) code += "l" + std::to_string(number) + "\n";
  const Source source("k.cu", code);
  const auto ld = load(4, [](unsigned lane) { return 4 * lane; });
  const std::string text =
      render({kernel("k", {line(source.file(), 2, {ld}), line(source.file(), 9, {ld}),
                           line(source.file(), 30, {ld}), line(source.file(), 90, {})})},
             {});
  CHECK(has(text, "| __global__ void k"));
  CHECK(has(text, "| l5\n"));
  CHECK(has(text, "| l9\n"));
  CHECK(has(text, "| ...\n"));
  CHECK(text.find("| ...\n", text.find("| l9\n")) == text.find("| ...\n"));
  CHECK(lacks(text, "| l10\n"));
  CHECK(lacks(text, "| l27\n"));
  CHECK(has(text, "| l28\n"));
  CHECK(has(text, "| l90\n"));
  CHECK(lacks(text, "| l91\n"));
}

TEST_CASE("listing: where to begin") {
  const std::vector<std::string> source = {
      "// sum is here", "", "template <int n>", "__global__ void", "sum(int* a) {", "  a;", "  b;"};
  const auto first = [&](int counted, const char* name) {
    return ranges_to_show({counted}, source, name).front().first;
  };
  CHECK(first(7, "course::sum") == 3);
  CHECK(first(5, "sum") == 3);
  CHECK(first(7, "nothing") == 3);  // a kernel's head at least
  CHECK(first(3, "nothing") == 1);
  const std::vector<std::string> helpers = {"}", "__device__", "float f() {", "  a;", "}", "  b;"};
  CHECK(ranges_to_show({4}, helpers, "sum").front().first == 2);
  CHECK(ranges_to_show({6}, helpers, "sum").front().first == 4);  // not of the function before
  CHECK(first(100, "sum") == 100);  // not in the file: it has changed since
}

TEST_CASE("listing: several files, the kernel's first") {
  const Source helper("a_helper.hpp", "inline float get(const float* x) {\n  return *x;\n}\n");
  const Source source("sum.cu", sum_source);
  const Source noise("b_noise.hpp", "int quiet() { return 0; }\n");
  auto kernel = sum_kernel(source.file());
  const auto ld = load(4, [](unsigned lane) { return 4 * lane; });
  kernel.lines.insert(kernel.lines.begin(), line(helper.file(), 2, {ld}, 1U << 30));
  kernel.lines.push_back(line(noise.file(), 1, {}, 1U << 30));
  const std::string text = render({kernel}, {});
  CHECK(text.find("template <typename T>") < text.find("inline float get"));
  CHECK(has(text, "\nIn "));
  CHECK(lacks(text, "quiet"));
}

TEST_CASE("listing: source that is not there") {
  const auto ld = load(4, [](unsigned lane) { return 4 * lane; });
  const std::string text =
      render({kernel("k", {line("/gone/k.cu", 12, {ld}), line("?", 0, {ld})})}, {});
  CHECK(has(text, "   12 ld       1  4.0/4.0  100%      | (source not found)\n"));
  CHECK(has(text, "Code of unknown lines"));
  CHECK(has(text, "\n      ld       1  4.0/4.0  100%      | (source not found)\n"));
  const Source source("k.cu", "int a;\n");
  CHECK(has(render({kernel("k", {line(source.file(), 12, {ld})})}, {}), "| (source not found)\n"));
}

TEST_CASE("listing: rows of one kind") {
  const auto strided = [](unsigned stride) {
    return load(
        4, [=](unsigned lane) { return stride * lane; }, all_lanes, 10);
  };
  SUBCASE("alike, they are one") {
    const std::string text = render({kernel("k", {line("k.cu", 1, {strided(4), strided(4)})})}, {});
    CHECK(has(text, "1 ld      20  4.0/4.0  100%"));
  }
  SUBCASE("too many different ones are one") {
    const std::string text = render(
        {kernel("k", {line("k.cu", 1,
                           {strided(4), strided(8), strided(12), strided(16), strided(20)})})},
        {});
    CHECK(has(text, "1 ld      50 12.0/4.0   33%"));
  }
  SUBCASE("shared memory and atomics") {
    const auto sld = shared_load(8, [](unsigned lane) { return 16 * lane; });
    const auto at = instruction(InstructionKind::global_atomic, 4, [](unsigned) { return 0; });
    const auto sat = instruction(InstructionKind::shared_atomic, 4, [](unsigned) { return 0; });
    const std::string text = render({kernel("k", {line("k.cu", 1, {sld, sat, at})})}, {});
    CHECK(has(text, "\n!  .3 at       1 32.0/1.0   <1%      |\n"));
    CHECK(has(text, "\n    1 sld      1  4.0/2.0            | (source"));
    CHECK(has(text, "\n!  .2 sat      1 32.0/1.0            |\n"));
    CHECK(has(text, "shared loads   1 instruction, 4 wavefronts: 4.0 each; 2 bank conflicts"));
    CHECK(has(
        text,
        "global atomics 1 request, 32 sectors: 32.0 each (1.0 would do), 0.4 % of the bytes used"));
    CHECK(has(text, "shared atomics 1 instruction, 32 wavefronts: 32.0 each; 31 bank conflicts"));
  }
}

TEST_CASE("listing: a mark takes a tenth") {
  const auto lines_with = [](std::uint64_t bad) {
    return kernel("k",
                  {line("k.cu", 1,
                        {load(
                            4, [](unsigned lane) { return 4 * lane; }, all_lanes, 250 - 2 * bad)}),
                   line("k.cu", 2,
                        {load(
                            4, [](unsigned lane) { return 8 * lane; }, all_lanes, bad)})});
  };
  CHECK(has(render({lines_with(25)}, {}), "\n!   2 ld"));  // 100 sectors of 1000
  CHECK(has(render({lines_with(24)}, {}), "\n    2 ld"));  // 96
  CHECK(has(render({lines_with(25)}, {}), "\n    1 ld"));
}

TEST_CASE("listing: a line marked for the sum of its rows marks the worst of them") {
  const auto bad = load(
      4, [](unsigned lane) { return 8 * lane; }, all_lanes, 6);
  const auto worse = instruction(
      InstructionKind::global_store, 4, [](unsigned lane) { return 8 * lane; }, all_lanes, 7);
  const auto good = load(
      4, [](unsigned lane) { return 4 * lane; }, all_lanes, 99);
  const std::string text =
      render({kernel("k", {line("k.cu", 1, {bad, worse}), line("k.cu", 2, {good})})}, {});
  CHECK(has(text, "\n    1 ld       6"));
  CHECK(has(text, "\n!  .2 st       7"));
}

TEST_CASE("listing: launches are put together") {
  const auto instance = [](const LaunchRecord& launch) { return launch.kernel + "<1>"; };
  int asked = 0;
  const auto lines_of = [&](const LaunchRecord& launch) {
    ++asked;
    InstructionTraffic i = load(4, [](unsigned lane) { return 4 * lane; });
    i.sectors = launch.traffic.global_load_sectors;
    i.example.sectors = static_cast<unsigned>(i.sectors);
    std::vector<LineTraffic> lines = {line("k.cu", 3, {i})};
    if (launch.traffic.global_load_sectors > 4) lines.push_back(line("k.cu", 5, {i, i}));
    return lines;
  };
  SUBCASE("of the same traffic one is shown") {
    const auto groups = group({launch_of("a", 1, 4), launch_of("b", 1, 4), launch_of("a", 1, 4)},
                              instance, lines_of);
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].instance == "a<1>");
    CHECK(groups[0].kernel == "a");
    CHECK(groups[0].launches == 2);
    CHECK(groups[0].of_one_launch);
    CHECK(groups[0].traffic.global_load_sectors == 4);
    CHECK(asked == 2);
    CHECK(has(render(groups, {}),
              "a<1>: grid 1, block 1; one of 2 launches with the same traffic\n"));
  }
  SUBCASE("even of records that hold several launches") {
    auto three = launch_of("a", 1, 12);
    three.launches = 3;
    const auto groups = group({three, launch_of("a", 1, 4)}, instance, lines_of);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].launches == 4);
    CHECK_FALSE(groups[0].of_one_launch);  // what is made up of lines here does not divide by 3
    CHECK(groups[0].traffic.global_load_sectors == 16);
    const auto divided =
        group({three}, instance, [&](const LaunchRecord&) { return std::vector<LineTraffic>{}; });
    CHECK(divided.at(0).of_one_launch);
    CHECK(divided[0].traffic.global_load_sectors == 4);
    three.alike = false;
    const auto sums =
        group({three}, instance, [&](const LaunchRecord&) { return std::vector<LineTraffic>{}; });
    CHECK_FALSE(sums.at(0).of_one_launch);
    CHECK(sums[0].traffic.global_load_sectors == 12);
  }
  SUBCASE("else all are added up") {
    const auto groups = group({launch_of("a", 1, 8), launch_of("a", 1, 4), launch_of("a", 1, 9)},
                              instance, lines_of);
    REQUIRE(groups.size() == 1);
    CHECK_FALSE(groups[0].of_one_launch);
    CHECK(groups[0].traffic.global_load_sectors == 21);
    REQUIRE(groups[0].lines.size() == 2);
    CHECK(groups[0].lines[0].instructions.at(0).sectors == 21);
    CHECK(groups[0].lines[0].instructions.at(0).example.sectors == 9);
    REQUIRE(groups[0].lines[1].instructions.size() == 2);
    CHECK(groups[0].lines[1].instructions[1].sectors == 17);
    CHECK(has(render(groups, {}), "; sum over 3 launches\n"));
  }
  SUBCASE("another grid, block or end is another kernel") {
    auto failed = launch_of("a", 1, 4);
    failed.error = "cudaErrorIllegalAddress";
    auto wide = launch_of("a", 1, 4);
    wide.block = dim3(1, 2);
    const auto groups =
        group({launch_of("a", 1, 4), launch_of("a", 2, 4), failed, wide}, instance, lines_of);
    CHECK(groups.size() == 4);
    CHECK(has(render(groups, {}), "block 1 x 2\n"));
  }
}

TEST_CASE("listing: without launches") {
  CHECK(render({}, {}) == "No kernel launch was recorded.\n");
  const std::string text = render({kernel("k", {})}, {});
  CHECK(has(text, "k: grid 1, block 128\n"));
}
