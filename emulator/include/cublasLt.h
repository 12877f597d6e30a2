#pragma once
#pragma GCC system_header
/// \file
/// cuBLASLt, of which the emulator models handles only: many programs make one and never use it.
/// The other functions say that they are not modelled and return CUBLAS_STATUS_NOT_SUPPORTED;
/// cuBLAS (cublas_v2.h) computes the same products. Programs link emulator_cublas.

#include <cstddef>
#include <cstdint>

#include "cublas_api.h"

using cublasLtHandle_t = struct cublasLtContext*;

// Opaque: nothing of the model looks into them.
struct cublasLtMatmulAlgo_t {
  std::uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  std::size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};
using cublasLtMatmulDesc_t = struct cublasLtMatmulDescOpaque_t*;
using cublasLtMatrixLayout_t = struct cublasLtMatrixLayoutOpaque_t*;
using cublasLtMatmulPreference_t = struct cublasLtMatmulPreferenceOpaque_t*;
using cublasLtMatrixTransformDesc_t = struct cublasLtMatrixTransformDescOpaque_t*;

enum cublasLtMatmulDescAttributes_t : int {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
};

enum cublasLtMatrixLayoutAttribute_t : int {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
};

enum cublasLtMatmulPreferenceAttributes_t : int {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
};

enum cublasLtOrder_t : int { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1 };

enum cublasLtEpilogue_t : int {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
};

/// A cuBLAS handle by another name, as cuBLAS's own can serve for both.
inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return cublasCreate(reinterpret_cast<cublasHandle_t*>(handle));
}
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}

#define EMULATOR_UNMODELLED(name)                        \
  template <class... Arguments>                          \
  cublasStatus_t name(const Arguments&...) {             \
    return emulator::detail::cublas_not_modelled(#name); \
  }

EMULATOR_UNMODELLED(cublasLtMatmul)
EMULATOR_UNMODELLED(cublasLtMatmulAlgoCheck)
EMULATOR_UNMODELLED(cublasLtMatmulAlgoGetHeuristic)
EMULATOR_UNMODELLED(cublasLtMatmulAlgoGetIds)
EMULATOR_UNMODELLED(cublasLtMatmulAlgoInit)
EMULATOR_UNMODELLED(cublasLtMatmulDescCreate)
EMULATOR_UNMODELLED(cublasLtMatmulDescDestroy)
EMULATOR_UNMODELLED(cublasLtMatmulDescGetAttribute)
EMULATOR_UNMODELLED(cublasLtMatmulDescSetAttribute)
EMULATOR_UNMODELLED(cublasLtMatmulPreferenceCreate)
EMULATOR_UNMODELLED(cublasLtMatmulPreferenceDestroy)
EMULATOR_UNMODELLED(cublasLtMatmulPreferenceGetAttribute)
EMULATOR_UNMODELLED(cublasLtMatmulPreferenceSetAttribute)
EMULATOR_UNMODELLED(cublasLtMatrixLayoutCreate)
EMULATOR_UNMODELLED(cublasLtMatrixLayoutDestroy)
EMULATOR_UNMODELLED(cublasLtMatrixLayoutGetAttribute)
EMULATOR_UNMODELLED(cublasLtMatrixLayoutSetAttribute)
EMULATOR_UNMODELLED(cublasLtMatrixTransform)
EMULATOR_UNMODELLED(cublasLtMatrixTransformDescCreate)
EMULATOR_UNMODELLED(cublasLtMatrixTransformDescDestroy)

#undef EMULATOR_UNMODELLED
