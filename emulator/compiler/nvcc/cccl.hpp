#pragma once
/// \file
/// Where NVIDIA's core libraries are (CCCL: Thrust, CUB and libcu++), which emucc does not bring
/// along.

#include <string>

namespace emulator::compiler::nvcc {

/// The folder of their headers: the one that was asked for, by --cccl or by EMUCC_CCCL, else that
/// of a toolkit or of a Python package. Empty if there is none, or `none` was asked for. \throws
/// UsageError if they are not in the folder that was asked for
std::string find_cccl(const std::string& asked);

/// How to get them, in one line.
std::string cccl_installation_hint();

}  // namespace emulator::compiler::nvcc
