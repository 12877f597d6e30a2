/// @file
/// Our best C = alpha A B + beta C, in FP32 throughout: many ways, and one function that estimates
/// the time of each and takes the least.
#pragma once

#include <limits>
#include <memory>

#include "across.hpp"
#include "ahead.hpp"
#include "copiers.hpp"
#include "costs.hpp"
#include "pack.hpp"

namespace ours {

/// Ways to compute a product.
enum class Way {
  copiers,     ///< copying warps, one tile a block
  shared_out,  ///< copying warps; steps are shared out
  packed,      ///< the same, of an A that is packed before
  narrow,      ///< tiles of 256 x 64
  flat,        ///< tiles of 64 x 256
  square,      ///< tiles of 128 x 128
  small,       ///< tiles of 64 x 128
  slim,        ///< tiles of 256 x 32
  thin,        ///< tiles of 32 x 256
  lanes,       ///< lanes side by side: any matrix, tiles of three shapes
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
  using Square = Tile<128, 128, 32, 8, 8, 4>;
  using Ahead = Tile<128, 128, 16, 8, 8, 3>;
  using Small = Tile<64, 128, 32, 8, 4, 4>;
  using Slim = Tile<256, 32, 32, 8, 4, 4>;
  using Thin = Tile<32, 256, 32, 4, 8, 4>;

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
    Way best = Way::packed;
    double least = seconds(best, g);
    for (const Way way : {Way::shared_out, Way::narrow, Way::flat, Way::square, Way::small,
                          Way::slim, Way::thin, Way::lanes}) {
      const double expected = seconds(way, g);
      if (expected < least) {
        best = way;
        least = expected;
      }
    }
    return best;
  }

  /// What the model expects (costs.hpp) of a way that choose() has a choice of.
  double seconds(Way way, const Product& g) const {
    switch (way) {
      case Way::packed:
        return of_tile<Turned>(costs::packed, g).seconds + costs::packing(g.m, g.k);
      case Way::narrow:
        return of_tile<Narrow>(costs::narrow, g).seconds;
      case Way::flat:
        return of_tile<Flat>(costs::flat, g).seconds;
      case Way::square:
        return of_tile<Square>(costs::square, g).seconds;
      case Way::small:
        return of_tile<Small>(costs::small, g).seconds;
      case Way::slim:
        return of_tile<Slim>(costs::slim, g).seconds;
      case Way::thin:
        return of_tile<Thin>(costs::thin, g).seconds;
      case Way::lanes:
        return best_of(LaneTiles{}, g).seconds;
      default:
        return of_tile<Large>(costs::large, g).seconds;
    }
  }

  void run(Way way, const Product& g) {
    if (g.m == 0 || g.n == 0) return;
    if (way == Way::lanes && g.k > 0)
      return run_lanes(LaneTiles{}, g, best_of(LaneTiles{}, g).index);
    if (way == Way::ahead) return launch_ahead<Ahead>(g);
    if (way == Way::packed && g.k > 0) return run_packed(g);
    if (way == Way::narrow) return run_direct<Narrow>(costs::narrow, g, true);
    if (way == Way::flat) return run_direct<Flat>(costs::flat, g, true);
    if (way == Way::square) return run_direct<Square>(costs::square, g, true);
    if (way == Way::small) return run_direct<Small>(costs::small, g, true);
    if (way == Way::slim) return run_direct<Slim>(costs::slim, g, true);
    if (way == Way::thin) return run_direct<Thin>(costs::thin, g, true);
    run_direct<Large>(costs::large, g, way != Way::copiers);
  }

  /// The same with the index-th tile of a list.
  template <class... Tiles>
  void run_lanes(TileList<Tiles...>, const Product& g, int index) {
    int i = 0;
    ((i++ == index ? launch_lanes<Tiles>(g) : void()), ...);
  }

 private:
  static constexpr int most_resident = 2;

  template <class T>
  double seconds_of_tile(const Costs& c, const Product& g, int resident = 1) const {
    const Extents extents = {T::rows, T::cols, T::depth, T::R * T::C <= 64};
    return seconds_of(c, extents, g.m, g.n, g.k, processors_ * resident);
  }

  /// The faster of two ways to copy B, and its time.
  struct Estimate {
    bool fours;
    double seconds;
  };
  template <class T>
  Estimate of_tile(const WayCosts& c, const Product& g) const {
    if (!on_16_bytes(g.B, g.ldb)) return {false, seconds_of_tile<T>(c.anywhere, g)};
    const double fours = seconds_of_tile<T>(on_lines(g.B, g.ldb) ? c.lines : c.fours, g);
    if (g.n % T::cols == 0) return {true, fours};  // all tiles are whole
    const double singles = seconds_of_tile<T>(c.singles, g);
    return {fours < singles, std::min(fours, singles)};
  }

  /// The fastest of the tiles of a list, and its time.
  struct LaneChoice {
    int index;
    double seconds;
  };
  template <class... Tiles>
  LaneChoice best_of(TileList<Tiles...>, const Product& g) const {
    const bool fours = on_16_bytes(g.A, g.lda) && on_16_bytes(g.B, g.ldb);
    LaneChoice best = {0, std::numeric_limits<double>::infinity()};
    int i = 0;
    const auto look = [&](double seconds) {
      if (seconds < best.seconds) best = {i, seconds};
      ++i;
    };
    (look(seconds_of_tile<Tiles>(costs::lanes[i][fours], g, Tiles::resident)), ...);
    return best;
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
  void run_direct(const WayCosts& c, const Product& g, bool shared) {
    if (of_tile<T>(c, g).fours) {
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
    if (of_tile<T>(costs::packed, g).fours) {
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
