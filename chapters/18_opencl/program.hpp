// From a file of OpenCL C to a program for one device: the compiler is part of OpenCL's
// implementation, and is called while our program runs.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "platforms.hpp"

namespace opencl {

inline std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw std::runtime_error("cannot read the kernels in " + path +
                             ": name them by --kernels FILE");
  }
  return text.str();
}

// Compiles a file for a device. `options` are a compiler's, "-D SUB_SIZE=32". If it does not
// compile, the compiler's messages are in the build log, and nowhere else.
inline cl::Program build(const cl::Context& context, const cl::Device& device,
                         const std::string& path, const std::string& options) {
  cl::Program program(context, read_text(path));
  try {
    program.build({device}, options.c_str());
  } catch (const cl::Error&) {
    throw std::runtime_error(path + " does not compile with " + options + "; the build log:\n" +
                             program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device));
  }
  return program;
}

// The compiler's output on NVIDIA's GPUs: PTX. Other platforms have their own binaries.
inline std::string ptx_of(const cl::Program& program) {
  const auto binary = program.getInfo<CL_PROGRAM_BINARIES>().at(0);
  const std::string text(binary.begin(), binary.end());
  if (text.find(".version") == std::string::npos || text.find(".entry") == std::string::npos) {
    throw std::runtime_error("--ptx wants NVIDIA's platform: what this one makes is not PTX");
  }
  return text.substr(0, text.find('\0'));
}

// cl::Error's text is only the name of a call; this adds its number.
inline std::string text_of(const cl::Error& error) {
  return std::string("OpenCL: ") + error.what() + " failed with error " +
         std::to_string(error.err());
}

}  // namespace opencl
