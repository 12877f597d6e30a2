/// @file
/// What ./course test is given goes to ctest: what can be said of it before anything is built.
#pragma once

#include <string>
#include <vector>

namespace course::tool {

/// Whether ctest's options say themselves which tests are meant.
bool selects_tests(const std::vector<std::string>& options);

/// The first of the options that ctest does not know; "" if it knows all. Not every ctest refuses
/// such a one itself.
/// @param help what `ctest --help` prints
std::string unknown_option(const std::vector<std::string>& options, const std::string& help);

}  // namespace course::tool
