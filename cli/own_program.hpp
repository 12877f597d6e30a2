/// @file
/// Programs that are not part of the course: `course emucc`, and FILE.cu in place of a chapter.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course::tool {

/// Whether a word names a source file in place of a chapter: mine.cu.
bool names_source(const std::string& word);

/// How emucc is called for words as they were typed: compile and run, instrumented unless --fast is
/// among them. Where they ask emucc for something else (-c, -o, --version, ...) or name no source,
/// it is called with these words alone.
/// @param emucc the program
std::vector<std::string> emucc_command(const std::filesystem::path& emucc,
                                       const std::vector<std::string>& words);

/// Whether such a command runs a program that can be looked into.
bool looks_into(const std::vector<std::string>& command);

}  // namespace course::tool
