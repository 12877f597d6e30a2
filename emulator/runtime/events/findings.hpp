#pragma once
/// \file
/// What is found to be wrong with a program, announced by the code that finds it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/details.hpp"
#include "base/rooms.hpp"
#include "emulator/findings.h"

namespace emulator::events {

/// Which of the findings one is, until they are cleared.
struct FindingId {
  std::uint64_t clearings = 0;  ///< since which clearing; 0 for none
  std::size_t index = 0;
};

/// Adds a finding. One that is there already (the same kind, kernel and lines) is counted: `times`
/// grows by that of the new one. Any thread may call.
FindingId add_finding(Finding finding);

/// The same for a finding that has been printed already, elsewhere.
void add_told_finding(Finding finding);

/// Counts a finding once more, without looking at it again. Nothing if they have been cleared
/// since.
void count_finding(FindingId id);

/// Says something else on how to mend a finding. Nothing if they have been cleared since.
void change_remedy(FindingId id, std::string remedy);

/// What was found so far: emulator::findings() without the wait for work in streams, for code that
/// may hold what that work wants.
std::vector<Finding> findings_so_far();

/// Prints on stderr the findings that are new since the last time. Called when a launch ends, when
/// an API call that found something ends, and when the program ends.
void print_new_findings();

/// Prints what there is to print and ends the program with status 3, without its atexit functions
/// and destructors: for a program that cannot go on.
[[noreturn]] void end_with_findings();

}  // namespace emulator::events
