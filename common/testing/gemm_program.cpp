#include "testing/gemm_program.hpp"

#include <array>

namespace course::testing {

std::vector<std::string> gemm_arguments(GemmShape shape, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"--m", std::to_string(shape.m),
                                        "--n", std::to_string(shape.n),
                                        "--k", std::to_string(shape.k)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<GemmShape> mixed_gemm_shapes() {
  constexpr std::array extents = {1, 2, 15, 16, 17, 31, 33, 63, 65, 127, 257};
  std::vector<GemmShape> shapes;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    for (std::size_t j = 0; j < extents.size(); ++j) {
      shapes.push_back({extents[i], extents[j], extents[(i + j) % extents.size()]});
    }
  }
  return shapes;
}

ProgramRun check_gemm_shape(const std::string& program, GemmShape shape,
                            const std::vector<std::string>& kernels,
                            const std::vector<std::string>& more) {
  CAPTURE(shape.m);
  CAPTURE(shape.n);
  CAPTURE(shape.k);
  ProgramRun run = run_chapter(program, gemm_arguments(shape, more));
  CHECK(run.status == 0);
  CHECK(run.err == "");
  CHECK(run.report["rows"] == shape.m);
  CHECK(run.report["cols"] == shape.n);
  CHECK(run.report["inner"] == shape.k);
  REQUIRE(run.report["results"].size() == kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    CHECK(run.report["results"][i]["kernel"] == kernels[i]);
    CHECK(run.report["results"][i]["verified"] == true);
  }
  return run;
}

void check_gemm_shapes(const std::string& program, const std::vector<std::string>& kernels,
                       const std::vector<std::string>& more) {
  for (const GemmShape shape : {GemmShape{1, 1, 1},
                                {1, 257, 31},
                                {257, 1, 33},
                                {33, 31, 1},
                                {32, 32, 32},
                                {100, 50, 200},
                                {63, 129, 65}}) {
    check_gemm_shape(program, shape, kernels, more);
  }
  std::vector<std::string> random = {"--data", "random"};
  random.insert(random.end(), more.begin(), more.end());
  check_gemm_shape(program, {70, 90, 80}, kernels, random);
}

void check_gemm_refusals(const std::string& program) {
  const auto check_refused = [&](const std::vector<std::string>& arguments,
                                 const std::string& says) {
    course::testing::check_refused(program, arguments, says);
  };
  for (const std::string extent : {"--m", "--n", "--k"}) {
    for (const std::string value : {"0", "-1", "abc", "99999999999999999999", "1e3", ""}) {
      check_refused({extent, value}, extent);
    }
  }
  check_refused({"--rows", "5"}, "unknown option '--rows'");
  check_refused({"--size", "5", "--k", "5"}, "cannot go with them");
  check_refused({"--size", "1000000"}, "GiB");
  // Each of the three matrices counts, and what the host has of C besides it.
  check_refused({"--m", "1", "--n", "2000000", "--k", "2000000"}, "GiB");
  check_refused({"--m", "2000000", "--n", "1", "--k", "2000000"}, "GiB");
  check_refused({"--m", "2000000", "--n", "2000000", "--k", "1"}, "GiB");
}

}  // namespace course::testing
