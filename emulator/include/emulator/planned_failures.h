#pragma once
#pragma GCC system_header
/// \file
/// Calls that fail although nothing is wrong with them, to try whether a program looks at what its
/// calls return.

#include <cstdint>

namespace emulator {

/// What a failure can be planned for.
enum class Failing : std::uint8_t {
  nothing,
  copy,   ///< cudaMemcpy() and the like: with cudaErrorUnknown
  launch  ///< of a kernel: with cudaErrorLaunchOutOfResources, which cudaGetLastError() returns
};

struct PlannedFailure {
  Failing what = Failing::nothing;
  std::uint32_t calls = 0;  ///< how many of these calls go well before
};

/// The first such call of the host's after that many others fails, and does nothing. The calls
/// after it go well.
void plan_failure(PlannedFailure failure);

/// The failure that is still to come.
PlannedFailure planned_failure();

}  // namespace emulator
