/// @file
/// The launches by wgmma, and the function that chooses: tensor cores, or plain FP32.
#pragma once

#include "../20_gemm_pipeline/best_sgemm.hpp"
#include "group_products.hpp"
#include "tensor_cores/cluster_launch.hpp"

namespace fp32 {

/// Whether the device has wgmma and tensor maps as chapter 22 uses them.
inline bool has_wgmma() {
  return course::has_hopper_code() &&
         course::device_attribute(cudaDevAttrComputeCapabilityMajor) == 9;
}

/// A launch of gemm_groups.
template <class Tile>
struct GroupsLaunch : hopper::ClusterLaunch {
  GroupsLaunch()
      : ClusterLaunch(gemm_groups<Tile>, Tile::cluster, 128 * (Tile::groups + 1),
                      sizeof(hopper::Storage<Tile, true>)) {}
};

/// How many clusters of such a launch the device can hold at once.
template <class Tile>
int most_group_clusters() {
  static const int most = GroupsLaunch<Tile>().most_clusters(gemm_groups<Tile>);
  return most;
}

/// Packed matrices of that many parts, in memory that is kept. Two streams need two of them.
template <class Number, int parts>
class PartsGemm {
 public:
  /// C = A B by wgmma, with a tile of this format.
  template <class Tile>
  void run(const float* A, const float* B, float* C, int m, int n, int k) {
    static_assert(Tile::parts_of_number == parts);
    Product g{A, B, C, m, n, k};
    if (is_done(g)) return;
    if (Number::scales) largest_.find(g);
    typename Tile::Format::Product packed{nullptr, nullptr, C, m, n, packed_depth<parts>(k),
                                          0,       0,       n};
    packed.A = A_.template operator()<true>(A, m, k, g.largest_A, packed.lda);
    packed.B = B_.template operator()<false>(B, k, n, g.largest_B, packed.ldb);
    launch<Tile>(packed, g);
  }

 private:
  template <class Tile>
  static void launch(const typename Tile::Format::Product& packed, const Product& g) {
    const hopper::Cluster cluster = {Tile::down, Tile::across};
    course::Plan plan{};
    plan.across = hopper::cluster_tiles_across<Tile>(g.n, cluster);
    plan.down = hopper::cluster_tiles_down<Tile>(g.m, cluster);
    plan.cluster = Tile::cluster;
    plan.steps = packed.k / Tile::depth;
    plan.whole = plan.across * plan.down;
    const bool pairs = reinterpret_cast<std::uintptr_t>(g.C) % 8 == 0 && g.n % 2 == 0;
    const hopper::Output output = hopper::suits_maps(packed.C, packed.ldc, 1, 0)
                                      ? hopper::Output::map
                                  : pairs ? hopper::Output::pairs
                                          : hopper::Output::single;
    GroupsLaunch<Tile> launch;
    launch.config.gridDim =
        static_cast<unsigned>(Tile::cluster * std::min(plan.whole, most_group_clusters<Tile>()));
    const hopper::FormatMaps<Tile> maps(packed);
    CUDA_CHECK(cudaLaunchKernelEx(&launch.config, gemm_groups<Tile>, maps, packed, g, plan,
                                  16 / Tile::down, output));
  }

  Largest largest_;
  Packed<Number, parts> A_, B_;
};

// ---------------------------------------------------------------- tiles

/// FP16 in three products. Its sums of 32 terms are promoted, in two passes ...
using Wide = PartsTile<Fp16, 256, 4, 2, 2, 1, 1, 2>;
/// ... or those of 128, of fewer columns. For smaller products.
using Small = PartsTile<Fp16, 128, 6, 1, 2, 1, 4>;

/// Our best product of floats.
class Gemm {
 public:
  void operator()(const float* A, const float* B, float* C, int m, int n, int k) {
    if (!has_wgmma() || !pays(m, n, k)) return plain_(m, n, k, 1.0F, A, k, B, n, 0.0F, C, n);
    const bool is_wide = seconds_of<Wide>(m, n, k) <= seconds_of<Small>(m, n, k);
    is_wide ? parts_.run<Wide>(A, B, C, m, n, k) : parts_.run<Small>(A, B, C, m, n, k);
  }

  /// Whether tensor cores are expected to be faster than plain FP32, the passes before the product
  /// included: those read all floats twice, and write as many bytes once.
  static bool pays(int m, int n, int k) {
    if (m == 0 || n == 0 || k == 0) return false;
    const double bytes = 3 * 4.0 * k * (static_cast<double>(m) + n);
    const double tensor = 20e-6 + bytes / (processors() * 23e9) +
                          std::min(seconds_of<Wide>(m, n, k), seconds_of<Small>(m, n, k));
    const double plain = 8e-6 + 2.0 * m * n * k / (processors() * 0.38e12);
    return tensor < plain;
  }

 private:
  static int processors() {
    static const int all = course::device_attribute(cudaDevAttrMultiProcessorCount);
    return all;
  }
  // The busiest multiprocessor decides. Its tensor cores do 2,048 multiply-adds per clock, at
  // 1.45 GHz or so; smaller tiles wait for memory more often.
  template <class Tile>
  static double seconds_of(int m, int n, int k) {
    const double tiles = hopper::cluster_tile_count<Tile>(m, n, {Tile::down, Tile::across});
    const double rounds = std::ceil(tiles * Tile::cluster / processors());
    const double loss = Tile::cols == 256 ? 1.0 : 1.15;
    return rounds * Tile::rows * Tile::cols * 3.0 * k / 2048 / 1.45e9 * loss;
  }

  PartsGemm<Fp16, 2> parts_;
  ours::Sgemm plain_;
};

}  // namespace fp32
