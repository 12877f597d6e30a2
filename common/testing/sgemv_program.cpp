#include "testing/sgemv_program.hpp"

#include <map>

#include "testing/awkward_shapes.hpp"

namespace course::testing {

ProgramRun check_shape(const std::string& program, int rows, int cols,
                       const std::vector<std::string>& kernels,
                       const std::vector<std::string>& more) {
  CAPTURE(rows);
  CAPTURE(cols);
  std::vector<std::string> arguments = {"--rows", std::to_string(rows), "--cols",
                                        std::to_string(cols)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  ProgramRun run = run_chapter(program, arguments);
  CHECK(run.status == 0);
  CHECK(run.err == "");
  REQUIRE(run.report["results"].size() == kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    CHECK(run.report["results"][k]["kernel"] == kernels[k]);
    CHECK(run.report["results"][k]["verified"] == true);
  }
  return run;
}

void check_awkward_shapes(const std::string& program, const std::vector<std::string>& kernels) {
  for (const auto& [rows, cols] : awkward_shapes) check_shape(program, rows, cols, kernels);
  check_shape(program, 300, 500, kernels, {"--data", "random"});
}

void check_refusals(const std::string& program) {
  const auto check_refused = [&](const std::vector<std::string>& arguments,
                                 const std::string& says) {
    course::testing::check_refused(program, arguments, says);
  };
  for (const std::string rows : {"0", "-1", "abc", "99999999999999999999", "1e3", ""}) {
    check_refused({"--rows", rows}, "--rows");
  }
  check_refused({"--fast"}, "--fast");
  check_refused({"--size", "2000000000"}, "GiB");
}

JsonValue traffic(const std::string& program, int rows, int cols, const std::string& kernel,
                  const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"--rows", std::to_string(rows), "--cols",
                                        std::to_string(cols)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  static std::map<std::vector<std::string>, ProgramRun> runs;
  const auto [run, is_new] = runs.try_emplace(arguments);
  if (is_new) run->second = run_chapter(program, arguments);
  needs_emulator(run->second);
  return row_of(run->second, kernel);
}

}  // namespace course::testing
