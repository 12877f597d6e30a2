#pragma once

#include <string>
#include <string_view>

/// \file
/// g++'s messages about what the emulator has it check: one line at the user's line, in place of
/// the templates that led there.

namespace emulator::compiler::diagnose {

/// What the compiler says if a launch has too few arguments, too many, or others.
inline constexpr std::string_view launch_does_not_fit =
    "the arguments of this launch do not fit the kernel's parameters";
inline constexpr std::string_view parameters_too_large =
    "a kernel's parameters are 32764 bytes at most: pass large objects by a pointer to device "
    "memory";
inline constexpr std::string_view shared_too_large =
    "a block's static __shared__ variables are 48 KB at most; more has to be dynamic: extern "
    "__shared__";
inline constexpr std::string_view constants_too_large =
    "a program's __constant__ variables are 64 KB at most: what is larger is global memory, "
    "__device__";

/// The output of g++, in which an error with one of these sentences has become the line
/// `file.cu:12: error: SENTENCE`. After "no matching function for call to ..." a list of more than
/// a few candidates is left out. Everything else stays as it is.
std::string simplify_messages(std::string_view output);

}  // namespace emulator::compiler::diagnose
