/// @file
/// Maps of matrices for copies of whole tiles into shared memory (chapters 20, 21 and 22).
#pragma once

#include <cudaTypedefs.h>

#include <cstdint>

#include "check.hpp"

namespace course {

/// The driver's function that makes maps, without linking the driver's library.
/// @throws Error if the driver does not have it
inline PFN_cuTensorMapEncodeTiled_v12000 map_encoder() {
  static const PFN_cuTensorMapEncodeTiled_v12000 encoder = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                cudaEnableDefault, &found));
    if (found != cudaDriverEntryPointSuccess) throw Error("the driver has no tensor maps");
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  }();
  return encoder;
}

/// Row-major matrices of the same size, the same distance apart, cut into boxes of one matrix each:
/// a map of three dimensions, column, row and matrix. What is out of bounds is read as 0.
/// @param map     the result: it must begin at a multiple of 64 bytes
/// @param matrix  the first, which begins at a multiple of 16 bytes
/// @param ld      distance from one row to the next, in elements: a multiple of 16 bytes
/// @param count   of matrices; 0: the map has two dimensions, column and row
/// @param stride  distance from one matrix to the next, in elements: a multiple of 16 bytes
/// @param swizzle the layout of a box in shared memory
/// @throws Error if the driver cannot make a map of these matrices
template <class Element>
void make_batched_map(CUtensorMap& map, const Element* matrix, int rows, int cols, std::int64_t ld,
                      int count, std::int64_t stride, int box_rows, int box_cols,
                      CUtensorMapSwizzle swizzle) {
  static_assert(sizeof(Element) == 1 || sizeof(Element) == 2 || sizeof(Element) == 4);
  const cuuint64_t extents[3] = {static_cast<cuuint64_t>(cols), static_cast<cuuint64_t>(rows),
                                 static_cast<cuuint64_t>(count)};
  const cuuint64_t pitch[2] = {static_cast<cuuint64_t>(ld) * sizeof(Element),
                               static_cast<cuuint64_t>(stride) * sizeof(Element)};
  const cuuint32_t box[3] = {static_cast<cuuint32_t>(box_cols), static_cast<cuuint32_t>(box_rows),
                             1};
  const cuuint32_t every[3] = {1, 1, 1};
  // Copies do not interpret numbers: BF16's type also works for halves, bytes for FP8.
  const auto type = sizeof(Element) == 4   ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                    : sizeof(Element) == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                           : CU_TENSOR_MAP_DATA_TYPE_UINT8;
  const CUresult result =
      map_encoder()(&map, type, count == 0 ? 2 : 3, const_cast<Element*>(matrix), extents, pitch,
                    box, every, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                    CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) throw Error("no tensor map of such a matrix");
}

/// A map of one row-major matrix.
template <class Element>
void make_map(CUtensorMap& map, const Element* matrix, int rows, int cols, std::int64_t ld,
              int box_rows, int box_cols, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  make_batched_map(map, matrix, rows, cols, ld, 0, 0, box_rows, box_cols, swizzle);
}

/// The same, in boxes of box_rows rows, 128 bytes each. In shared memory a box is swizzled: in row
/// r, piece p of 16 bytes is at position p XOR (r mod 8).
template <class Element>
void make_swizzled_map(CUtensorMap& map, const Element* matrix, int rows, int cols, std::int64_t ld,
                       int box_rows) {
  make_map(map, matrix, rows, cols, ld, box_rows, 128 / static_cast<int>(sizeof(Element)),
           CU_TENSOR_MAP_SWIZZLE_128B);
}

}  // namespace course
