/// @file
/// Which tests ctest left out, and why.
#pragma once

#include <string>

namespace course::tool {

/// One line for the tests that were skipped, "3 tests were left out; 2: X is not here; 1: no Y".
/// A test says why by a line that begins with "SKIPPED: ", or by a message of doctest's.
/// @param log what ctest keeps in Testing/Temporary/LastTest.log
/// @return "" if none was skipped
std::string skipped_tests(const std::string& log);

}  // namespace course::tool
