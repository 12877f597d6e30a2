/// @file
/// Launches of clusters, and of blocks with much shared memory.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "check.hpp"

namespace hopper {

template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
  // More than 48 KiB of shared memory per block must be requested.
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)));
}

/// A launch of clusters of blocks whose grid is still to be set.
struct ClusterLaunch {
  cudaLaunchAttribute cluster{};
  cudaLaunchConfig_t config{};

  template <class Kernel>
  ClusterLaunch(Kernel kernel, int blocks, int threads, std::size_t bytes) {
    allow_shared(kernel, bytes);
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
    config.gridDim = static_cast<unsigned>(blocks);
    config.blockDim = static_cast<unsigned>(threads);
    config.dynamicSmemBytes = bytes;
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  ClusterLaunch(const ClusterLaunch&) = delete;  // config points to cluster
  ClusterLaunch& operator=(const ClusterLaunch&) = delete;

  /// The number of clusters that the device can hold at once. A cluster must be on one GPC, and not
  /// every GPC has a number of multiprocessors that can be divided by that of its blocks.
  template <class Kernel>
  int most_clusters(Kernel kernel) const {
    int clusters = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
    return std::max(clusters, 1);
  }
};

}  // namespace hopper
