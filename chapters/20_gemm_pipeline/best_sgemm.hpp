/// @file
/// Our best C = alpha A B + beta C, in FP32 throughout: four ways, and one function that estimates
/// the time of each and takes the least.
#pragma once

#include <memory>

#include "across.hpp"
#include "ahead.hpp"
#include "copiers.hpp"
#include "pack.hpp"

namespace ours {

/// Ways to compute a product.
enum class Way {
  copiers,     ///< copying warps, one tile a block
  shared_out,  ///< copying warps; steps are shared out
  packed,      ///< the same, of an A that is packed before
  narrow,      ///< tiles of 256 x 64
  flat,        ///< tiles of 64 x 256
  lanes,       ///< lanes side by side: any matrix, tiles of nine shapes
  ahead,       ///< no copying warps: for any GPU
};

/// Whether the device has the barriers and copies of copiers.hpp.
inline bool has_copiers() {
  return course::device().compute_capability >= 90;
}

/// Room for sums of parts and for a packed A, and the function. Like a cuBLAS handle it is
/// made once; two streams need two.
class Sgemm {
 public:
  using Large = Tile<256, 128, 32, 8, 16, 4>;
  using Turned = Tile<256, 128, 32, 16, 8, 4>;  ///< of a packed A: the faster one there
  using Narrow = Tile<256, 64, 32, 8, 8, 4>;
  using Flat = Tile<64, 256, 32, 8, 8, 4>;

  explicit Sgemm(int processors = course::device().multiprocessors)
      : processors_(processors),
        parts_(std::size_t{2} * processors_ * Large::rows * Large::cols, course::unset),
        arrived_(std::size_t{2} * most_resident * processors_) {
    CUDA_CHECK(cudaMemset(arrived_, 0, arrived_.bytes()));
  }

  /// C = alpha A B + beta C, row-major; ld: from one row to the next, in elements.
  void operator()(int m, int n, int k, float alpha, const float* A, std::int64_t lda,
                  const float* B, std::int64_t ldb, float beta, float* C, std::int64_t ldc) {
    const Product g = {m, n, k, A, lda, B, ldb, C, ldc, alpha, beta};
    run(choose(g), g);
  }

  /// The way that the model expects to be the fastest.
  Way choose(const Product& g) const {
    if (!has_copiers()) return Way::ahead;
    Way best = Way::shared_out;
    for (const Way way : {Way::packed, Way::narrow, Way::flat, Way::lanes}) {
      if (seconds(way, g) < seconds(best, g)) best = way;
    }
    return best;
  }

  /// What the model expects. Every block has as many steps as any other. A step takes as long as
  /// its multiply-adds would at the GPU's peak, by the share of it that the way was seen to reach.
  /// Sums of parts cost a way through memory, and packing A two. The figures are an H200's.
  double seconds(Way way, const Product& g) const {
    const bool fours = on_16_bytes(g.B, g.ldb);
    if (way == Way::lanes) return seconds_of(LaneTiles{}, g, best_of(LaneTiles{}, g));
    if (way == Way::narrow) return of_tiles<Narrow>(g, fours ? 0.72 : 0.60);
    if (way == Way::flat) return of_tiles<Flat>(g, fours ? 0.73 : 0.60);
    if (way != Way::packed) return of_tiles<Large>(g, fours ? 0.83 : 0.66);
    return of_tiles<Turned>(g, fours ? 0.85 : 0.80) + 8.0 * g.m * g.k / 3.2e12 + 5e-6;
  }

  void run(Way way, const Product& g) {
    if (g.m == 0 || g.n == 0) return;
    if (way == Way::lanes && g.k > 0) return run_lanes(LaneTiles{}, g, best_of(LaneTiles{}, g));
    if (way == Way::ahead) return launch_ahead<Tile<128, 128, 16, 8, 8, 3>>(g);
    if (way == Way::packed && g.k > 0) return run_packed(g);
    if (way == Way::narrow) return run_direct<Narrow>(g, true);
    if (way == Way::flat) return run_direct<Flat>(g, true);
    run_direct<Large>(g, way != Way::copiers);
  }

  /// The same with the index-th tile of a list.
  template <class... Tiles>
  void run_lanes(TileList<Tiles...>, const Product& g, int index) {
    int i = 0;
    ((i++ == index ? launch_lanes<Tiles>(g) : void()), ...);
  }

 private:
  static constexpr int most_resident = 3;

  template <class... Tiles>
  double seconds_of(TileList<Tiles...>, const Product& g, int index) const {
    int i = 0;
    double seconds = 0.0;
    ((i++ == index ? void(seconds = of_lanes<Tiles>(g)) : void()), ...);
    return seconds;
  }

