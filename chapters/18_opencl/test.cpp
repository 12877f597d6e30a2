#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include "testing/gemm_program.hpp"

using course::testing::GemmShape;
using course::testing::ProgramRun;
using course::testing::row_of;
using course::testing::run_program;
using course::testing::ScratchFolder;

namespace {

const std::vector<std::string> twins = {"CUDA naive", "CUDA sub-matrix", "CUDA work per item",
                                        "CUDA 8 x 8"};
const std::string kernels = COURSE_OPENCL_KERNELS;

ProgramRun run_on_emulator(GemmShape shape) {
  ProgramRun run = course::testing::run_chapter(
      CHAPTER_PROGRAM, course::testing::gemm_arguments(shape, {"--cpu-size", "0"}));
  course::testing::needs_emulator(run);
  return run;
}

// Ends the test as skipped where the program skips itself.
void needs_opencl() {
  const ProgramRun run = run_program(CHAPTER_PROGRAM, {"--list"});
  if (run.status != 77) return;
  std::fputs(run.out.c_str(), stdout);
  std::exit(77);
}

// kernels.cl with one of its lines changed.
std::string changed_kernels(const std::string& line, const std::string& by) {
  std::string text = course::testing::read_file(kernels);
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  return text.replace(at, line.size(), by);
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// One line on stderr, which says so, and status 2.
void check_refused(const std::vector<std::string>& arguments, const std::string& says) {
  needs_opencl();
  const ProgramRun run = run_program(CHAPTER_PROGRAM, arguments);
  CAPTURE(run.err);
  CHECK(run.status == 2);
  CHECK(run.err.find('\n') == run.err.size() - 1);
  CHECK(has(run.err, says));
}

}  // namespace

TEST_CASE("verifies at awkward shapes, and says where OpenCL ran") {
  for (const GemmShape& shape :
       {GemmShape{1, 1, 1}, {3, 5, 7}, {33, 130, 17}, {257, 31, 127}, {64, 132, 100}}) {
    const ProgramRun run = course::testing::run_chapter(
        CHAPTER_PROGRAM, course::testing::gemm_arguments(shape, {"--cpu-size", "0"}));
    CAPTURE(run.err);
    CHECK(run.status == 0);
    CHECK(run.err == "");
    CHECK(has(run.out, "OpenCL ran on "));
    for (const std::string& name : twins) CHECK(row_of(run, name)["verified"] == true);
  }
}

TEST_CASE("OpenCL on a CPU stands in the CPU's table") {
  const ProgramRun run = course::testing::run_chapter(
      CHAPTER_PROGRAM, {"--size", "16", "--cpu-size", "40", "--platform", "Portable"});
  course::testing::needs_emulator(run);
  std::vector<std::string> names;
  for (const auto& row : run.report["cpu"]["results"]) {
    names.push_back(row["kernel"].text());
    CHECK(row["verified"] == true);
    CHECK(row["median_ms"] > 0);
  }
  REQUIRE(names.size() >= 8);
  CHECK(std::vector<std::string>(names.end() - 4, names.end()) ==
        std::vector<std::string>{"OpenCL naive", "OpenCL sub-matrix", "OpenCL work per item",
                                 "OpenCL 8 x 8"});
}

// A wrong kernel is found out: so a right one was looked at.
TEST_CASE("a kernel that computes something else is reported") {
  needs_opencl();
  const ScratchFolder scratch;
  write(scratch.file("wrong.cl"), changed_kernels("A_sub[y][p] * B_sub[p][x]", "A_sub[y][p]"));
  const ProgramRun run = run_program(
      CHAPTER_PROGRAM, {"--size", "40", "--cpu-size", "0", "--kernels", scratch.file("wrong.cl")});
  CHECK(run.status == 1);
  CHECK(has(run.err, "OpenCL sub-matrix: wrong result with exact data"));
  CHECK_FALSE(has(run.err, "OpenCL naive"));
}

TEST_CASE("a kernel that does not compile is shown with the build log") {
  needs_opencl();
  const ScratchFolder scratch;
  write(scratch.file("broken.cl"), changed_kernels("float sum = 0.0f;", "flaot sum = 0.0f;"));
  const ProgramRun run = run_program(
      CHAPTER_PROGRAM, {"--size", "8", "--cpu-size", "0", "--kernels", scratch.file("broken.cl")});
  CHECK(run.status == 1);
  // Before our line some compilers say how many errors there are.
  CHECK(has(run.err,
            "broken.cl does not compile with -cl-std=CL1.2 -D SUB_SIZE=32 -D WPT=8 "
            "-D WIDTH=4; the build log:\n"));
  CHECK(has(run.err, "flaot"));
}

TEST_CASE("without any platform it is skipped, and says what to do") {
  const ScratchFolder empty;
  ::setenv("OCL_ICD_VENDORS", empty.file("none").c_str(), 1);
  const ProgramRun list = run_program(CHAPTER_PROGRAM, {"--list"});
  const ProgramRun run = run_program(CHAPTER_PROGRAM, {"--cpu-size", "0"});
  ::unsetenv("OCL_ICD_VENDORS");
  if (list.status == 0 && list.out.starts_with("0  ")) {
    std::puts("SKIPPED: this libOpenCL, as that of the CUDA toolkit, finds platforms all the same");
    std::exit(77);
  }
  CHECK(run.status == 77);
  CHECK(run.out.starts_with("SKIPPED: OpenCL "));
  CHECK(run.out.find('\n') == run.out.size() - 1);
}

TEST_CASE("lists the devices, and takes one by its number or by a part of its name") {
  needs_opencl();
  const ProgramRun list = run_program(CHAPTER_PROGRAM, {"--list"});
  CHECK(list.status == 0);
  CHECK(list.out.starts_with("0  "));
  CHECK(has(list.out, " compute units, OpenCL "));
  const std::string name = list.out.substr(3, list.out.find(':') - 3);
  for (const std::string& platform : {std::string("0"), name}) {
    const ProgramRun run =
        run_program(CHAPTER_PROGRAM, {"--size", "8", "--cpu-size", "0", "--platform", platform});
    CHECK(run.status == 0);
    CHECK(has(run.out, "OpenCL ran on " + name));
  }
  check_refused({"--platform", "no such thing"}, "--platform wants a number or a name");
}

TEST_CASE("refuses what it cannot do, in one line and with status 2") {
  check_refused({"--sub-size", "0"}, "--sub-size wants");
  check_refused({"--wpt", "129"}, "--wpt wants");
  check_refused({"--sub-size", "16", "--wpt", "5"}, "5 does not divide 16");
  check_refused({"--sub-size", "128", "--wpt", "8"}, "a work-group of 128 x 128 work-items");
  check_refused({"--kernels", ""}, "--kernels wants");
  check_refused({"--size", "-1"}, "--size wants");
}

TEST_CASE("what is no PTX is not written as such") {
  const ScratchFolder scratch;
  const ProgramRun run =
      run_program(CHAPTER_PROGRAM, {"--size", "8", "--cpu-size", "0", "--platform", "Portable",
                                    "--ptx", scratch.file("kernels.ptx")});
  if (run.status == 2 || run.status == 77) return;  // no PoCL here
  CHECK(run.status == 1);
  CHECK(has(run.err, "--ptx wants NVIDIA's platform"));
}

TEST_CASE("a twin that was not compiled is left out, and the report says so") {
  const ProgramRun run = course::testing::run_chapter(
      CHAPTER_PROGRAM, {"--size", "24", "--cpu-size", "0", "--sub-size", "12", "--wpt", "3"});
  course::testing::needs_emulator(run);
  CHECK(run.report["results"].size() == 2);
  CHECK(has(run.out, "CUDA sub-matrix: not compiled for a SUB_SIZE of 12"));
}

// A sub-matrix of 32 x 32 is fetched once for 32 steps of k, whoever fetches it. 8 x 8: 512 bytes
// per request; A and B are each fetched once for 128 columns, or rows, of C.
TEST_CASE("traffic: work for each item changes what is asked of shared memory only") {
  const GemmShape shape{128, 256, 64};
  const long steps = static_cast<long>(shape.m) * shape.n * shape.k / 32;
  const ProgramRun run = run_on_emulator(shape);
  const auto sub = row_of(run, "CUDA sub-matrix");
  const auto wpt = row_of(run, "CUDA work per item");
  CHECK(sub["global_load_requests"] == 2 * steps / 32);
  CHECK(sub["global_load_sectors"] == 8 * steps / 32);
  CHECK(wpt["global_load_requests"] == 2 * steps / 32);
  CHECK(wpt["global_load_sectors"] == 8 * steps / 32);
  const auto block = row_of(run, "CUDA 8 x 8");
  CHECK(block["global_load_sectors"] == 8 * steps / 128);
  CHECK(block["global_load_requests"] == 8 * steps / 128 / 16);
  for (const std::string& name : twins) CHECK(row_of(run, name)["shared_bank_conflicts"] == 0);
}

// What the emulator does for CUDA Oclgrind does for OpenCL: it interprets the kernel.
TEST_CASE("Oclgrind finds the barrier that is missing") {
  needs_opencl();
  if (std::system("command -v oclgrind >/dev/null 2>&1") != 0) {
    std::puts("SKIPPED: Oclgrind is not installed");
    std::exit(77);
  }
  const ScratchFolder scratch;
  const std::string second = "sum += A_sub[y][p] * B_sub[p][x];\n    barrier(CLK_LOCAL_MEM_FENCE);";
  write(scratch.file("race.cl"), changed_kernels(second, second.substr(0, second.find('\n'))));
  const auto findings = [&](const std::string& file) {
    const ProgramRun run = run_program(
        "/usr/bin/env", {"oclgrind", "--data-races", "--max-errors", "1", CHAPTER_PROGRAM,
                         "--platform", "Oclgrind", "--m", "8", "--n", "8", "--k", "16",
                         "--cpu-size", "0", "--sub-size", "8", "--kernels", file});
    return run.out + run.err;
  };
  CHECK(has(findings(scratch.file("race.cl")), "data race at local memory"));
  CHECK_FALSE(has(findings(kernels), "data race"));
}
