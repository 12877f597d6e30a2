/// @file
/// The launches of the kernels that chapter 22 climbs by.
#pragma once

#include <algorithm>
#include <array>

#include "kernels.hpp"
#include "scratch.hpp"
#include "tensor_cores/cluster_launch.hpp"

namespace hopper {

/// How clusters take tiles: one per tile, or as many as the device can hold, which stay; how many
/// rows of tiles form a band; the shape of the clusters; the largest number of blocks that stay;
/// and among how many clusters the steps of the last tiles are shared out, or 0.
struct Schedule {
  bool persistent = true;
  int band_height = 16;
  Cluster cluster = {};
  int blocks = 1 << 30;
  int sharing = 0;
  float* parts = nullptr;       ///< if tiles are shared: see course::Plan
  unsigned* arrived = nullptr;  ///< likewise
};

/// What remains of a product without terms.
static __global__ void gemm_nothing(const Product g) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= g.n) return;
  for (int row = static_cast<int>(blockIdx.y); row < g.m; row += static_cast<int>(gridDim.y)) {
    Bf16* at = g.C + row * g.ldc + col;
    *at = finished(0.0F, g, at, col);
  }
}

/// C, if there is nothing to multiply.
/// \return whether nothing else is to be done
inline bool is_done(const Product& g) {
  if (g.m == 0 || g.n == 0) return true;
  if (g.k > 0) return false;
  const dim3 blocks(static_cast<unsigned>((g.n - 1) / 128 + 1), std::min(g.m, 32768));
  gemm_nothing<<<blocks, 128>>>(g);
  CUDA_CHECK_LAUNCH();
  return true;
}

inline Output direct_output(const Product& g) {
  const bool pairs = g.ldc % 2 == 0 && reinterpret_cast<std::uintptr_t>(g.C) % 4 == 0;
  return pairs ? Output::pairs : Output::single;
}

/// Through shared memory. The map writes numbers of BF16, so they must be finished.
inline Output shared_output(const Product& g) {
  return g.is_plain() && suits_maps(g.C, g.ldc) ? Output::map : Output::rows;
}

template <class Tile>
void launch_one_stage(const Product& g) {
  const auto kernel = gemm_one_stage<Tile>;
  constexpr std::size_t bytes = sizeof(Storage<Tile, false>);
  allow_shared(kernel, bytes);
  const Maps maps(g, Tile::rows, Tile::depth);
  kernel<<<cluster_tile_count<Tile>(g.m, g.n), 128, bytes>>>(maps, g,
                                                             direct_output(g) == Output::pairs);
  CUDA_CHECK_LAUNCH();
}

/// A launch of gemm_ring whose grid is still to be set.
template <class Tile, bool by_map>
struct RingLaunch : ClusterLaunch {
  explicit RingLaunch(int blocks)
      : ClusterLaunch(gemm_ring<Tile, by_map>, blocks, 128 * (Tile::groups + 1),
                      sizeof(Storage<Tile, by_map>)) {}
};

/// The largest cluster that every GPU with clusters can launch.
constexpr int largest_cluster = 8;

/// How many clusters of such a launch the device can hold at once.
template <class Tile, bool by_map>
int most_clusters(Cluster cluster) {
  static std::array<int, largest_cluster + 1> known{};
  int& most = known[cluster.size()];
  if (most == 0) {
    most = cluster.size() == 1
               ? course::device_attribute(cudaDevAttrMultiProcessorCount)
               : RingLaunch<Tile, by_map>(cluster.size()).most_clusters(gemm_ring<Tile, by_map>);
  }
  return most;
}

template <class Tile, bool by_map>
void launch_ring(const Product& g, const Schedule& schedule = {}) {
  const Cluster cluster = schedule.cluster;
  course::Plan plan{};
  plan.across = cluster_tiles_across<Tile>(g.n, cluster);
  plan.down = cluster_tiles_down<Tile>(g.m, cluster);
  plan.cluster = cluster.size();
  plan.steps = (g.k - 1) / Tile::depth + 1;
  plan.parts = schedule.parts;
  plan.arrived = schedule.arrived;
  const int places = plan.across * plan.down;
  plan.whole = places;
  int clusters = places;
  if (schedule.persistent) {
    const int most = most_clusters<Tile, by_map>(cluster);
    clusters = std::min(places, std::max(1, std::min(most, schedule.blocks / cluster.size())));
  }
  if (schedule.sharing > 0) {
    // One whole round is shared out together with the remainder: otherwise a block would have too
    // few steps to be worth the sums in memory.
    clusters = schedule.sharing;
    plan.whole = places < clusters ? 0 : (places / clusters - 1) * clusters;
  }
  const Output output = by_map ? shared_output(g) : direct_output(g);
  RingLaunch<Tile, by_map> launch(cluster.size());
  launch.config.gridDim = static_cast<unsigned>(cluster.size() * clusters);
  const Maps maps(g, Tile::rows / cluster.across, Tile::depth / cluster.down,
                  16 * pieces_of_copy<Tile>());
  const int band_height = std::max(schedule.band_height / cluster.down, 1);
  CUDA_CHECK(cudaLaunchKernelEx(&launch.config, gemm_ring<Tile, by_map>, maps, g, plan, band_height,
                                cluster, output));
}

}  // namespace hopper
