/// @file
/// Products of other numbers than BF16, of transposed operands and of batches: what they compute,
/// how their operands are stored, and the tiles of a block.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <type_traits>

#include "tiles.hpp"

namespace hopper {

using Half = __half;
using E4m3 = __nv_fp8_e4m3;  ///< FP8 with 4 bits of exponent and 3 of mantissa: up to 448
using E5m2 = __nv_fp8_e5m2;  ///< FP8 with 5 and 2: up to 57,344

/// Which neighbours of an operand are contiguous in memory: those along k, or those along m (of A)
/// or n (of B). A row-major A (m x k) is K-major, a row-major B (k x n) is MN-major.
enum class Major { k, mn };

/// Factors of an operand of FP8, in device memory: one per matrix, or one per row of A or column of
/// B, matrix after matrix. None: all are 1.
struct Scales {
  const float* values = nullptr;
  bool per_line = false;

  __device__ float of(int matrix, int lines, int line) const {
    if (values == nullptr) return 1.0F;
    return values[per_line ? std::int64_t{matrix} * lines + line : matrix];
  }
};

/// C = alpha (scale_A A) (scale_B B) + beta C, for each of `batches` triples of matrices. C is m x
/// n, row-major. ld: distance from one row to the next as it is stored; stride: from one matrix to
/// the next; both in elements. Numbers of 4 bytes are multiplied as TF32: the tensor core ignores
/// their last 13 bits.
template <class A_, class B_, class C_>
struct ProductOf {
  using ElementA = A_;
  using ElementB = B_;
  using ElementC = C_;
  const A_* A;
  const B_* B;
  C_* C;
  int m, n, k;
  std::int64_t lda, ldb, ldc;
  Major major_A = Major::k;   ///< mn: A is stored transposed, k x m
  Major major_B = Major::mn;  ///< k: B is stored transposed, n x k
  int batches = 1;
  std::int64_t stride_A = 0, stride_B = 0, stride_C = 0;  ///< 0: all use the same A, or B
  float alpha = 1.0F;
  float beta = 0.0F;  ///< if 0, C is not read
  Scales scale_A{}, scale_B{};
};

/// Types and storage of a kernel's operands, as the instruction needs them at compile time.
template <class A_, class B_, class C_, Major major_A_, Major major_B_>
struct Format {
  using A = A_;
  using B = B_;
  using C = C_;
  using Product = ProductOf<A, B, C>;
  static constexpr Major major_A = major_A_;
  static constexpr Major major_B = major_B_;
  static_assert(sizeof(A) == sizeof(B));
  static_assert(sizeof(A) == 2 || (major_A == Major::k && major_B == Major::k),
                "wgmma transposes operands of 16 bits only");
};

/// A block's tile of C: as Tile, with operands of any format. `promoted_width`: if not 0, the
/// tensor core adds up `depth` terms only, of that many columns; the warps add those sums in FP32.
template <class Format_, int rows_, int cols_, int stages_, int down_, int promoted_width = 0>
struct FormatTile {
  using Format = Format_;
  static constexpr int rows = rows_;
  static constexpr int cols = cols_;
  static constexpr int groups = 2;
  static constexpr int stages = stages_;
  static constexpr int down = down_;  ///< blocks of a cluster, which share tiles of B
  static constexpr int across = 1;
  static constexpr bool swapped = false;
  static constexpr int residents = 1;
  static constexpr int cluster = down;
  static constexpr int partners = down;
  static constexpr int in_line = 128 / static_cast<int>(sizeof(typename Format::A));
  static constexpr int depth = in_line;  ///< along k: 128 bytes, as wide as the swizzle
  static constexpr int bytes_A = rows * 128;
  static constexpr int bytes_B = cols * 128;
  static constexpr int products = rows / groups / 64;
  static constexpr int warps = 4 * groups;
  static constexpr bool promotes = promoted_width != 0;
  static constexpr int width = promotes ? promoted_width : cols;  ///< of one instruction, columns
  static constexpr int parts = cols / width;
  static_assert(products * groups * 64 == rows && parts * width == cols && cols % 64 == 0);
  static_assert(!promotes || (products == 1 && parts % 2 == 0));
};

// ---------------------------------------------------------------- tensor maps

/// Whether a map of such matrices is possible: each row of each matrix begins at a multiple of 16
/// bytes.
template <class Element>
bool suits_maps(const Element* matrix, std::int64_t ld, int batches, std::int64_t stride) {
  constexpr int unit = 16 / static_cast<int>(sizeof(Element));
  return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && ld % unit == 0 &&
         (batches == 1 || stride % unit == 0);
}

/// All maps of a product. If C's rows are not aligned, its map is not used.
template <class Tile>
struct FormatMaps {
  CUtensorMap A, B, C;

  explicit FormatMaps(const typename Tile::Format::Product& g) {
    using F = typename Tile::Format;
    make<F::major_A, Tile::rows>(A, g.A, g.m, g.k, g.lda, g.batches, g.stride_A);
    make<F::major_B, Tile::cols / Tile::down, Tile::depth / Tile::down>(B, g.B, g.n, g.k, g.ldb,
                                                                        g.batches, g.stride_B);
    C = B;
    if (suits_maps(g.C, g.ldc, g.batches, g.stride_C)) {
      course::make_batched_map(
          C, g.C, g.m, g.n, g.ldc, g.batches, stride_of(g.batches, g.stride_C, g.ldc), 16,
          128 / static_cast<int>(sizeof(typename F::C)), CU_TENSOR_MAP_SWIZZLE_128B);
    }
  }

 private:
  // A single matrix may have any stride, but its map needs one.
  static std::int64_t stride_of(int batches, std::int64_t stride, std::int64_t ld) {
    return batches == 1 || stride == 0 ? ld : stride;
  }
  template <Major major, int box_lines, int box_depth = Tile::depth, class Element>
  static void make(CUtensorMap& map, const Element* matrix, int lines, int k, std::int64_t ld,
                   int batches, std::int64_t stride) {
    const bool along_k = major == Major::k;
    course::make_batched_map(map, matrix, along_k ? lines : k, along_k ? k : lines, ld,
                             stride == 0 ? 1 : batches, stride_of(batches, stride, ld),
                             along_k ? box_lines : box_depth, Tile::in_line,
                             CU_TENSOR_MAP_SWIZZLE_128B);
  }
};

}  // namespace hopper
