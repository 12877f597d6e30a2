#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What clang, which knows CUDA's rules, says of a program that g++ has accepted. g++ cannot know
/// whose a function is: it takes a kernel that calls a function of the host. nvcc does not.
///
/// clang may only add what is on a list of CUDA's rules. If it stumbles over anything else, it has
/// not understood the program as nvcc would, and nothing that it says counts.

namespace emulator::compiler::diagnose {

/// The lines for the user: `file.cu:12:5: error: ...`, one for each line of the program.
/// \param output    clang's messages, without colours and without the lines of the source
/// \param is_user_file  whether a file is the user's own, as opposed to the system's and ours
/// \param is_separate  whether kernels may launch kernels, as with nvcc's -rdc=true
std::vector<std::string> clang_findings(std::string_view output,
                                        const std::function<bool(std::string_view)>& is_user_file,
                                        bool is_separate = false);

}  // namespace emulator::compiler::diagnose
