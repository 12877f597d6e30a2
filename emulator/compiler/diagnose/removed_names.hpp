#pragma once

#include <string>
#include <string_view>
#include <vector>

/// \file
/// Names that versions of CUDA have removed: the message says what took their places, and which
/// option takes them.

namespace emulator::compiler::diagnose {

/// The newest version of CUDA that is modelled; the default.
inline constexpr int newest_cuda = 13;

/// For a program of CUDA `version`, a line for each such name of the user's that a later version
/// has removed, at its first place: `file.cu:12:5: note: ...`.
std::vector<std::string> removed_name_notes(std::string_view preprocessed, int version);

/// If the error, of a program for CUDA `version`, is about such a name: what to do. Else empty.
/// \param message what g++ says of it
std::string removed_name_advice(std::string_view message, int version);

}  // namespace emulator::compiler::diagnose
