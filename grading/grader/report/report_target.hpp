/// @file
/// The files that --json and --junit name: ordinary ones, or `-` for standard output.
#pragma once

#include <string>

namespace course::tool::grading {

/// What marks are written to on standard output.
inline constexpr char to_stdout[] = "-";

/// @param option "--json", say
/// @param file a new file or an ordinary one, perhaps by a link; `-`; or nothing, if it was not given
/// @throws Failure with status 2 if it is anything else: what is written takes the file's place, and
/// nobody wants a file in the place of a device
void check_report_target(const std::string& option, const std::string& file);

}  // namespace course::tool::grading
