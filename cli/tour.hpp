/// @file
/// `course tour`: builds and runs the ladder, rung by rung, and ends with it as a table.
#pragma once

#include <string>
#include <vector>

#include "chapters.hpp"
#include "host/checkout.hpp"
#include "host/screen.hpp"

namespace course::tool {

/// Walks through the chapters. One that fails does not end the tour; options that the first rung
/// refuses do, since they are the same for all.
/// @param options handed to every chapter, before --json
/// @return the program's exit status: 0 if every chapter passed or was skipped, else 1
/// @throws Failure with status 2 if the options cannot be obeyed; Interrupted on Ctrl-C
int run_tour(const Checkout& checkout, const std::vector<Chapter>& chapters,
             const std::vector<std::string>& options, const Screen& screen);

}  // namespace course::tool
