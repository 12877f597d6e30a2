#pragma once
#pragma GCC system_header
/// \file
/// NVRTC: kernels compiled while the program runs. Here emucc compiles them, which takes a second
/// or so: the one that linked the program, or the one that the variable EMUCC names, or the first
/// in PATH. What comes of it is a module for cuModuleLoadData(), in the place of both PTX and
/// machine code, and no text.

#include <cstddef>

/// What a function says of itself.
enum nvrtcResult : int {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11
};
using nvrtcProgram = struct _nvrtcProgram*;

const char* nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int* major, int* minor);
/// Only the device's own architecture: 90.
nvrtcResult nvrtcGetNumSupportedArchs(int* count);
nvrtcResult nvrtcGetSupportedArchs(int* architectures);
/// A program of one source, and of headers that it may include by their names. `name` may be null.
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name,
                               int headers, const char* const* header_sources,
                               const char* const* header_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program);
/// \restricted Options are nvcc's, and nvrtc's names for them; those about GPUs are without effect.
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int options, const char* const* texts);
/// The messages of the compiler. The size counts the final null.
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t* bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log);
/// The module.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t* bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t* bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* image);
/// Of a kernel that is not `extern "C"`, `add<float>` for instance, the name by which
/// cuModuleGetFunction() finds it.
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** lowered);
