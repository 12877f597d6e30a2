/// @file
/// Proves that an exercise's checks tell right from wrong: see proof.hpp.
///
///     prove_exercise [--sanitizer] [--one-a-case] [--keep FOLDER] ID…
///
/// Exit status 0: proved; 1: not; 2: the command line. --one-a-case tries, of the wrong solutions,
/// only the first that names each case, and with this case only. --sanitizer runs the model
/// solutions under compute-sanitizer instead. --keep leaves what is made in a folder, to be looked
/// at: the wrong solution no_guard.patch is 01a_residual/wrong/no_guard/residual.cu there.

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "config.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"
#include "host/standard_streams.hpp"
#include "proof.hpp"

namespace course::tool {
namespace {

int run(const std::vector<std::string>& words) {
  bool with_sanitizer = false;
  bool every_wrong_one = true;
  std::string kept;
  std::vector<std::string> ids;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k] == "--sanitizer") {
      with_sanitizer = true;
    } else if (words[k] == "--one-a-case") {
      every_wrong_one = false;
    } else if (words[k] == "--keep" && k + 1 < words.size()) {
      kept = words[++k];
    } else if (words[k].starts_with('-')) {
      throw Failure("want: prove_exercise [--sanitizer] [--one-a-case] [--keep FOLDER] ID...",
                    status_refused);
    } else {
      ids.push_back(words[k]);
    }
  }
  if (ids.empty()) throw Failure("want the ids of exercises, 01a, or of chapters", status_refused);
  const Checkout checkout{config::source_dir, config::build_dir, config::cmake, config::ctest};
  const ExerciseList list = read_exercises(exercise_list_file(checkout));
  if (with_sanitizer && list.backend != "cuda") {
    throw Failure("--sanitizer wants the cuda backend", status_refused);
  }
  int status = status_ok;
  for (const std::string& id : ids) {
    for (const Exercise* const exercise : find_exercises(list, id)) {
      const ScratchFolder scratch("course-proof");
      std::filesystem::path folder = scratch.path();
      if (!kept.empty()) {
        folder = std::filesystem::absolute(kept) / exercise->name;
        std::filesystem::create_directories(folder);
      }
      const Proof proof = with_sanitizer
                              ? sanitize(checkout, list, *exercise, folder)
                              : prove(checkout, list, *exercise, folder, every_wrong_one);
      std::cout << proof_text(*exercise, proof) << std::flush;
      if (!proof.faults.empty()) status = status_failed;
    }
  }
  return status;
}

}  // namespace
}  // namespace course::tool

int main(int argc, char** argv) {
  using namespace course::tool;
  open_closed_streams();
  try {
    return if_all_was_written(run({argv + 1, argv + argc}), "prove_exercise");
  } catch (const Interrupted& interrupted) {
    std::cerr << "prove_exercise: interrupted\n";
    return 128 + interrupted.signal();
  } catch (const Failure& failure) {
    std::cout << std::flush;
    std::cerr << "prove_exercise: " << failure.what() << '\n';
    return failure.status();
  }
}
