/// @file
/// Our best C = alpha A B + beta C, in FP32 throughout: many ways, and one function that estimates
/// the time of each and takes the least.
#pragma once

#include <limits>
#include <memory>
#include <utility>

#include "across.hpp"
#include "ahead.hpp"
#include "copiers.hpp"
#include "costs.hpp"
#include "pack.hpp"

namespace ours {

/// Ways to compute a product.
enum class Way {
  large,   ///< copying warps, tiles of 256 x 128
  packed,  ///< the same, of an A that is packed before
  narrow,  ///< tiles of 256 x 64
  flat,    ///< tiles of 64 x 256
  square,  ///< tiles of 128 x 128
  small,   ///< tiles of 64 x 128
  slim,    ///< tiles of 256 x 32
  thin,    ///< tiles of 32 x 256
  lanes,   ///< lanes side by side: any matrix, tiles of three shapes
  ahead,   ///< no copying warps, a tile a block: for any GPU
};

/// How tiles of C are spread over blocks.
enum class Spread {
  as_expected,  ///< shared or whole, whichever the model expects to be faster
  shared,       ///< a block for each multiprocessor; steps of the last tiles are shared out
  whole,        ///< a block for each multiprocessor, which computes whole tiles
  one_a_block,  ///< a block for each tile
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
    for (const Way way : {Way::large, Way::narrow, Way::flat, Way::square, Way::small, Way::slim,
                          Way::thin, Way::lanes}) {
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

  /// @param spread counts for the ways that have a choice of it
  void run(Way way, const Product& g, Spread spread = Spread::as_expected) {
    if (g.m == 0 || g.n == 0) return;
    if (way == Way::lanes && g.k > 0) {
      return run_lanes(LaneTiles{}, g, best_of(LaneTiles{}, g), spread);
    }
    if (way == Way::ahead) return launch_ahead<Ahead>(g);
    if (way == Way::packed && g.k > 0) return run_packed(g, spread);
    if (way == Way::narrow) return run_direct<Narrow>(costs::narrow, g, spread);
    if (way == Way::flat) return run_direct<Flat>(costs::flat, g, spread);
    if (way == Way::square) return run_direct<Square>(costs::square, g, spread);
    if (way == Way::small) return run_direct<Small>(costs::small, g, spread);
    if (way == Way::slim) return run_direct<Slim>(costs::slim, g, spread);
    if (way == Way::thin) return run_direct<Thin>(costs::thin, g, spread);
    run_direct<Large>(costs::large, g, spread);
  }

 private:
  static constexpr int most_resident = 2;

  template <class T>
  Expected expect_of(const Costs& c, const Product& g, int resident = 1) const {
    const Extents extents = {T::rows, T::cols, T::depth, T::R * T::C <= 64};
    return expect(c, extents, g.m, g.n, g.k, processors_ * resident);
  }

  /// What is expected of the faster of two ways to copy B.
  struct Estimate : Expected {
    bool fours;
  };
  template <class T>
  Estimate of_tile(const WayCosts& c, const Product& g) const {
    if (!on_16_bytes(g.B, g.ldb)) return {expect_of<T>(c.anywhere, g), false};
    const Estimate fours = {expect_of<T>(on_lines(g.B, g.ldb) ? c.lines : c.fours, g), true};
    if (g.n % T::cols == 0) return fours;  // all tiles are whole
    const Estimate singles = {expect_of<T>(c.singles, g), false};
    return fours.seconds < singles.seconds ? fours : singles;
  }

  /// What is expected of the fastest of the tiles of a list.
  struct LaneChoice : Expected {
    int index;
  };
  template <class... Tiles>
  LaneChoice best_of(TileList<Tiles...>, const Product& g) const {
    const bool fours = on_16_bytes(g.A, g.lda) && on_16_bytes(g.B, g.ldb);
    LaneChoice best = {{std::numeric_limits<double>::infinity(), 0}, 0};
    int i = 0;
    const auto look = [&](Expected expected) {
      if (expected.seconds < best.seconds) best = {expected, i};
      ++i;
    };
    (look(expect_of<Tiles>(costs::lanes[i][fours], g, Tiles::resident)), ...);
    return best;
  }

  /// The plan, and the blocks that it is for.
  /// @param places for blocks that a GPU has
  template <class T>
  std::pair<Plan, unsigned> plan_of(const Product& g, Spread spread, const Expected& expected,
                                    int places) {
    Plan plan = tile_by_tile<T>(g.m, g.n, g.k);
    plan.parts = parts_;
    plan.arrived = arrived_;
    const int tiles = plan.whole;
    if (spread == Spread::one_a_block) return {plan, tiles};
    const int sharing = spread == Spread::shared        ? places
                        : spread == Spread::as_expected ? expected.sharing
                                                        : 0;
    if (sharing == 0 || g.k == 0 || tiles % sharing == 0) return {plan, std::min(places, tiles)};
    // One whole round is shared out together with what is left over: else a block would have too
    // few steps to be worth the sums in memory.
    plan.whole = tiles < sharing ? 0 : (tiles / sharing - 1) * sharing;
    const std::int64_t steps = std::int64_t{tiles} * plan.steps;
    return {plan, static_cast<unsigned>(std::min<std::int64_t>(sharing, steps))};
  }

  template <class T, class Copies>
  void launch(const Product& g, Spread spread, const Expected& expected) {
    const auto kernel = gemm_copiers<T, Copies>;
    allow_shared(kernel, T::bytes);
    const auto [plan, blocks] = plan_of<T>(g, spread, expected, processors_);
    kernel<<<blocks, T::threads + copiers, T::bytes>>>(g, plan, on_16_bytes(g.C, g.ldc));
    CUDA_CHECK_LAUNCH();
  }

  template <class T>
  void launch_lanes(const Product& g, Spread spread, const Expected& expected) {
    static_assert(T::resident <= most_resident);
    static_assert(T::resident * T::rows * T::cols <= Large::rows * Large::cols);
    const bool fours = on_16_bytes(g.A, g.lda) && on_16_bytes(g.B, g.ldb);
    const auto kernel = fours ? gemm_lanes<T, 4> : gemm_lanes<T, 1>;
    allow_shared(kernel, T::bytes);
    const auto [plan, blocks] = plan_of<T>(g, spread, expected, processors_ * T::resident);
    kernel<<<blocks, T::threads, T::bytes>>>(g, plan, on_16_bytes(g.C, g.ldc));
    CUDA_CHECK_LAUNCH();
  }

  template <class... Tiles>
  void run_lanes(TileList<Tiles...>, const Product& g, LaneChoice choice, Spread spread) {
    int i = 0;
    ((i++ == choice.index ? launch_lanes<Tiles>(g, spread, choice) : void()), ...);
  }

  template <class T>
  void run_direct(const WayCosts& c, const Product& g, Spread spread) {
    const Estimate expected = of_tile<T>(c, g);
    if (expected.fours) {
      launch<T, Direct<4>>(g, spread, expected);
    } else {
      launch<T, Direct<1>>(g, spread, expected);
    }
  }

  void run_packed(const Product& g, Spread spread) {
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
    const Estimate expected = of_tile<T>(costs::packed, g);
    if (expected.fours) {
      launch<T, Packed<4>>(p, spread, expected);
    } else {
      launch<T, Packed<1>>(p, spread, expected);
    }
  }

  int processors_;
  course::DeviceArray<float> parts_;
  course::DeviceArray<unsigned> arrived_;
  std::unique_ptr<course::DeviceArray<float>> packed_;
};

}  // namespace ours
