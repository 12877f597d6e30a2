/// @file
/// Our best product of BF16 matrices of any shape: tiles of many sizes, three ways to divide the
/// work, and one function that estimates the time of each and chooses the fastest.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "costs.hpp"
#include "launch.hpp"
#include "padded_rows.hpp"
#include "split.hpp"

namespace hopper {

/// Whether launches may have clusters of blocks.
inline bool has_clusters() {
  return course::device_attribute(cudaDevAttrClusterLaunch) != 0;
}

/// A kernel and how it divides the work.
struct Choice {
  int kernel = 0;   ///< of Gemm::Rings, or behind them of Gemm::Splits
  int sharing = 0;  ///< clusters that share the steps of the last tiles; 0: tiles are whole
  int blocks = 1;   ///< that share a tile through shared memory
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
  using Paired = Tile<128, 256, 2, 4, 2>;
  /// A block takes tile after tile.
  using Rings = TileList<Paired, Tile<128, 192, 2, 4, 2, 2>, Tile<128, 192, 2, 4, 2>,
                         Tile<128, 128, 2, 6, 2>, Tile<128, 192, 2, 4>, Tile<192, 128, 3, 4>,
                         Tile<64, 256, 1, 5>, Tile<64, 128, 1, 8>, Tile<128, 64, 2, 8>>;
  /// Up to four blocks share a tile.
  using Splits = TileList<Tile<128, 192, 2, 4>, Tile<128, 128, 2, 6>>;
  static constexpr TileCosts tile_costs[Rings::count + Splits::count] = {
      {0.582, 1.02}, {0.464, 0.70}, {0.435, 0.65}, {0.305, 0.41}, {0.436, 0.44}, {0.442, 0.44},
      {0.430, 0.49}, {0.243, 0.32}, {0.243, 0.26}, {0.436, 0.44}, {0.314, 0.86}};

  /// C = f(alpha A B + beta C + bias): see Product.
  void operator()(Product g) {
    if (is_done(g)) return;
    g.A = padded_A_.aligned(g.A, g.m, g.k, g.lda);
    g.B = padded_B_.aligned(g.B, g.k, g.n, g.ldb);
    run(choose(g), g);
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

  template <class T>
  static Division division_of(const Product& g) {
    Division d{};
    d.rows = T::rows * T::down;
    d.cols = T::cols * T::across;
    d.area = T::rows * T::cols / (128.0 * 256.0);
    d.steps = (g.k - 1) / T::depth + 1;
    d.tiles = cluster_tile_count<T>(g.m, g.n);
    return d;
  }

  static void take_if_faster(const Product& g, const Division& d, Choice choice, Choice& best) {
    choice.seconds = estimate(g, tile_costs[choice.kernel], d);
    if (choice.seconds < best.seconds) best = choice;
  }

  template <class T>
  static void consider_ring(const Product& g, int kernel, Choice& best) {
    if (T::cluster > 1 && !has_clusters()) return;
    const Division all = division_of<T>(g);
    const int clusters = most_clusters<T, true>();
    Division d = all;
    d.tiles = std::ceil(all.tiles / clusters);
    d.steps = d.tiles * all.steps;
    take_if_faster(g, d, {kernel}, best);
    const auto share = [&](double sharing) {  // clusters
      d.tiles = std::max(1.0, all.tiles / sharing);
      d.steps = all.tiles * all.steps / sharing;
      d.rounds = all.tiles < sharing ? std::ceil(std::log2(sharing / all.tiles + 1.0)) : 1.0;
      take_if_faster(g, d, {kernel, static_cast<int>(sharing)}, best);
    };
    if (std::fmod(all.tiles, clusters) == 0.0) return;
    share(std::min<double>(clusters, all.tiles * all.steps));
    const double of_a_tile = std::min(std::floor(clusters / all.tiles), all.steps);
    if (of_a_tile > 1.0) share(all.tiles * of_a_tile);
  }

  template <class T>
  static void consider_split(const Product& g, int kernel, Choice& best) {
    const Division all = division_of<T>(g);
    for (int blocks = 2; blocks <= largest_split && blocks <= all.steps; ++blocks) {
      Division d = all;
      d.tiles = std::ceil(all.tiles / most_splits<T>(blocks));
      d.steps = d.tiles * std::ceil(all.steps / blocks);
      d.blocks = blocks;
      take_if_faster(g, d, {kernel, 0, blocks}, best);
    }
  }

  // The buffers for what this launch's blocks share. They are kept for the next one.
  template <class T>
  Schedule schedule(const Choice& choice) {
    if (choice.sharing == 0) return {};
    const auto blocks = static_cast<std::size_t>(choice.sharing) * T::cluster;
    if (!arrived_ || arrived_->size() < blocks) {
      arrived_.emplace(blocks);
      CUDA_CHECK(cudaMemset(*arrived_, 0, arrived_->bytes()));
    }
    const std::size_t sums = 2 * blocks * T::rows * T::cols;
    if (!parts_ || parts_->size() < sums) {
      parts_.reset();
      parts_.emplace(sums, course::unset);
    }
    Schedule shared;
    shared.sharing = choice.sharing;
    shared.parts = *parts_;
    shared.arrived = *arrived_;
    return shared;
  }

  course::PaddedRows<Bf16> padded_A_, padded_B_;
  std::optional<course::DeviceArray<float>> parts_;
  std::optional<course::DeviceArray<unsigned>> arrived_;
};

}  // namespace hopper
