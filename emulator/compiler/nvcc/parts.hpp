#pragma once
/// \file
/// Where the parts of the emulator are: headers, translator, libraries.

#include <map>
#include <string>
#include <vector>

namespace emulator::compiler::nvcc {

/// The parts, as the file `emucc.parts` lists them. It is beside emucc in a build folder, and in
/// ../lib/emucc once that is installed. Each line is a word, a blank and a path; a relative path
/// starts at the file's folder.
struct Parts {
  std::vector<std::string> compilers;  ///< the g++ to use, or several to try; looked up in PATH
                                       ///< if it has no slash
  std::string translator;              ///< emulator-compile
  std::vector<std::string> include;    ///< the folders of the headers
  std::string version;
  std::string commit;                ///< that the emulator was built from; empty if nobody knows
  std::string built_with;            ///< the compiler that it was built with: "g++ 12.2.0"
  std::vector<std::string> without;  ///< what it lacks, and why, a phrase each
  /// A folder that is laid out as a CUDA toolkit is: bin/nvcc, include, lib64 with
  /// libcudart_static.a and the other libraries by NVIDIA's names. Build systems look into it.
  std::string toolkit;
  std::string gdb;  ///< the extension that adds gdb's commands for kernels
  /// Files to link, in order, by part: "runtime", "cublas", ...
  std::map<std::string, std::vector<std::string>> libraries;
};

/// Finds and reads the list.
/// \throws std::runtime_error
Parts find_parts();

/// \throws std::runtime_error if the file is not there; flags of the linker pass
void check_part(const std::string& path);

}  // namespace emulator::compiler::nvcc
