/// @file
/// Our best product of BF16 matrices of any shape: tiles of many sizes, three ways to divide the
/// work, and one function that estimates the time of each and chooses the fastest.
#pragma once

#include <limits>
#include <utility>

#include "costs.hpp"
#include "launch.hpp"
#include "scratch.hpp"
#include "split.hpp"
#include "tensor_cores/padded_rows.hpp"

namespace hopper {

/// Whether launches may have clusters of blocks.
inline bool has_clusters() {
  return course::device_attribute(cudaDevAttrClusterLaunch) != 0;
}

/// A kernel and how it divides the work.
struct Choice {
  int kernel = 0;        ///< of Gemm::Rings, or after those of Gemm::Splits
  Cluster cluster = {};  ///< of gemm_ring
  int sharing = 0;       ///< clusters that share the steps of the last tiles; 0: tiles are whole
  int blocks = 1;        ///< that share a tile through shared memory
  double seconds = std::numeric_limits<double>::infinity();
};

/// Buffers for matrices whose rows must be copied first and for partial sums, and the function. Two
/// streams need two of them.
class Gemm {
 public:
  template <class... Tiles>
  struct TileList {
    static constexpr int count = sizeof...(Tiles);
  };
  using Large = Tile<128, 256, 2, 4>;
  /// A cluster takes tile after tile.
  using Rings = TileList<Large, Tile<128, 192, 2, 4>, Tile<128, 128, 2, 6>, Tile<64, 128, 1, 8>,
                         Tile<64, 64, 1, 12>, Tile<128, 64, 2, 8>, Tile<128, 48, 2, 8>,
                         Tile<128, 16, 2, 8>, Swapped<224, 128, 2, 4>, Swapped<208, 128, 2, 5>,
                         Swapped<192, 128, 2, 5>, Swapped<176, 128, 2, 5>, Swapped<160, 128, 2, 6>,
                         Swapped<144, 128, 2, 6>, Swapped<128, 128, 2, 6>, Swapped<112, 128, 2, 7>,
                         Swapped<96, 128, 2, 7>, Swapped<64, 128, 2, 9>, Swapped<32, 128, 2, 10>,
                         Swapped<176, 256, 2, 4>, Swapped<160, 256, 2, 4>, Swapped<144, 256, 2, 4>,
                         Swapped<32, 256, 2, 6>, Swapped<192, 192, 3, 4>, Swapped<176, 192, 3, 4>,
                         Swapped<160, 192, 3, 4>, Swapped<128, 192, 3, 5>, Swapped<64, 192, 3, 6>,
                         Swapped<160, 64, 1, 7>, Swapped<96, 64, 1, 11>, Swapped<64, 64, 1, 12>>;
  /// Up to eight blocks share a tile.
  using Splits = TileList<Tile<128, 192, 2, 4>, Tile<128, 128, 2, 6>, Swapped<192, 192, 3, 4>,
                          Swapped<160, 128, 2, 6>, Swapped<64, 128, 2, 9>, Swapped<32, 128, 2, 10>>;
  static constexpr TileCosts tile_costs[Rings::count + Splits::count] = {
      {0.587, 1.72}, {0.455, 1.27}, {0.327, 0.83}, {0.247, 0.52}, {0.204, 0.84}, {0.268, 0.48},
      {0.125, 0.25}, {0.065, 0.21}, {0.513, 1.71}, {0.476, 1.72}, {0.442, 1.62}, {0.409, 1.46},
      {0.376, 1.54}, {0.347, 1.35}, {0.327, 1.15}, {0.305, 1.10}, {0.291, 0.92}, {0.283, 0.69},
      {0.246, 1.05}, {0.875, 3.44}, {0.740, 2.67}, {0.662, 2.29}, {0.382, 0.38}, {0.664, 2.09},
      {0.605, 1.89}, {0.562, 1.67}, {0.476, 1.45}, {0.414, 0.72}, {0.241, 0.93}, {0.211, 1.00},
      {0.196, 0.78}, {0.316, 5.00}, {0.223, 4.83}, {0.570, 5.00}, {0.325, 4.43}, {0.102, 2.78},
      {0.092, 2.18}};
  /// The shapes of clusters.
  static constexpr Cluster clusters[] = {{1, 1}, {2, 1}, {1, 2}, {2, 2},
                                         {4, 1}, {1, 4}, {4, 2}, {2, 4}};

  /// C = f(alpha A B + beta C + bias): see Product.
  void operator()(Product g) {
    if (is_done(g)) return;
    g.A = padded_A_.aligned(g.A, g.m, g.k, g.lda);
    g.B = padded_B_.aligned(g.B, g.k, g.n, g.ldb);
    const Shape shape{g.m, g.n, g.k, g.lda, g.ldb, suits_maps(g.C, g.ldc)};
    if (shape != shape_) {  // to consider a thousand ways takes some microseconds
      choice_ = choose(g);
      shape_ = shape;
    }
    run(choice_, g);
  }

