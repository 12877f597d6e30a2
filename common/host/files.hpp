/// @file
/// Reading and writing whole files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "processes/temporary_folder.hpp"

namespace course::tool {

/// What a file holds; nothing if it is not there, is not an ordinary file or cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& file);

/// Writes a file so that a reader meanwhile sees the old text or the new one, and never a
/// part. Makes the folder if need be. A link stays a link: what it points to is written. Nothing
/// but an ordinary file is replaced: no device, no pipe.
/// @return whether it went well
bool write_file(const std::filesystem::path& file, const std::string& text);

/// What CMake wrote into the build folder and we cannot use: says what to do.
/// @throws Failure with status 2, always
[[noreturn]] void refuse_damaged(const std::filesystem::path& file, const std::string& why);

/// Whether a program can be started: a script, or a whole ELF file. Of one that was cut off (the
/// disk was full, or a machine stopped) make and ninja see only that it is there; and what is empty
/// a shell would run, as a script that does nothing.
bool is_whole_program(const std::filesystem::path& file);

/// A number that tells texts apart, the same in every run (64-bit FNV-1a).
std::uint64_t hash_of(const std::string& text);

/// A folder for scratch files, which is gone at the end of its life.
class ScratchFolder : public processes::TemporaryFolder {
 public:
  /// @throws Failure with status 2 if none can be made
  explicit ScratchFolder(const std::string& purpose);
};

}  // namespace course::tool
