#pragma once
#pragma GCC system_header
/// \file
/// What the emulator found wrong with a program: the checks that `EMULATOR_CHECK=1` in the
/// environment turns on.
///
/// Findings are printed on stderr when the launch or the call that caused them ends, are in the
/// JSON report under `findings`, and are written to the file of `EMULATOR_SARIF`. If there is an
/// error among them when the program ends, its exit status is 3.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "emulator/device/vector_types.h"

namespace emulator {

/// How bad a finding is. Only errors set the exit status.
enum class Severity : std::uint8_t {
  error,    ///< wrong by the rules of CUDA, whether or not it shows
  warning,  ///< works by luck, or is likely not what was meant
  note,     ///< allowed, but worth a look
};

/// "error", "warning", "note".
const char* name_of(Severity severity);

/// A place in the source and what happened there.
struct FindingPlace {
  std::string file;   ///< as the compiler knows it, with its folder; empty if nothing is known
  int line = 0;       ///< counted from 1; 0 if nothing is known
  std::string event;  ///< `written by thread (5,0,0) of block (0,0,0)`, `allocated here`
};

/// One thing that is wrong. The same thing at the same places of the code is found once and
/// counted.
struct Finding {
  Severity severity = Severity::error;
  /// `out-of-bounds`, `use-after-free`, `host-pointer`, `device-pointer`, `misaligned`,
  /// `shift`, `division`, `uninitialised`, `race`, `divergent-barrier`, `bad-mask`,
  /// `misused-barrier`, `missing-fence`, `failed-kernel`, `invalid-launch`, `unchecked-error`,
  /// `leak`, `double-free`, `invalid-free`, `invalid-copy`, `unordered`, `freed-in-use`,
  /// `unrecorded-event`, `pageable-copy`, `no-peer-access`, `narrow-scope`,
  /// `collective`
  std::string kind;
  std::string what;    ///< what happened, in a sentence without a full stop
  std::string remedy;  ///< how to mend it, in a sentence without a full stop
  std::string kernel;  ///< the kernel's name with template arguments; empty outside kernels
  FindingPlace place;  ///< the guilty line
  /// What else takes part: the other side of a race, where memory was allocated and freed.
  std::vector<FindingPlace> others;
  bool in_kernel = false;     ///< whether block and thread mean something
  dim3 block;                 ///< blockIdx of the thread that did it
  dim3 thread;                ///< its threadIdx
  std::string memory;         ///< the allocation or variable: `4000 bytes allocated by cudaMalloc`
  std::uint64_t bytes = 0;    ///< its size; 0 if there is none
  std::int64_t offset = 0;    ///< first byte of the access, counted from its start
  unsigned access_bytes = 0;  ///< width of the access; 0 if there is none
  std::uint64_t times = 1;    ///< how often it was found
};

/// Turns the checks on or off for what comes. While they are on launches are recorded.
void set_checking(bool on);

/// Whether the checks are on.
bool checking();

/// What was found since the start or the last clear_findings(), in the order of the first times.
std::vector<Finding> findings();

/// Findings as a program has printed them, with other lines among them: of one that is already in
/// `shown`, to which the others are added, no more than that it is there again, and where.
std::string without_repeats(const std::string& printed, std::set<std::string>& shown);

/// Forgets what was found: the exit status is not touched any more by it.
void clear_findings();

}  // namespace emulator