  /// What the model expects to be the fastest. A's and B's rows must be aligned to 16 bytes.
  static Choice choose(const Product& g) {
    Choice best;
    int kernel = 0;
    each(Rings{}, [&]<class T>(T*) { consider_ring<T>(g, kernel++, best); });
    if (has_clusters()) {
      each(Splits{}, [&]<class T>(T*) { consider_split<T>(g, kernel++, best); });
    }
    return best;
  }

  /// Whether that kernel, in such clusters, may compute this product.
  static bool suits(const Choice& choice, const Product& g) {
    bool suits = false;
    int kernel = 0;
    each(Rings{}, [&]<class T>(T*) {
      if (kernel++ == choice.kernel)
        suits = suits_tiles<T>(g.n) && suits_cluster<T>(choice.cluster);
    });
    each(Splits{}, [&]<class T>(T*) {
      if (kernel++ == choice.kernel) suits = suits_tiles<T>(g.n);
    });
    return suits;
  }

  void run(const Choice& choice, const Product& g) {
    int kernel = 0;
    each(Rings{}, [&]<class T>(T*) {
      if (kernel++ == choice.kernel) launch_ring<T, true>(g, schedule<T>(choice));
    });
    each(Splits{}, [&]<class T>(T*) {
      if (kernel++ == choice.kernel) launch_split<T>(g, choice.blocks);
    });
  }

 private:
  template <class... Tiles, class Visit>
  static void each(TileList<Tiles...>, Visit visit) {
    (visit(static_cast<Tiles*>(nullptr)), ...);
  }

  // What a choice depends on.
  struct Shape {
    int m = 0, n = 0, k = 0;
    std::int64_t lda = 0, ldb = 0;
    bool has_map_of_C = false;
    bool operator==(const Shape&) const = default;
  };

  static void take_if_faster(const Product& g, const Division& d, Choice choice, Choice& best) {
    choice.seconds = estimate(g, tile_costs[choice.kernel], d);
    if (choice.seconds < best.seconds) best = choice;
  }

  template <class T>
  static void consider_ring(const Product& g, int kernel, Choice& best) {
    if (!suits_tiles<T>(g.n)) return;
    const double steps = (g.k - 1) / T::depth + 1;
    const double processors = course::device_attribute(cudaDevAttrMultiProcessorCount);
    for (const Cluster cluster : clusters) {
      if (!suits_cluster<T>(cluster) || (cluster.size() > 1 && !has_clusters())) continue;
      const double tiles = cluster_tile_count<T>(g.m, g.n, cluster);
      const double most = most_clusters<T, true>(cluster);
      Division d{cluster, T::rows, T::cols};
      d.tiles = std::ceil(tiles / most);
      d.steps = d.tiles * steps;
      d.busy = std::min(tiles, most) * cluster.size() / processors;
      take_if_faster(g, d, {kernel, cluster}, best);
      const auto share = [&](double sharing) {  // clusters
        d.tiles = std::max(1.0, tiles / sharing);
        d.steps = tiles * steps / sharing;
        d.busy = sharing * cluster.size() / processors;
        d.rounds = tiles < sharing ? std::ceil(std::log2(sharing / tiles + 1.0)) : 1.0;
        take_if_faster(g, d, {kernel, cluster, static_cast<int>(sharing)}, best);
      };
      if (std::fmod(tiles, most) == 0.0) continue;
      share(std::min(most, tiles * steps));
      const double of_a_tile = std::min(std::floor(most / tiles), steps);
      if (of_a_tile > 1.0) share(tiles * of_a_tile);
    }
  }

  template <class T>
  static void consider_split(const Product& g, int kernel, Choice& best) {
    if (!suits_tiles<T>(g.n)) return;
    const double steps = (g.k - 1) / T::depth + 1;
    const double tiles = cluster_tile_count<T>(g.m, g.n);
    for (int blocks = 2; blocks <= largest_split && blocks <= steps; ++blocks) {
      const double most = most_splits<T>(blocks);
      Division d{{}, T::rows, T::cols};
      d.tiles = std::ceil(tiles / most);
      d.steps = d.tiles * std::ceil(steps / blocks);
      d.busy =
          std::min(tiles, most) * blocks / course::device_attribute(cudaDevAttrMultiProcessorCount);
      d.blocks = blocks;
      take_if_faster(g, d, {kernel, {}, 0, blocks}, best);
    }
  }

  // The buffers for what this launch's blocks share. They are kept for the next one.
  template <class T>
  Schedule schedule(const Choice& choice) {
    Schedule shared;
    shared.cluster = choice.cluster;
    if (choice.sharing == 0) return shared;
    const auto blocks = static_cast<std::size_t>(choice.sharing * choice.cluster.size());
    if (arrived_.size() < blocks) {
      arrived_.at_least(blocks);
      arrived_.clear();
    }
    shared.sharing = choice.sharing;
    shared.parts = parts_.at_least(2 * blocks * T::rows * T::cols);
    shared.arrived = arrived_;
    return shared;
  }

  Shape shape_;  // of the last product
  Choice choice_;
  course::PaddedRows<Bf16> padded_A_, padded_B_;
  course::Scratch<float> parts_;
  course::Scratch<unsigned> arrived_;
};

}  // namespace hopper
