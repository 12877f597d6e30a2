/// @file
/// What of a case's stderr its message shows.
#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace course::exercise::detail {

/// Of what a case writes to stderr, in bytes.
inline constexpr std::size_t most_output = 4000;

/// The kinds of warnings that are left out.
std::set<std::string>& expected_warnings();

/// What a case wrote to stderr, without what follows from something else: once a kernel has failed,
/// so does every cudaFree(). A finding of the emulator's that an earlier call has returned in full
/// becomes one line that names it and its place again: call it only for a message that is shown.
std::string worth_showing(const std::string& errors);

/// How many errors the emulator's checks have found since the start of the case, and of what kinds:
/// "3 errors (race, uninitialised)". Empty if there are none, and on a GPU.
/// @param but a kind that does not count
std::string errors_found(const std::string& but = "");

}  // namespace course::exercise::detail