  template <class... Tiles>
  int best_of(TileList<Tiles...> list, const Product& g) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(sizeof...(Tiles)); ++i) {
      if (seconds_of(list, g, i) < seconds_of(list, g, best)) best = i;
    }
    return best;
  }

  template <class T>
  double of_lanes(const Product& g) const {
    return of_tiles<T>(g, 0.6);
  }

  template <class T>
  double of_tiles(const Product& g, double share) const {
    const double tiles = ((g.m - 1) / T::rows + 1.0) * ((g.n - 1) / T::cols + 1.0);
    const double steps = std::ceil(tiles * ((g.k - 1) / T::depth + 1) / processors_);
    const double step = T::rows * T::cols * T::depth / (128.0 * 1.98e9) / share;
    const double parts = std::max(2.0, processors_ / tiles);
    const bool shared = std::fmod(tiles, processors_) != 0.0;
    return steps * step + (shared ? 4e-6 + parts * T::rows * T::cols * 4.0 / 100e9 : 0.0);
  }

  /// So many blocks as processors; or, unless shared, one for each tile.
  template <class T>
  Plan plan_of(const Product& g, bool shared, int processors) {
    Plan plan = tile_by_tile<T>(g.m, g.n, g.k);
    const int tiles = plan.whole;
    plan.parts = parts_;
    plan.arrived = arrived_;
    if (!shared || g.k == 0 || tiles % processors == 0) return plan;
    // One whole round is shared out together with what is left over: else a block would have too
    // few steps to be worth the sums in memory.
    plan.whole = tiles < processors ? 0 : (tiles / processors - 1) * processors;
    return plan;
  }

  template <class T, class Copies>
  void launch(const Product& g, bool shared) {
    const auto kernel = gemm_copiers<T, Copies>;
    allow_shared(kernel, T::bytes);
    const Plan plan = plan_of<T>(g, shared, processors_);
    const std::int64_t tiles = std::int64_t{plan.down} * plan.across;
    const std::int64_t blocks =
        shared ? std::min<std::int64_t>(processors_, tiles * std::max(plan.steps, 1)) : tiles;
    kernel<<<static_cast<unsigned>(blocks), T::threads + copiers, T::bytes>>>(
        g, plan, on_16_bytes(g.C, g.ldc));
    CUDA_CHECK_LAUNCH();
  }

  template <class T>
  void launch_lanes(const Product& g) {
    static_assert(T::resident <= most_resident);
    static_assert(T::resident * T::rows * T::cols <= Large::rows * Large::cols);
    const bool fours = on_16_bytes(g.A, g.lda) && on_16_bytes(g.B, g.ldb);
    const auto kernel = fours ? gemm_lanes<T, 4> : gemm_lanes<T, 1>;
    allow_shared(kernel, T::bytes);
    const int most = processors_ * T::resident;
    const Plan plan = plan_of<T>(g, true, most);
    const std::int64_t tiles = std::int64_t{plan.down} * plan.across;
    const std::int64_t blocks = std::min<std::int64_t>(most, tiles * plan.steps);
    kernel<<<static_cast<unsigned>(blocks), T::threads, T::bytes>>>(g, plan,
                                                                    on_16_bytes(g.C, g.ldc));
    CUDA_CHECK_LAUNCH();
  }

  template <class T>
  void run_direct(const Product& g, bool shared) {
    if (on_16_bytes(g.B, g.ldb)) {
      launch<T, Direct<4>>(g, shared);
    } else {
      launch<T, Direct<1>>(g, shared);
    }
  }

  void run_packed(const Product& g) {
    using T = Turned;
    const auto floats = static_cast<std::size_t>(packed_floats<T>(g.m, g.k));
    if (!packed_ || packed_->size() < floats) {
      packed_.reset();
      packed_ = std::make_unique<course::DeviceArray<float>>(floats, course::unset);
    }
    const int steps = (g.k - 1) / T::depth + 1;
    const int strips = ((g.m - 1) / T::rows + 1) * (T::rows / 32);
    pack_A<T><<<steps * strips, 256>>>(g.A, g.lda, g.m, g.k, steps, *packed_);
    CUDA_CHECK_LAUNCH();
    Product p = g;
    p.A = *packed_;
    if (on_16_bytes(g.B, g.ldb)) {
      launch<T, Packed<4>>(p, true);
    } else {
      launch<T, Packed<1>>(p, true);
    }
  }

  int processors_;
  course::DeviceArray<float> parts_;
  course::DeviceArray<unsigned> arrived_;
  std::unique_ptr<course::DeviceArray<float>> packed_;
};

}  // namespace ours
