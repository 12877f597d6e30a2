/// @file
/// What a call leaves behind in the emulator of the process that carries it out.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "emulator/findings.h"
#include "emulator/pace.h"
#include "emulator/stream_work.h"
#include "emulator/traffic.h"
#include "judge/wire.hpp"

namespace course::grading {

/// A function of the API that worked on arrays of the device, as kernels do.
struct DeviceCall {
  std::string name;  ///< without Async
  emulator::Traffic traffic;
};

/// Launches, findings and errors: what a check asks the emulator for afterwards.
struct Traces {
  std::vector<emulator::LaunchRecord> launches;  ///< without their lines
  emulator::Pace pace;                           ///< of these launches
  std::vector<emulator::Finding> findings;
  cudaError_t last_error = cudaSuccess;    ///< what cudaGetLastError() would return
  cudaError_t kernel_error = cudaSuccess;  ///< of a kernel that failed: stays
  std::vector<DeviceCall> device_calls;
  std::vector<emulator::StreamWork> stream_work;  ///< without its lines; if the judge asked for it
  emulator::GraphCalls graph_calls;
  std::string violation;  ///< what was done against the rules; empty if nothing
};

/// What there is in this process, all of which is forgotten here.
Traces take_traces();

void put_traces(Writer& message, const Traces& traces);

/// Reads them, believing nothing: of a file's name its last part stays, texts are cut off.
/// @throws WireError
Traces get_traces(Reader& message);

/// Makes them this process's own.
void adopt_traces(const Traces& traces);

}  // namespace course::grading
