/// @file
/// Our best C = alpha A B + beta C, in FP32 throughout: many ways, and one function that estimates
/// the time of each and takes the least.
#pragma once

#include <limits>
#include <memory>
#include <utility>

#include "ahead.hpp"
#include "copiers.hpp"
#include "costs.hpp"
#include "many.hpp"
#include "pack.hpp"

namespace ours {

/// Ways to compute a product.
enum class Way {
  large,   ///< copying warps, tiles of 256 x 128
  packed,  ///< the same, of an A that is packed before
  pair,    ///< tiles of 128 x 128, and two blocks on a multiprocessor
  narrow,  ///< tiles of 256 x 64
  flat,    ///< tiles of 64 x 256
  many,    ///< no copying warps, many small blocks, tiles of four shapes
  ahead,   ///< no copying warps, a tile a block: for any GPU
};

/// How tiles of C are spread over blocks.
enum class Spread {
  as_expected,  ///< shared or whole, whichever the model expects to be faster
  shared,       ///< as many blocks as there is room for; steps of the last tiles are shared out
  whole,        ///< as many blocks as there is room for, which compute whole tiles
  one_a_block,  ///< a block for each tile
};

/// Whether the device has the barriers and copies of copiers.hpp.
inline bool has_copiers() {
  return course::device().compute_capability >= 90;
}

/// Room for sums of parts and for packed matrices, and the function. Like a cuBLAS handle it is
/// made once; two streams need two.
class Sgemm {
 public:
  using Large = Tile<256, 128, 32, 8, 16, 4>;
  using Pair = Tile<128, 128, 32, 8, 16, 3, 2>;
  using Narrow = Tile<256, 64, 32, 8, 8, 4>;
  using Flat = Tile<64, 256, 32, 8, 8, 4>;
  using Ahead = Tile<128, 128, 16, 8, 8, 3>;

  explicit Sgemm(int processors = course::device().multiprocessors)
      : processors_(processors),
        parts_(std::size_t{2} * processors_ * Large::rows * Large::cols, course::unset),
        arrived_(std::size_t{2} * processors_) {
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
    for (const Way way : {Way::large, Way::pair, Way::narrow, Way::flat, Way::many}) {
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
        return expect_of<Large>(costs::packed, g).seconds + costs::packing(g.m, g.k) +
               (on_16_bytes(g.B, g.ldb) ? 0.0 : costs::packing(g.k, g.n));
      case Way::pair:
        return of_tile<Pair>(costs::pair, g).seconds;
      case Way::narrow:
        return of_tile<Narrow>(costs::narrow, g).seconds;
      case Way::flat:
        return of_tile<Flat>(costs::flat, g).seconds;
      case Way::many:
        return best_of(ManyTiles{}, g).seconds;
      default:
        return of_tile<Large>(costs::large, g).seconds;
    }
  }

  /// @param spread counts for the ways that have a choice of it
  void run(Way way, const Product& g, Spread spread = Spread::as_expected) {
    if (g.m == 0 || g.n == 0) return;
    if (way == Way::many && g.k > 0) {
      return run_many(ManyTiles{}, g, best_of(ManyTiles{}, g), spread);
    }
    if (way == Way::ahead) return launch_ahead<Ahead>(g);
    if (way == Way::packed && g.k > 0) return run_packed(g, spread);
    if (way == Way::pair) return run_direct<Pair>(costs::pair, g, spread);
    if (way == Way::narrow) return run_direct<Narrow>(costs::narrow, g, spread);
    if (way == Way::flat) return run_direct<Flat>(costs::flat, g, spread);
    run_direct<Large>(costs::large, g, spread);
  }

 private:
  template <class T>
  static constexpr Extents extents_of = {T::rows, T::cols, T::depth, T::R* T::C <= 64, T::resident};

  template <class T>
  Expected expect_of(const Costs& c, const Product& g) const {
    return expect(c, extents_of<T>, g.m, g.n, g.k, processors_);
  }

  /// What is expected of a tile, and whether B is copied by a map.
  struct Estimate : Expected {
    bool by_map;
  };
  template <class T>
  Estimate of_tile(const WayCosts& c, const Product& g) const {
    if (!on_16_bytes(g.B, g.ldb)) return {expect_of<T>(c.anywhere, g), false};
    return {expect_of<T>(c.by_map, g), true};
  }

  /// Whether many.hpp copies four numbers of B at a time: all of C's columns come in fours.
  static bool by_fours(const Product& g) { return on_16_bytes(g.B, g.ldb) && g.n % 4 == 0; }

  /// What is expected of the fastest of the tiles of a list.
  struct ManyChoice : Expected {
    int index;
  };
  template <class... Tiles>
  ManyChoice best_of(TileList<Tiles...>, const Product& g) const {
    ManyChoice best = {{std::numeric_limits<double>::infinity(), 1}, 0};
    int i = 0;
    const auto look = [&](Expected expected) {
      if (expected.seconds < best.seconds) best = {expected, i};
      ++i;
    };
    (look(expect_many(costs::many[i][by_fours(g)], extents_of<Tiles>, g.m, g.n, g.k, processors_,
                      places_of<Tiles>())),
     ...);
    return best;
  }

