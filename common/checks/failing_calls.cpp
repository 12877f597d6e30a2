// Whether a function under test notices that a call of CUDA's has failed.

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "checks/calls.hpp"
#include "checks/exercise.hpp"
#include "checks/shown_errors.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/findings.h"
#include "emulator/planned_failures.h"
#endif

namespace course::exercise {

namespace {

/// Forgets what the emulator's checks have found since it was made, unless there was something
/// before: it follows from what was to fail.
class ExpectedErrors {
 public:
  ExpectedErrors() : has_found_others_(!detail::errors_found().empty()) {}
  ExpectedErrors(const ExpectedErrors&) = delete;
  ExpectedErrors& operator=(const ExpectedErrors&) = delete;
  void forget() const {
    static_cast<void>(cudaGetLastError());  // it has been told
#ifdef CUDA_EMULATOR
    if (!has_found_others_) emulator::clear_findings();
#endif
  }

 private:
  [[maybe_unused]] bool has_found_others_;
};

}  // namespace

bool ends_in_an_exception(const std::function<void()>& call) {
  const ExpectedErrors errors;
  try {
    call();
  } catch (const boundary::Interrupted&) {
    throw;
  } catch (...) {
    errors.forget();
    return true;
  }
  return false;
}

#ifdef CUDA_EMULATOR

std::string unnoticed_failure(const std::function<void()>& call) {
  for (const auto what : {emulator::Failing::copy, emulator::Failing::launch}) {
    for (std::uint32_t before = 0;; ++before) {
      const ExpectedErrors errors;
      emulator::plan_failure({what, before});
      const bool tells = ends_in_an_exception(call);
      const bool has_failed = emulator::planned_failure().what == emulator::Failing::nothing;
      emulator::plan_failure({});
      if (!has_failed) break;  // there are no more such calls
      if (tells) continue;
      errors.forget();
      if (what == emulator::Failing::launch) return "a launch";
      return "copy number " + std::to_string(before + 1);
    }
  }
  return "";
}

#else

std::string unnoticed_failure(const std::function<void()>&) {
  return "";
}

#endif

}  // namespace course::exercise
