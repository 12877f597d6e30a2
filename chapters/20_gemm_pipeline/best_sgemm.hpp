/// @file
/// Our best C = alpha A B + beta C, in FP32 throughout: many algorithms, and one function that
/// estimates the time of each and chooses the fastest.
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

/// Algorithms for a product.
enum class Algorithm {
  large,   ///< producer warps, tiles of 256 x 128
  packed,  ///< the same, with an A that was packed before
  pair,    ///< tiles of 128 x 128, and two blocks per multiprocessor
  narrow,  ///< tiles of 256 x 64
  flat,    ///< tiles of 64 x 256
  many,    ///< no producer warps, many small blocks, tiles of four shapes
  ahead,   ///< no producer warps, one tile per block: for any GPU
};

/// How tiles of C are distributed over blocks.
enum class Decomposition {
  by_model,       ///< shared or whole, whichever the model expects to be faster
  stream_k,       ///< as many blocks as fit on the GPU; steps of the last tiles are shared out
  persistent,     ///< as many blocks as fit on the GPU, which compute whole tiles
  data_parallel,  ///< one block per tile
};

/// Whether the device has the barriers and copies of copiers.hpp.
inline bool has_bulk_copies() {
  return course::device().compute_capability >= 90;
}

/// Buffers for partial sums and for packed matrices, and the function. Like a cuBLAS handle it is
/// made once; two streams need two of them.
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

  /// C = alpha A B + beta C, row-major; ld: distance from one row to the next, in elements.
  void operator()(int m, int n, int k, float alpha, const float* A, std::int64_t lda,
                  const float* B, std::int64_t ldb, float beta, float* C, std::int64_t ldc) {
    const Product g = {m, n, k, A, lda, B, ldb, C, ldc, alpha, beta};
    run(choose(g), g);
  }

  /// The algorithm that the model expects to be the fastest.
  Algorithm choose(const Product& g) const {
    if (!has_bulk_copies()) return Algorithm::ahead;
    Algorithm best = Algorithm::packed;
    double least = seconds(best, g);
    for (const Algorithm algorithm :
         {Algorithm::large, Algorithm::pair, Algorithm::narrow, Algorithm::flat, Algorithm::many}) {
      const double expected = seconds(algorithm, g);
      if (expected < least) {
        best = algorithm;
        least = expected;
      }
    }
    return best;
  }

  /// The model's estimate (costs.hpp) for an algorithm that choose() may choose.
  double seconds(Algorithm algorithm, const Product& g) const {
    switch (algorithm) {
      case Algorithm::packed:
        return estimate_of<Large>(costs::packed, g).seconds + costs::packing(g.m, g.k) +
               (on_16_bytes(g.B, g.ldb) ? 0.0 : costs::packing(g.k, g.n));
      case Algorithm::pair:
        return estimate_of_tile<Pair>(costs::pair, g).seconds;
      case Algorithm::narrow:
        return estimate_of_tile<Narrow>(costs::narrow, g).seconds;
      case Algorithm::flat:
        return estimate_of_tile<Flat>(costs::flat, g).seconds;
      case Algorithm::many:
        return best_of(ManyTiles{}, g).seconds;
      default:
        return estimate_of_tile<Large>(costs::large, g).seconds;
    }
  }

  /// @param decomposition for the algorithms that can be decomposed in several ways
  void run(Algorithm algorithm, const Product& g,
           Decomposition decomposition = Decomposition::by_model) {
    if (g.m == 0 || g.n == 0) return;
    if (algorithm == Algorithm::many && g.k > 0) {
      return run_many(ManyTiles{}, g, best_of(ManyTiles{}, g), decomposition);
    }
    if (algorithm == Algorithm::ahead) return launch_ahead<Ahead>(g);
    if (algorithm == Algorithm::packed && g.k > 0) return run_packed(g, decomposition);
    if (algorithm == Algorithm::pair) return run_direct<Pair>(costs::pair, g, decomposition);
    if (algorithm == Algorithm::narrow) return run_direct<Narrow>(costs::narrow, g, decomposition);
    if (algorithm == Algorithm::flat) return run_direct<Flat>(costs::flat, g, decomposition);
    run_direct<Large>(costs::large, g, decomposition);
  }

 private:
  template <class T>
  static constexpr Extents extents_of = {T::rows, T::cols, T::depth, T::R* T::C <= 64, T::resident};

  template <class T>
  Estimate estimate_of(const Costs& c, const Product& g) const {
    return estimate(c, extents_of<T>, g.m, g.n, g.k, processors_);
  }

  /// The estimate for a tile, and whether B is copied by a tensor map.
  struct TileEstimate : Estimate {
    bool by_map;
  };
  template <class T>
  TileEstimate estimate_of_tile(const AlgorithmCosts& c, const Product& g) const {
    if (!on_16_bytes(g.B, g.ldb)) return {estimate_of<T>(c.anywhere, g), false};
    return {estimate_of<T>(c.by_map, g), true};
  }

  /// Whether many.hpp copies four numbers of B at a time: all of C's columns come in fours.
  static bool by_fours(const Product& g) { return on_16_bytes(g.B, g.ldb) && g.n % 4 == 0; }

  /// The estimate for the fastest of the tiles of a list.
  struct ManyChoice : Estimate {
    int index;
  };
  template <class... Tiles>
  ManyChoice best_of(TileList<Tiles...>, const Product& g) const {
    ManyChoice best = {{std::numeric_limits<double>::infinity(), 1}, 0};
    int i = 0;
    const auto look = [&](Estimate expected) {
      if (expected.seconds < best.seconds) best = {expected, i};
      ++i;
    };
    (look(estimate_many(costs::many[i][by_fours(g)], extents_of<Tiles>, g.m, g.n, g.k, processors_,
                        partial_capacity<Tiles>())),
     ...);
    return best;
  }

  /// How many blocks of many.hpp have buffers for their sums.
  template <class T>
  int partial_capacity() const {
    return static_cast<int>(parts_.size() / (T::rows * T::cols));
  }

  /// The plan for the number of blocks that will run.
  template <class T>
  std::pair<Plan, unsigned> plan_of(const Product& g, Decomposition decomposition,
                                    const Estimate& expected) {
    const int places = processors_ * T::resident;  // for blocks resident on the GPU
    Plan plan = data_parallel_plan<T>(g.m, g.n, g.k);
    plan.parts = parts_;
    plan.arrived = arrived_;
    const int tiles = plan.whole;
    if (decomposition == Decomposition::data_parallel) return {plan, tiles};
    const int sharing = decomposition == Decomposition::stream_k   ? places
                        : decomposition == Decomposition::by_model ? expected.sharing
                                                                   : 0;
    if (sharing == 0 || g.k == 0 || tiles % sharing == 0) return {plan, std::min(places, tiles)};
    // One whole round is shared out together with the remainder: otherwise a block would have too
    // few steps to be worth the sums in memory.
    plan.whole = tiles < sharing ? 0 : (tiles / sharing - 1) * sharing;
    const std::int64_t steps = std::int64_t{tiles} * plan.steps;
    return {plan, static_cast<unsigned>(std::min<std::int64_t>(sharing, steps))};
  }

  template <class T, class Copies>
  void launch(const Product& g, Decomposition decomposition, const TileEstimate& expected) {
    const auto kernel = gemm_copiers<T, Copies>;
    allow_shared(kernel, T::bytes);
    const auto [plan, blocks] = plan_of<T>(g, decomposition, expected);
    CUtensorMap map{};
    if (expected.by_map && g.k > 0) {
      course::make_map(map, g.B, g.k, g.n, g.ldb, T::depth, T::cols);
    }
    kernel<<<blocks, T::threads + producer_threads, T::bytes>>>(map, g, plan,
                                                                on_16_bytes(g.C, g.ldc));
    CUDA_CHECK_LAUNCH();
  }

  template <class T, int floats>
  void launch_many(const Product& g, int blocks) {
    Plan plan = data_parallel_plan<T>(g.m, g.n, g.k);
    plan.parts = parts_;
    const auto kernel = blocks > 1 ? gemm_many<T, floats, true> : gemm_many<T, floats, false>;
    constexpr int bytes = bytes_of_many<T>;
    allow_shared(kernel, bytes);
    kernel<<<plan.whole * blocks, T::threads, bytes>>>(g, plan, blocks);
    CUDA_CHECK_LAUNCH();
    if (blocks > 1) launch_add_parts<T>(g, plan, blocks);
  }

  /// It may begin before the blocks whose sums it adds up have ended: then its own blocks are
  /// already resident when those sums are complete.
  template <class T>
  void launch_add_parts(const Product& g, const Plan& plan, int blocks) {
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = plan.whole * (T::rows * T::cols / (4 * reduction_threads));
    config.blockDim = reduction_threads;
    config.attrs = &early;
    config.numAttrs = has_bulk_copies() ? 1 : 0;
    CUDA_CHECK(cudaLaunchKernelEx(&config, add_parts<T>, g, plan, blocks, on_16_bytes(g.C, g.ldc)));
  }

  template <class... Tiles>
  void run_many(TileList<Tiles...>, const Product& g, ManyChoice choice,
                Decomposition decomposition) {
    int i = 0;
    const auto look = [&]<class T>(T*) {
      if (i++ != choice.index) return;
      int blocks = choice.sharing;
      if (decomposition == Decomposition::persistent ||
          decomposition == Decomposition::data_parallel)
        blocks = 1;
      if (decomposition == Decomposition::stream_k) {
        const int most = partial_capacity<T>() / data_parallel_plan<T>(g.m, g.n, g.k).whole;
        blocks = std::max(1, std::min({most, (g.k - 1) / T::depth + 1, 5}));
      }
      by_fours(g) ? launch_many<T, 4>(g, blocks) : launch_many<T, 1>(g, blocks);
    };
    (look(static_cast<Tiles*>(nullptr)), ...);
  }

  template <class T>
  void run_direct(const AlgorithmCosts& c, const Product& g, Decomposition decomposition) {
    const TileEstimate expected = estimate_of_tile<T>(c, g);
    if (expected.by_map) {
      launch<T, Direct<true>>(g, decomposition, expected);
    } else {
      launch<T, Direct<false>>(g, decomposition, expected);
    }
  }

  void run_packed(const Product& g, Decomposition decomposition) {
    const int steps = (g.k - 1) / Large::depth + 1;
    const int strips = (g.m - 1) / Large::rows + 1;
    Product p = g;
    float* A = reserve(A_, packed_floats<Large>(g.m, g.k));
    pack_A<Large><<<steps * strips, 256>>>(g.A, g.lda, g.m, g.k, steps, A);
    CUDA_CHECK_LAUNCH();
    p.A = A;
    if (!on_16_bytes(g.B, g.ldb)) {
      p.ldb = (std::int64_t{g.n} + 3) / 4 * 4;
      float* B = reserve(B_, g.k * p.ldb);
      copy_rows<<<((g.n - 1) / 2048 + 1) * g.k, 256>>>(g.B, g.ldb, g.n, B, p.ldb);
      CUDA_CHECK_LAUNCH();
      p.B = B;
    }
    const TileEstimate expected = {estimate_of<Large>(costs::packed, g), true};
    if (on_16_bytes(g.C, g.ldc)) {
      launch<Large, Packed<false>>(p, decomposition, expected);
    } else {
      launch<Large, Packed<true>>(p, decomposition, expected);
    }
  }

  using Workspace = std::unique_ptr<course::DeviceArray<float>>;
  static float* reserve(Workspace& workspace, std::int64_t floats) {
    const auto count = static_cast<std::size_t>(floats);
    if (!workspace || workspace->size() < count) {
      workspace.reset();
      workspace = std::make_unique<course::DeviceArray<float>>(count, course::unset);
    }
    return *workspace;
  }

  int processors_;
  course::DeviceArray<float> parts_;
  course::DeviceArray<unsigned> arrived_;
  Workspace A_, B_;  // packed
};

}  // namespace ours
