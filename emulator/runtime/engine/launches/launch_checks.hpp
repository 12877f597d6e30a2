#pragma once
/// \file
/// The checks that CUDA makes of a launch.

#include <cstdint>
#include <string>

#include "base/rooms.hpp"
#include "emulator/host/launch.h"

namespace emulator::engine {

using detail::ThreadBody;

/// What is wrong with a configuration.
struct LaunchRefusal {
  cudaError_t error = cudaSuccess;
  std::string reason;
  std::string remedy;
};

/// Whether grid, blocks and shared memory are within the limits of every current GPU.
LaunchRefusal check_sizes(const char* kernel, const Configuration& configuration);

/// Whether the kernel's `__launch_bounds__` allow blocks of that size.
LaunchRefusal check_bounds(const ThreadBody& body, const Configuration& configuration);

/// Whether the grid can be divided into its clusters, and the kernel may have such.
LaunchRefusal check_clusters(const Configuration& configuration, const void* function);

/// Whether the blocks of a cooperative launch, and with them whole clusters, fit on the device at
/// the same time, so that they can wait for each other.
LaunchRefusal check_cooperative(const void* function, const Configuration& configuration);

/// Leaves the error for cudaGetLastError(), and announces what is wrong.
/// \param function the kernel's address, if it is known
cudaError_t report_refusal(const char* kernel, const void* function, const LaunchRefusal& refusal);

/// How many blocks the grid has.
std::uint64_t blocks_of(const Configuration& configuration);

}  // namespace emulator::engine
