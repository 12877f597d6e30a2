/// @file
/// A case of an exercise's checks in a process of its own, and what becomes of it.
#pragma once

#include <functional>
#include <string>

namespace course::exercise::detail {

/// What became of a case.
struct Outcome {
  std::string result;  ///< passed, failed or skipped; or not judged, by no fault of the code's
  std::string message;
  /// The errors that the emulator's checks have found on the way, whatever the result: how many, of
  /// what kinds. Empty if there are none.
  std::string errors_found;
  std::string output;  ///< its stderr, where these errors are described
};

/// From now on a signal that ends the program also ends the case that runs.
void end_cases_with_the_program();

/// Runs a case in a process of its own.
/// @param run what the case is, called there
/// @param limit_s seconds after which it is stopped
Outcome run_in_a_process(const std::string& name, const std::function<Outcome()>& run, int limit_s);

}  // namespace course::exercise::detail
