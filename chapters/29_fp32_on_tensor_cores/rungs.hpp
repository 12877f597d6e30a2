/// @file
/// All the ways of this chapter, by name, with the error that each may have.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "course.hpp"
#include "cublas.hpp"
#include "launch.hpp"

namespace fp32 {

struct Rung {
  std::string name;
  course::GemmLauncher launch;
  double lost = 0;         ///< of a product of two floats, relative to it: what no part has
  bool truncates = false;  ///< all sums, also long ones: no promotion

  /// The error that a sum of k terms may have, relative to the sum of their magnitudes.
  double bound(std::size_t k) const {
    const auto terms = static_cast<double>(k);
    return lost + (truncates ? terms * 0x1p-23 : 0.0) + 16 * 0x1p-24 * std::sqrt(terms);
  }
};

/// In FP32: as in chapter 08, C^T = B^T A^T.
inline void launch_cublas(const float* A, const float* B, float* C, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    CUDA_CHECK(cublasCreate(&made));
    CUDA_CHECK(cublasSetMathMode(made, CUBLAS_DEFAULT_MATH));  // no TF32
    return made;
  }();
  const float one = 1.0F;
  const float zero = 0.0F;
  CUDA_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, std::max(k, 1),
                         &zero, C, n));
}

inline void launch_ours(const float* A, const float* B, float* C, int m, int n, int k) {
  static Gemm gemm;
  gemm(A, B, C, m, n, k);
}

/// By wgmma, whatever the shape.
template <class Tile>
void launch_groups(const float* A, const float* B, float* C, int m, int n, int k) {
  static PartsGemm<typename Tile::Number, Tile::parts_of_number> gemm;
  gemm.template run<Tile>(A, B, C, m, n, k);
}

/// By mma.sync.
inline std::vector<Rung> warp_rungs() {
  return {
      {"TF32", launch_warps<Scheme<Tf32, 1, 0, 0>>, 0x1p-10, true},
      {"TF32 x 3, truncated", launch_warps<Scheme<Tf32, 2, 1, 0>>, 0x1p-20, true},
      {"TF32 x 3", launch_warps<Scheme<Tf32, 2, 1, 64>>, 0x1p-20},
      {"BF16 x 3", launch_warps<Scheme<Bf16, 2, 1, 64>>, 0x1p-14},
      {"BF16 x 6", launch_warps<Scheme<Bf16, 3, 2, 64>>, 0x1p-21},
      {"BF16 x 9", launch_warps<Scheme<Bf16, 3, 4, 64>>, 0.0},
      {"FP16 x 3, unscaled", launch_warps<Scheme<UnscaledFp16, 2, 1, 64>>, 0x1p-20},
      {"FP16 x 3", launch_warps<Scheme<Fp16, 2, 1, 64>>, 0x1p-20},
      {"INT8 x 10", launch_warps<Scheme<Int8, 4, 3, 0>>, 0x1p-20},
  };
}

/// By wgmma.
inline std::vector<Rung> group_rungs() {
  return {
      {"wgmma BF16 x 6", launch_groups<PartsTile<Bf16, 256, 4, 2, 3, 2, 1, 2>>, 0x1p-21},
      {"wgmma BF16 x 9", launch_groups<PartsTile<Bf16, 256, 4, 2, 3, 4, 1, 2>>},
      {"wgmma FP16 x 3, truncated", launch_groups<PartsTile<Fp16, 256, 4, 2, 2, 1, 0>>, 0x1p-20,
       true},
      {"wgmma FP16 x 3", launch_groups<Wide>, 0x1p-20},
  };
}

/// The last one with other tiles and intervals.
inline std::vector<Rung> variants() {
  return {
      {"128 x 128, 128 terms", launch_groups<Small>, 0x1p-20},
      {"128 x 192, 128 terms", launch_groups<PartsTile<Fp16, 192, 4, 2, 2, 1, 4>>, 0x1p-20},
      {"128 x 192, 256 terms", launch_groups<PartsTile<Fp16, 192, 4, 2, 2, 1, 8>>, 0x1p-20},
      {"128 x 256, 1 block", launch_groups<PartsTile<Fp16, 256, 4, 1, 2, 1, 1, 2>>, 0x1p-20},
  };
}

/// Those that this device can run.
inline std::vector<Rung> rungs_here(bool only_fast = false, bool with_variants = false) {
  std::vector<Rung> all;
  const auto add = [&](std::vector<Rung> more) {
    for (Rung& rung : more) all.push_back(std::move(rung));
  };
  if (!only_fast) add(warp_rungs());
  if (has_wgmma()) {
    add(group_rungs());
    if (with_variants) add(variants());
  }
  add({{"ours", launch_ours, 0x1p-20}, {"cuBLAS", launch_cublas}});
  return all;
}

}  // namespace fp32
