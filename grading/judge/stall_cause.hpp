/// @file
/// Why a case did not end in time: a submission that waits forever is to blame, one that would run
/// and may not is not. Its own time is that of the processor, and has a limit of its own.
#pragma once

#include <sys/types.h>

#include <string>

namespace course::grading {

/// What keeps a process and those below it: the machine, if one of them wants to run and has not
/// come to it, or has been stopped. Nothing, if all of them wait.
std::string stall_cause(pid_t process);

}  // namespace course::grading
