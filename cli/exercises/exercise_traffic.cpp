#include "exercises/exercise_traffic.hpp"

#include <unistd.h>

#include <cstdlib>

#include "exercises/check.hpp"
#include "host/build_lock.hpp"
#include "host/errors.hpp"
#include "host/exercises/check_program.hpp"
#include "host/process.hpp"

namespace course::tool {
namespace {

using Words = std::vector<std::string>;

/// Builds the student's program, and says how it is called. In one process: each case in its own
/// would leave its traffic there.
Words program_for(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                  const Words& options, const Screen& screen) {
  build_checks(checkout, exercise, screen);
  if (const auto problem = source_problem(checkout, exercise)) throw Failure(*problem);
  const std::filesystem::path folder = student_folder(checkout, exercise);
  const BuildLock lock = BuildLock::of_folder(student_folder(checkout, exercise), screen.progress);
  screen.progress.begin("compiling " + path_in_checkout(checkout, exercise.source()));
  const CompileResult made = make_check_program(
      checkout, list, exercise, exercise.source(), folder,
      [&](std::chrono::milliseconds elapsed) { screen.progress.update(duration_text(elapsed)); });
  screen.progress.done();
  for (const std::string& line : made.messages) screen.err << line << '\n';
  if (!made.ok()) throw Failure(exercise.id + " cannot be run");
  Words command{(folder / "check").string(), "--in-process"};
  std::string filter;
  for (const std::string& name : exercise.cases) {
    if (name.starts_with("efficient: ")) filter += (filter.empty() ? "" : ",") + name;
  }
  if (!filter.empty()) command.push_back("--test-case=" + filter);
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

}  // namespace

void exercise_traffic(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                      const Words& options, const Screen& screen) {
  const Words command = program_for(checkout, list, exercise, options, screen);
  setenv("EMULATOR_TRAFFIC", "1", 1);
  // The paths that the compiler was given are relative to the checkout.
  if (chdir(checkout.source_dir.c_str()) != 0) {
    throw Failure("cannot enter " + checkout.source_dir.string());
  }
  replace_process(command);
}

int exercise_picture(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                     const Picture& picture, const Words& check_options, const Screen& screen) {
  require_python();
  Drawable drawable;
  drawable.name = exercise.name;
  drawable.command = program_for(checkout, list, exercise, check_options, screen);
  drawable.folder = checkout.source_dir;
  drawable.may_fail = true;
  return draw_report(checkout, drawable, picture, screen.out, screen.err, screen.progress);
}

}  // namespace course::tool
