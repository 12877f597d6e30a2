/// @file
/// The help texts: cli/help/TOPIC.txt, one for each command, `overview`, and `environment`. The
/// script ./course shows the same files where this program cannot be built.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace course::tool {

struct HelpText {
  std::string_view topic;
  std::string_view text;
};

/// All of them, by topic.
std::span<const HelpText> help_texts();

/// The text of a topic; that of all commands if it is empty.
/// @throws Failure with status 2 if there is no such topic
std::string_view help_text(const std::string& topic);

}  // namespace course::tool
