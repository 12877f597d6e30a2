/// @file
/// Whose fault it is that a student's file did not become a program: the student's, if it is
/// proven; ours, if not. A full disk or a compiler that somebody has killed must cost nobody a
/// point.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/process.hpp"

namespace course::tool::grading {

/// Which of our limits a tool ran into by what it was given, in words: it needs that much of the
/// processor, of a file or of memory on any machine. Nothing, if that is not proven.
std::optional<std::string> proven_limit(const ExitStatus& status,
                                        const std::vector<std::string>& output);

/// The line by which a compiler says that it has broken down, if by a mistake of its own: no one
/// has killed it, and it did not run out of anything. Nothing, if it was otherwise.
std::optional<std::string> breakdown(const ExitStatus& status,
                                     const std::vector<std::string>& output);

/// Whether the file is to blame for a compiler's failure: the compiler says so at a line of a
/// source, and nothing else was wrong.
bool is_compiler_complaint(const ExitStatus& status, const std::vector<std::string>& output);

/// The same of a linker.
bool is_linker_complaint(const ExitStatus& status, const std::vector<std::string>& output);

/// How a tool failed, in one line: the first that speaks of trouble, or how it ended.
std::string trouble_in(const ExitStatus& status, const std::vector<std::string>& output);

/// How much memory a compiler must have taken for the file to be to blame: more than any solution
/// needs, and little enough that it is reached before the limit is.
inline constexpr long long blamed_mebibytes = 1536;

}  // namespace course::tool::grading
