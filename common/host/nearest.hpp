/// @file
/// What a mistyped name may have meant.
#pragma once

#include <string>
#include <vector>

namespace course::tool {

/// Those of the names that hold a word, or differ from it by a letter or two (one, if it is short),
/// the nearest first; at most four. Case does not matter.
std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names);

/// "did you mean 01a, 01b or 01c?"; nothing if there is nothing to choose from.
std::string did_you_mean(const std::vector<std::string>& names);

}  // namespace course::tool