  /// Blocks of many.hpp for whose sums there is room.
  template <class T>
  int places_of() const {
    return static_cast<int>(parts_.size() / (T::rows * T::cols));
  }

  /// The plan, and the blocks that it is for.
  template <class T>
  std::pair<Plan, unsigned> plan_of(const Product& g, Spread spread, const Expected& expected) {
    const int places = processors_ * T::resident;  // for blocks that the GPU has
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
  void launch(const Product& g, Spread spread, const Estimate& expected) {
    const auto kernel = gemm_copiers<T, Copies>;
    allow_shared(kernel, T::bytes);
    const auto [plan, blocks] = plan_of<T>(g, spread, expected);
    CUtensorMap map{};
    if (expected.by_map && g.k > 0) {
      course::make_map(map, g.B, g.k, g.n, g.ldb, T::depth, T::cols);
    }
    kernel<<<blocks, T::threads + copiers, T::bytes>>>(map, g, plan, on_16_bytes(g.C, g.ldc));
    CUDA_CHECK_LAUNCH();
  }

  template <class T, int floats>
  void launch_many(const Product& g, int blocks) {
    Plan plan = tile_by_tile<T>(g.m, g.n, g.k);
    plan.parts = parts_;
    const auto kernel = blocks > 1 ? gemm_many<T, floats, true> : gemm_many<T, floats, false>;
    constexpr int bytes = bytes_of_many<T>;
    allow_shared(kernel, bytes);
    kernel<<<plan.whole * blocks, T::threads, bytes>>>(g, plan, blocks);
    CUDA_CHECK_LAUNCH();
    if (blocks > 1) launch_add_parts<T>(g, plan, blocks);
  }

  /// It may begin before the blocks have ended whose sums it adds up: then its own are there when
  /// these are.
  template <class T>
  void launch_add_parts(const Product& g, const Plan& plan, int blocks) {
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = plan.whole * (T::rows * T::cols / (4 * adders));
    config.blockDim = adders;
    config.attrs = &early;
    config.numAttrs = has_copiers() ? 1 : 0;
    CUDA_CHECK(cudaLaunchKernelEx(&config, add_parts<T>, g, plan, blocks, on_16_bytes(g.C, g.ldc)));
  }

  template <class... Tiles>
  void run_many(TileList<Tiles...>, const Product& g, ManyChoice choice, Spread spread) {
    int i = 0;
    const auto look = [&]<class T>(T*) {
      if (i++ != choice.index) return;
      int blocks = choice.sharing;
      if (spread == Spread::whole || spread == Spread::one_a_block) blocks = 1;
      if (spread == Spread::shared) {
        const int most = places_of<T>() / tile_by_tile<T>(g.m, g.n, g.k).whole;
        blocks = std::max(1, std::min({most, (g.k - 1) / T::depth + 1, 5}));
      }
      by_fours(g) ? launch_many<T, 4>(g, blocks) : launch_many<T, 1>(g, blocks);
    };
    (look(static_cast<Tiles*>(nullptr)), ...);
  }

  template <class T>
  void run_direct(const WayCosts& c, const Product& g, Spread spread) {
    const Estimate expected = of_tile<T>(c, g);
    if (expected.by_map) {
      launch<T, Direct<true>>(g, spread, expected);
    } else {
      launch<T, Direct<false>>(g, spread, expected);
    }
  }

  void run_packed(const Product& g, Spread spread) {
    const int steps = (g.k - 1) / Large::depth + 1;
    const int strips = (g.m - 1) / Large::rows + 1;
    Product p = g;
    float* A = room_for(A_, packed_floats<Large>(g.m, g.k));
    pack_A<Large><<<steps * strips, 256>>>(g.A, g.lda, g.m, g.k, steps, A);
    CUDA_CHECK_LAUNCH();
    p.A = A;
    if (!on_16_bytes(g.B, g.ldb)) {
      p.ldb = (std::int64_t{g.n} + 3) / 4 * 4;
      float* B = room_for(B_, g.k * p.ldb);
      copy_rows<<<((g.n - 1) / 2048 + 1) * g.k, 256>>>(g.B, g.ldb, g.n, B, p.ldb);
      CUDA_CHECK_LAUNCH();
      p.B = B;
    }
    const Estimate expected = {expect_of<Large>(costs::packed, g), true};
    if (on_16_bytes(g.C, g.ldc)) {
      launch<Large, Packed<false>>(p, spread, expected);
    } else {
      launch<Large, Packed<true>>(p, spread, expected);
    }
  }

  using Room = std::unique_ptr<course::DeviceArray<float>>;
  static float* room_for(Room& room, std::int64_t floats) {
    const auto count = static_cast<std::size_t>(floats);
    if (!room || room->size() < count) {
      room.reset();
      room = std::make_unique<course::DeviceArray<float>>(count, course::unset);
    }
    return *room;
  }

  int processors_;
  course::DeviceArray<float> parts_;
  course::DeviceArray<unsigned> arrived_;
  Room A_, B_;  // packed
};

}  // namespace ours
