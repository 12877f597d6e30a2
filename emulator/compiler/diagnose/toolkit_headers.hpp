#pragma once

#include <string>
#include <string_view>

/// \file
/// Headers of the CUDA toolkit that the emulator does not have.

namespace emulator::compiler::diagnose {

/// What a header of the toolkit is about, by its name in `#include <...>`; empty for one that is
/// not known here.
std::string_view toolkit_header_title(std::string_view header);

/// `cufft.h: cuFFT is not modelled`
std::string unmodelled_message(std::string_view header, std::string_view title);

/// If preprocessed text includes such a header, from a toolkit that this machine has: what to say
/// of the first one, with the place of the `#include`. Otherwise empty. (NVIDIA's headers are made
/// for nvcc: for another compiler the functions of some have empty bodies, and a program would run
/// and compute nothing.)
std::string unmodelled_header_error(std::string_view preprocessed);

}  // namespace emulator::compiler::diagnose
