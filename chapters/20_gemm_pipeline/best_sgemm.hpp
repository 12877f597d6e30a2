/// @file
/// Our best C = alpha A B + beta C, in FP32 throughout: many algorithms, and one function that
/// estimates the time of each and chooses the fastest.
#pragma once

#include <limits>
#include <utility>

#include "ahead.hpp"
#include "costs.hpp"
#include "many.hpp"
#include "pack.hpp"
#include "producer_warps.hpp"
#include "thin.hpp"

namespace ours {

/// Algorithms for a product.
enum class Algorithm {
  large,   ///< producer warps, tiles of 256 x 128
  packed,  ///< the same, with an A that was packed before
  pair,    ///< tiles of 128 x 128, and two blocks per multiprocessor
  narrow,  ///< tiles of 256 x 64
  flat,    ///< tiles of 64 x 256
  many,    ///< no producer warps, many small blocks, tiles of four shapes
  thin,    ///< few rows or columns: no tiles
  ahead,   ///< no producer warps, one tile per block: for any GPU
};

/// How tiles of C are distributed over blocks.
enum class Decomposition {
  by_model,       ///< shared or whole, whichever the model expects to be faster
  stream_k,       ///< as many blocks as fit on the GPU; steps of the last tiles are shared out
  persistent,     ///< as many blocks as fit on the GPU, which compute whole tiles
  data_parallel,  ///< one block per tile
};

/// Whether the device has the barriers and copies of producer_warps.hpp, and the program has code
/// for them.
inline bool has_bulk_copies() {
  return course::has_hopper_code();
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

  /// @param processors multiprocessors to keep busy: the model counts them
  explicit Sgemm(int processors = course::device_attribute(cudaDevAttrMultiProcessorCount))
      : processors_(processors),
        parts_(std::size_t{2} * processors_ * Large::rows * Large::cols),
        arrived_(std::size_t{2} * processors_) {
    arrived_.clear();
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
    for (const Algorithm algorithm : {Algorithm::large, Algorithm::pair, Algorithm::narrow,
                                      Algorithm::flat, Algorithm::many, Algorithm::thin}) {
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
        return estimate_of_tile<Large>(costs::packed, g).seconds + costs::copying(g.m, g.k);
      case Algorithm::pair:
        return estimate_of_tile<Pair>(costs::pair, g).seconds;
      case Algorithm::narrow:
        return estimate_of_tile<Narrow>(costs::narrow, g).seconds;
      case Algorithm::flat:
        return estimate_of_tile<Flat>(costs::flat, g).seconds;
      case Algorithm::many:
        return best_of_many(g).seconds;
      case Algorithm::thin:
        return is_thin(g) ? estimate_thin(costs::thin, g.m, g.n, g.k).seconds
                          : std::numeric_limits<double>::infinity();
      default:
        return estimate_of_tile<Large>(costs::large, g).seconds;
    }
  }

  /// @param decomposition for the algorithms that can be decomposed in several ways
  void run(Algorithm algorithm, const Product& g,
           Decomposition decomposition = Decomposition::by_model) {
    if (g.m == 0 || g.n == 0) return;
    if (algorithm == Algorithm::many && g.k > 0) {
      return run_many(ManyTiles{}, g, best_of_many(g), decomposition);
    }
    if (algorithm == Algorithm::thin && g.k > 0 && is_thin(g)) {
      return launch_thin(g, thin_grid(g, processors_, parts_.size()), parts_);
    }
    if (algorithm == Algorithm::ahead || algorithm == Algorithm::thin) {
      return launch_ahead<Ahead>(g);
    }
    if (algorithm == Algorithm::packed && g.k > 0) return run_packed(g, decomposition);
    if (algorithm == Algorithm::pair) return run_direct<Pair>(costs::pair, g, decomposition);
    if (algorithm == Algorithm::narrow) return run_direct<Narrow>(costs::narrow, g, decomposition);
    if (algorithm == Algorithm::flat) return run_direct<Flat>(costs::flat, g, decomposition);
    run_direct<Large>(costs::large, g, decomposition);
  }

  /// The estimate for the fastest of many.hpp's tiles, and which of them that is.
  struct ManyChoice : Estimate {
    int index;
  };
  ManyChoice best_of_many(const Product& g) const { return best_of(ManyTiles{}, g); }

 private:
  template <class T>
  static constexpr Extents extents_of = {T::rows, T::cols, T::depth, T::R* T::C <= 64, T::resident};

  template <class T>
  Estimate estimate_of_tile(const AlgorithmCosts& c, const Product& g) const {
    Estimate expected = estimate(on_16_bytes(g.C, g.ldc) ? c.aligned : c.anywhere, extents_of<T>,
                                 g.m, g.n, g.k, processors_, g.beta != 0.0F);
    if (!on_16_bytes(g.B, g.ldb)) expected.seconds += costs::copying(g.k, g.n);
    return expected;
  }

  static bool is_thin(const Product& g) { return std::min(g.m, g.n) <= most_thin; }

  /// Whether many.hpp copies four numbers of B at a time: all of C's columns come in fours.
  static bool by_fours(const Product& g) { return on_16_bytes(g.B, g.ldb) && g.n % 4 == 0; }

  template <class... Tiles>
  ManyChoice best_of(TileList<Tiles...>, const Product& g) const {
    ManyChoice best = {{std::numeric_limits<double>::infinity(), 1}, 0};
    int i = 0;
    const auto look = [&](Estimate expected) {
      if (expected.seconds < best.seconds) best = {expected, i};
      ++i;
    };
    (look(estimate_many(costs::many[i][by_fours(g)], extents_of<Tiles>, g.m, g.n, g.k, processors_,
                        partial_capacity<Tiles>(), g.beta != 0.0F)),
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

  /// @param g     its B's rows are aligned to 16 bytes
  /// @param early if A or B was packed just before
  template <class T, class Copies>
  void launch_producer_warps(const Product& g, Decomposition decomposition,
                             const Estimate& expected, bool early) {
    const auto kernel = gemm_producer_warps<T, Copies>;
    allow_shared(kernel, T::bytes);
    const auto [plan, blocks] = plan_of<T>(g, decomposition, expected);
    CUtensorMap map{};
    if (g.k > 0) course::make_map(map, g.B, g.k, g.n, g.ldb, T::depth, T::cols);
    launch<CUtensorMap, Product, Plan>(early, kernel, blocks, T::threads + producer_threads,
                                       T::bytes, map, g, plan);
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

  template <class T>
  void launch_add_parts(const Product& g, const Plan& plan, int blocks) {
    const int groups = blocks > 32 ? 8 : 1;
    const auto kernel = groups > 1 ? add_parts<T, 8> : add_parts<T, 1>;
    const int for_a_tile = T::rows * T::cols / (4 * (reduction_threads / groups));
    launch<Product, Plan, int, bool>(true, kernel, plan.whole * for_a_tile, reduction_threads, 0, g,
                                     plan, blocks, on_16_bytes(g.C, g.ldc));
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
  void run_direct(const AlgorithmCosts& c, Product g, Decomposition decomposition) {
    const Estimate expected = estimate_of_tile<T>(c, g);
    const bool copied = align_B(g);
    if (on_16_bytes(g.C, g.ldc)) {
      launch_producer_warps<T, Direct<false>>(g, decomposition, expected, copied);
    } else {
      launch_producer_warps<T, Direct<true>>(g, decomposition, expected, copied);
    }
  }

  void run_packed(Product g, Decomposition decomposition) {
    const Estimate expected = estimate_of_tile<Large>(costs::packed, g);
    const bool copied = align_B(g);
    const int steps = (g.k - 1) / Large::depth + 1;
    const int strips = (g.m - 1) / Large::rows + 1;
    float* A = A_.at_least(static_cast<std::size_t>(packed_floats<Large>(g.m, g.k)));
    launch<const float*, std::int64_t, int, int, int, float*>(
        copied, pack_A<Large>, steps * strips, 256, 0, g.A, g.lda, g.m, g.k, steps, A);
    g.A = A;
    if (on_16_bytes(g.C, g.ldc)) {
      launch_producer_warps<Large, Packed<false>>(g, decomposition, expected, true);
    } else {
      launch_producer_warps<Large, Packed<true>>(g, decomposition, expected, true);
    }
  }

  /// If B's rows begin anywhere, it is replaced by a copy whose rows are aligned to 16 bytes.
  /// @return whether that was so
  bool align_B(Product& g) {
    if (g.k == 0 || on_16_bytes(g.B, g.ldb)) return false;
    const std::int64_t ld = (std::int64_t{g.n} + 3) / 4 * 4;
    float* B = B_.at_least(static_cast<std::size_t>(g.k * ld));
    copy_rows<<<((g.n - 1) / 2048 + 1) * g.k, 256>>>(g.B, g.ldb, g.n, B, ld);
    CUDA_CHECK_LAUNCH();
    g.B = B;
    g.ldb = ld;
    return true;
  }

  int processors_;
  course::Scratch<float> parts_;
  course::Scratch<unsigned> arrived_;
  course::Scratch<float> A_, B_;  // packed, and with aligned rows
};

}  // namespace ours
