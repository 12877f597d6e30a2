#pragma once
/// \file
/// How tests make tensor maps of matrices.

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

/// The driver's function, as programs get it that are not linked with the driver's library.
inline PFN_cuTensorMapEncodeTiled_v12000 tensor_map_encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  REQUIRE(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                           cudaEnableDefault, &status) == cudaSuccess);
  REQUIRE(status == cudaDriverEntryPointSuccess);
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}

/// A matrix of rows that follow each other, and a box of `box_rows` rows and `box_columns` columns.
/// \param swizzle_bytes 32, 64 or 128, or 16: none
/// \param width that many columns are the tensor's; 0: all
inline CUtensorMap matrix_map(void* matrix, CUtensorMapDataType type, unsigned element_bytes,
                              unsigned rows, unsigned columns, unsigned box_rows,
                              unsigned box_columns, unsigned swizzle_bytes, unsigned width = 0) {
  const cuuint64_t dimensions[2] = {width != 0 ? width : columns, rows};
  const cuuint64_t strides[1] = {cuuint64_t{columns} * element_bytes};
  const cuuint32_t box[2] = {box_columns, box_rows};
  const cuuint32_t steps[2] = {1, 1};
  const CUtensorMapSwizzle swizzle = swizzle_bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                     : swizzle_bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                     : swizzle_bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                           : CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMap map;
  REQUIRE(tensor_map_encoder()(&map, type, 2, matrix, dimensions, strides, box, steps,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  return map;
}
