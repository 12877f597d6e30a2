#pragma once

#include <string>
#include <string_view>

/// \file
/// Names of types that a source has for the device alone, under `#if defined(__CUDA_ARCH__)`.

namespace emulator::compiler::preprocess {

/// The host's text with each `typedef … name;` and `using name = …;` that only the device's text
/// has, where it would be. One whose name the host's text of that file also gives to a type
/// stays the host's.
/// \param host, device as for merge_device_bodies() (device_pass.hpp)
std::string merge_device_aliases(std::string_view host, std::string_view device);

}  // namespace emulator::compiler::preprocess
