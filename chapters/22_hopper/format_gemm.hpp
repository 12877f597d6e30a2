/// @file
/// Products of numbers of 8, 16 and 32 bits, of transposed operands and of batches: the launch of
/// gemm_format, for any shape and any leading dimensions.
#pragma once

#include <cmath>

#include "format_kernels.hpp"
#include "launch.hpp"
#include "tensor_cores/padded_rows.hpp"
#include "transposed_rows.hpp"

namespace hopper {

/// How the tensor core's sums of FP8 are added up: all by itself, in its own format with few bits;
/// or 128 terms at a time, and those in FP32.
enum class Accumulation { tensor_core, promoted };

/// A kernel's tile, and how long a multiprocessor takes for it, in any unit.
template <class Tile_, int cost_>
struct TileChoice {
  using Tile = Tile_;
  static constexpr int cost = cost_;
};
template <class... Choices>
struct TileChoices {};

/// The tiles of a format. The costs are measured, at m = n = k = 8,192.
template <class Format, Accumulation accumulation>
struct FormatTiles {
  using All = TileChoices<TileChoice<FormatTile<Format, 128, 256, 4, 2>, 100>,
                          TileChoice<FormatTile<Format, 128, 128, 6, 1>, 56>>;
};
template <class Format>
struct FormatTiles<Format, Accumulation::promoted> {
  using All = TileChoices<TileChoice<FormatTile<Format, 128, 256, 4, 2, 128>, 141>,
                          TileChoice<FormatTile<Format, 128, 192, 4, 2, 96>, 100>,
                          TileChoice<FormatTile<Format, 128, 128, 6, 1, 64>, 75>>;
};

/// A launch of gemm_format.
template <class Tile>
struct FormatLaunch : ClusterLaunch {
  FormatLaunch()
      : ClusterLaunch(gemm_format<Tile>, Tile::cluster, 128 * (Tile::groups + 1),
                      sizeof(Storage<Tile, true>)) {}
};

/// How many clusters of such a launch the device can hold at once.
template <class Tile>
int most_format_clusters() {
  static const int most = FormatLaunch<Tile>().most_clusters(gemm_format<Tile>);
  return most;
}

/// One launch for all matrices of a batch, which suit maps.
template <class Tile>
void launch_format(const typename Tile::Format::Product& g, int band_height = 16) {
  using C = typename Tile::Format::C;
  const int places = cluster_tile_count<Tile>(g.m, g.n, {Tile::down, Tile::across}) * g.batches;
  course::Plan plan{};
  plan.across = (g.n - 1) / Tile::cols + 1;
  plan.down = places / plan.across;
  plan.cluster = Tile::cluster;
  plan.steps = (g.k - 1) / Tile::depth + 1;
  plan.whole = places;
  const bool pairs = reinterpret_cast<std::uintptr_t>(g.C) % (2 * sizeof(C)) == 0 &&
                     g.ldc % 2 == 0 && (g.batches == 1 || g.stride_C % 2 == 0);
  const Output output = suits_maps(g.C, g.ldc, g.batches, g.stride_C) ? Output::map
                        : pairs                                       ? Output::pairs
                                                                      : Output::single;
  FormatLaunch<Tile> launch;
  launch.config.gridDim =
      static_cast<unsigned>(Tile::cluster * std::min(places, most_format_clusters<Tile>()));
  const FormatMaps<Tile> maps(g);
  CUDA_CHECK(cudaLaunchKernelEx(&launch.config, gemm_format<Tile>, maps, g, plan,
                                std::max(band_height / Tile::down, 1), output));
}

/// What remains of a product without terms: beta C.
template <class C>
__global__ void scale_only(C* matrix, std::int64_t stride, std::int64_t ld, int m, int n,
                           float beta) {
  C* const of_batch = matrix + blockIdx.z * stride;
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= n) return;
  for (int row = static_cast<int>(blockIdx.y); row < m; row += static_cast<int>(gridDim.y)) {
    C& element = of_batch[row * ld + col];
    element = rounded_to<C>(beta == 0.0F ? 0.0F : beta * to_float(element));
  }
}

