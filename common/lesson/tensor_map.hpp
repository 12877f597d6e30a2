/// @file
/// Maps of matrices for copies of whole tiles into shared memory (chapters 20, 21 and 22).
#pragma once

#include <cudaTypedefs.h>

#include <cstdint>

#include "course.hpp"

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

/// A row-major matrix, cut into boxes. What is out of bounds is read as 0.
/// @param map     the result: it must begin at a multiple of 64 bytes
/// @param matrix  begins at a multiple of 16 bytes
/// @param ld      distance from one row to the next, in elements: a multiple of 16 bytes
/// @param swizzle the layout of a box in shared memory; by default row by row, not swizzled
/// @throws Error if the driver cannot make a map of this matrix
template <class Element>
void make_map(CUtensorMap& map, const Element* matrix, int rows, int cols, std::int64_t ld,
              int box_rows, int box_cols, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  static_assert(sizeof(Element) == 2 || sizeof(Element) == 4);
  const cuuint64_t extents[2] = {static_cast<cuuint64_t>(cols), static_cast<cuuint64_t>(rows)};
  const cuuint64_t pitch[1] = {static_cast<cuuint64_t>(ld) * sizeof(Element)};
  const cuuint32_t box[2] = {static_cast<cuuint32_t>(box_cols), static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t every[2] = {1, 1};
  // Copies do not interpret numbers: BF16's type also works for halves.
  const auto type =
      sizeof(Element) == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  const CUresult result =
      map_encoder()(&map, type, 2, const_cast<Element*>(matrix), extents, pitch, box, every,
                    CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) throw Error("no tensor map of such a matrix");
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
