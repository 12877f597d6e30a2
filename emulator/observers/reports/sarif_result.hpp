#pragma once
/// \file
/// Findings in the words of SARIF 2.1.0, the format in which GitHub and editors take them.

#include <nlohmann/json.hpp>
#include <string>

#include "base/rooms.hpp"
#include "emulator/findings.h"

namespace emulator::reports {

/// The file's address, `file:///folder/a%20b.cu`.
std::string file_uri(const std::string& path);

/// All that is found by, with its rules: SARIF's `tool`.
nlohmann::ordered_json sarif_tool();

/// A finding: SARIF's `result`. Files below `root`, the address of a folder with a slash at its
/// end, are named relative to it.
nlohmann::ordered_json sarif_result(const Finding& finding, const std::string& root);

}  // namespace emulator::reports