/// An operand as the kernel can take it: itself, or a copy in buffers that are kept.
template <class Element>
class PackedOperand {
 public:
  /// Whether maps can take the matrices as they are.
  static bool suits(const Element* matrix, Major major, std::int64_t ld, int batches,
                    std::int64_t stride) {
    return suits_maps(matrix, ld, batches, stride) && (sizeof(Element) == 2 || major == Major::k);
  }
  /// @param lines rows of A, columns of B
  const Element* packed(const Element* matrix, int lines, int k, Major& major, std::int64_t& ld) {
    if (major == Major::k) return rows_.aligned(matrix, lines, k, ld);
    if constexpr (sizeof(Element) == 2) return rows_.aligned(matrix, k, lines, ld);
    major = Major::k;
    return transposed_.transposed(matrix, k, lines, ld);
  }

 private:
  course::PaddedRows<Element> rows_;
  course::TransposedRows<Element> transposed_;
};

/// Buffers for operands that must be copied first, and the function. Two streams need two of them.
template <class A, class B, class C, Accumulation accumulation = Accumulation::tensor_core>
class FormatGemm {
 public:
  using Product = ProductOf<A, B, C>;

  /// C = alpha A B + beta C: see ProductOf. If a batch's matrices do not all begin at multiples of
  /// 16 bytes, or must be transposed, each has a launch of its own.
  void operator()(Product g) {
    if (g.m == 0 || g.n == 0 || g.batches == 0) return;
    if (sizeof(A) > 1 && (g.scale_A.values != nullptr || g.scale_B.values != nullptr)) {
      throw course::Error("only operands of FP8 have scales");
    }
    if (g.k == 0) {
      const dim3 blocks(static_cast<unsigned>((g.n - 1) / 128 + 1), std::min(g.m, 32768),
                        static_cast<unsigned>(g.batches));
      scale_only<<<blocks, 128>>>(g.C, g.stride_C, g.ldc, g.m, g.n, g.beta);
      CUDA_CHECK_LAUNCH();
      return;
    }
    const bool suits = PackedOperand<A>::suits(g.A, g.major_A, g.lda, g.batches, g.stride_A) &&
                       PackedOperand<B>::suits(g.B, g.major_B, g.ldb, g.batches, g.stride_B);
    if (!suits && g.batches > 1) {
      for (int i = 0; i < g.batches; ++i) (*this)(matrix_of(g, i));
      return;
    }
    if (!suits) {
      g.A = A_.packed(g.A, g.m, g.k, g.major_A, g.lda);
      g.B = B_.packed(g.B, g.n, g.k, g.major_B, g.ldb);
    }
    launch(g);
  }

 private:
  // One product of the batch.
  static Product matrix_of(Product g, int i) {
    const auto scales_of = [&](Scales all, int lines) {
      if (all.values != nullptr) all.values += all.per_line ? std::int64_t{i} * lines : i;
      return all;
    };
    g.A += i * g.stride_A;
    g.B += i * g.stride_B;
    g.C += i * g.stride_C;
    g.scale_A = scales_of(g.scale_A, g.m);
    g.scale_B = scales_of(g.scale_B, g.n);
    g.batches = 1;
    return g;
  }

  static void launch(const Product& g) {
    if constexpr (sizeof(A) != 2) {
      launch_as<Major::k, Major::k>(g);
    } else if (g.major_A == Major::k) {
      g.major_B == Major::k ? launch_as<Major::k, Major::k>(g) : launch_as<Major::k, Major::mn>(g);
    } else {
      g.major_B == Major::k ? launch_as<Major::mn, Major::k>(g)
                            : launch_as<Major::mn, Major::mn>(g);
    }
  }
  template <Major major_A, Major major_B>
  static void launch_as(const Product& g) {
    launch_best(g, typename FormatTiles<Format<A, B, C, major_A, major_B>, accumulation>::All{});
  }
  // The busiest multiprocessor decides: it has a tile of each round.
  template <class... Choices>
  static void launch_best(const Product& g, TileChoices<Choices...>) {
    const double least = std::min({time_of<Choices>(g)...});
    bool is_launched = false;
    const auto launch_if_best = [&]<class Choice>() {
      if (is_launched || time_of<Choice>(g) > least) return;
      launch_format<typename Choice::Tile>(g);
      is_launched = true;
    };
    (launch_if_best.template operator()<Choices>(), ...);
  }
  template <class Choice>
  static double time_of(const Product& g) {
    using Tile = typename Choice::Tile;
    return Choice::cost *
           std::ceil(1.0 * cluster_tile_count<Tile>(g.m, g.n, {Tile::down, Tile::across}) *
                     g.batches / most_format_clusters<Tile>());
  }

  PackedOperand<A> A_;
  PackedOperand<B> B_;
};

}  // namespace hopper
