#pragma once
/// \file
/// What cuBLASLt's descriptions hold, inside the opaque words that a program has of them.

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include "cublasLt.h"

namespace emulator::cublas {

// The first member of each is a stamp, so that memory without one is noticed.

struct LtLayout {
  static constexpr std::uint32_t right_stamp = 0x1A107;
  std::uint32_t stamp = right_stamp;
  std::uint32_t type = CUDA_R_32F;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t leading_dimension = 0;
  std::int64_t stride = 0;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::int32_t count = 1;
};

struct LtMatmul {
  static constexpr std::uint32_t right_stamp = 0x3A731;
  std::uint32_t stamp = right_stamp;
  std::int32_t compute = 0;
  std::int32_t scale = 0;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = CUBLAS_OP_N;
  std::int32_t transb = CUBLAS_OP_N;
  std::int32_t transc = CUBLAS_OP_N;
  std::int32_t fill = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  std::int32_t sm_count_target = 0;
  const void* bias = nullptr;
  std::int64_t bias_stride = 0;
  std::int32_t bias_type = -1;
  std::int8_t fast_sums = 0;
};

struct LtPreference {
  static constexpr std::uint32_t right_stamp = 0x93EF1;
  std::uint32_t stamp = right_stamp;
  std::uint32_t search = CUBLASLT_SEARCH_BEST_FIT;
  std::uint64_t workspace = 0;
  std::uint64_t implementations = ~std::uint64_t{0};
  std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint32_t alignments[4] = {256, 256, 256, 256};
  float waves = 0;
};

struct LtTransform {
  static constexpr std::uint32_t right_stamp = 0x74A25;
  std::uint32_t stamp = right_stamp;
  std::int32_t scale = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = CUBLAS_OP_N;
  std::int32_t transb = CUBLAS_OP_N;
};

/// What is in a program's description, or nothing if it is null or none.
template <class Inside, class Opaque>
std::optional<Inside> read(const Opaque* opaque) {
  static_assert(sizeof(Inside) <= sizeof(Opaque) && std::is_trivially_copyable_v<Inside>);
  Inside inside{};
  if (opaque == nullptr) return std::nullopt;
  std::memcpy(static_cast<void*>(&inside), opaque, sizeof inside);
  if (inside.stamp != Inside::right_stamp) return std::nullopt;
  return inside;
}

/// The model's one algorithm, as a program holds it.
bool is_the_algorithm(const cublasLtMatmulAlgo_t& algo);
cublasLtMatmulAlgo_t the_algorithm();

}  // namespace emulator::cublas
