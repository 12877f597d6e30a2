/// @file
/// A kernel that needs what the kernel before it writes, and may begin before that one has ended:
/// then its launch is over, and its blocks are resident where they fit, when the data are complete.
#pragma once

#include "ring.hpp"
#include "scratch.hpp"

namespace ours {

/// After this the next kernel's blocks may begin, where they fit ...
inline __device__ void launch_dependents() {
#ifndef COURSE_OLDER_THAN_HOPPER
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
/// ... but after this they need what this kernel has written.
inline __device__ void wait_for_dependencies() {
#ifndef COURSE_OLDER_THAN_HOPPER
  cudaGridDependencySynchronize();
#endif
}

/// Launches a kernel that may begin early, if its blocks call wait_for_dependencies() and the
/// kernel before it is one of these headers.
/// @param bytes of dynamic shared memory
template <class... Parameters>
void launch(bool early, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
            unsigned bytes, const Parameters&... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = bytes;
  config.attrs = &attribute;
  config.numAttrs = early && course::has_hopper_code() ? 1 : 0;
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace ours
