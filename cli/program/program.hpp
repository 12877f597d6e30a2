/// @file
/// What the programs behind ./course have in common: what they write to, and how they end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/progress.hpp"
#include "host/screen.hpp"

namespace course::tool {

/// Whether standard output is a terminal that can be drawn on.
bool stdout_is_screen();

/// Progress on standard error.
Progress progress_on_stderr();

/// What commands write to, as wide as it is.
Screen screen_for(Progress& progress);

/// What main() does: runs `body` with the arguments after the program's name. What it throws
/// becomes one line on standard error.
/// @return the exit status
int run_program(int argc, char** argv,
                const std::function<int(const std::vector<std::string>&)>& body);

}  // namespace course::tool
