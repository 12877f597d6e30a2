#pragma once
/// \file
/// Arguments of cuBLAS's functions on matrices as OpenBLAS takes them.

#include <string>
#include <utility>

#include "libraries/cublas/call.hpp"
#include "libraries/cublas/compute.hpp"
#include "libraries/cublas/openblas.hpp"

namespace emulator::cublas {

/// OpenBLAS's words for cuBLAS's.
inline CBLAS_SIDE side_of(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}
inline CBLAS_UPLO triangle_of(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower;
}
inline CBLAS_TRANSPOSE transposition_of(cublasOperation_t operation) {
  if (is_conjugated(operation)) return CblasConjTrans;
  return is_transposed(operation) ? CblasTrans : CblasNoTrans;
}
inline CBLAS_DIAG diagonal_of(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

/// Sizes for functions that are OpenBLAS's as a whole, which has ints for them.
class OpenblasSizes {
 public:
  explicit OpenblasSizes(Call& call) : call_(call) {}

  int size(std::int64_t value) {
    if (value > largest_block) {
      call_.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                   "sizes above " + std::to_string(largest_block) + " are not modelled here");
    }
    return static_cast<int>(value);
  }
  // Of a single column the distance to the next does not matter.
  int leading_dimension(std::int64_t value, std::int64_t rows, std::int64_t columns) {
    return size(columns == 1 ? rows : value);
  }

 private:
  Call& call_;
};

/// op(A), which has these numbers of rows and columns, as it is stored.
template <class T>
Rectangle<const T> stored(const T* data, bool transposed, std::int64_t rows, std::int64_t columns,
                          std::int64_t leading_dimension) {
  if (transposed) std::swap(rows, columns);
  return {data, rows, columns, leading_dimension};
}

}  // namespace emulator::cublas
