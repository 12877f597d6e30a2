#pragma once
/// \file
/// The logs of the emulator's cuBLAS and cuBLASLt: a line for each call, as cublasLoggerConfigure()
/// and CUBLAS_LOGINFO_DBG ask for it, and cublasLtLoggerSetLevel() and CUBLASLT_LOG_LEVEL.

#include <string>

#include "emulator/libraries/cublas.h"

namespace emulator::cublas {

/// Whether anybody wants that function's lines. Any thread may ask at any time.
bool log_is_on(const char* function);

/// Writes the line of a call that has ended, if the log is on.
/// \param arguments `m=2, n=3`, or nothing
void log_call(const char* function, const std::string& arguments, cublasStatus_t status);

}  // namespace emulator::cublas
