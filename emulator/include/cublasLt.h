#pragma once
#pragma GCC system_header
/// \file
/// cuBLASLt: products of matrices whose every detail is described beforehand, in objects with
/// attributes. Programs link emulator_cublas.
///
/// D = act(alpha op(A) op(B) + beta C + bias). Modelled are the types of cublasGemmEx()
/// (cublas_elements.h; C and D have one type), columns after each other and rows after each other
/// (CUBLASLT_ORDER_COL and ROW), strided batches, factors on the host and on the device, and the
/// epilogues DEFAULT, RELU, BIAS, RELU_BIAS, GELU and GELU_BIAS, for real numbers. The bias has an
/// element for each row of D, of D's type.
///
/// There are no heuristics: cublasLtMatmulAlgoGetHeuristic() always finds one algorithm, number 0,
/// that needs no workspace and works for all that is modelled. The preferences are checked and
/// without effect, and so is the workspace.
///
/// Attributes and combinations outside the model are CUBLAS_STATUS_NOT_SUPPORTED; what makes no
/// sense, as shapes that do not fit, is CUBLAS_STATUS_INVALID_VALUE. A line on stderr says which.
/// Operands are checked like those of cuBLAS (emulator/libraries/cublas.h).

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "cublas_api.h"

using cublasLtHandle_t = struct cublasLtContext*;

// Descriptions, which a program may also have as its own variables, for the Init functions.
struct cublasLtMatrixLayoutOpaque_t {
  std::uint64_t data[8];
};
struct cublasLtMatmulDescOpaque_t {
  std::uint64_t data[32];
};
struct cublasLtMatrixTransformDescOpaque_t {
  std::uint64_t data[8];
};
struct cublasLtMatmulPreferenceOpaque_t {
  std::uint64_t data[8];
};
using cublasLtMatrixLayout_t = cublasLtMatrixLayoutOpaque_t*;
using cublasLtMatmulDesc_t = cublasLtMatmulDescOpaque_t*;
using cublasLtMatrixTransformDesc_t = cublasLtMatrixTransformDescOpaque_t*;
using cublasLtMatmulPreference_t = cublasLtMatmulPreferenceOpaque_t*;

struct cublasLtMatmulAlgo_t {
  std::uint64_t data[8];
};
/// What cublasLtMatmulAlgoGetHeuristic() says of an algorithm.
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  std::size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};

/// Where alpha and beta lie. The vectors are not modelled.
enum cublasLtPointerMode_t : int {
  CUBLASLT_POINTER_MODE_HOST = CUBLAS_POINTER_MODE_HOST,
  CUBLASLT_POINTER_MODE_DEVICE = CUBLAS_POINTER_MODE_DEVICE,
  CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
};

/// How a matrix is stored. Only columns and rows are modelled.
enum cublasLtOrder_t : int {
  CUBLASLT_ORDER_COL = 0,
  CUBLASLT_ORDER_ROW = 1,
  CUBLASLT_ORDER_COL32 = 2,
  CUBLASLT_ORDER_COL4_4R2_8C = 3,
  CUBLASLT_ORDER_COL32_2R_4R4 = 4
};

enum cublasLtBatchMode_t : int {
  CUBLASLT_BATCH_MODE_STRIDED = 0,
  CUBLASLT_BATCH_MODE_POINTER_ARRAY = 1
};

enum cublasLtMatrixLayoutAttribute_t : int {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,                  ///< uint32_t: a cudaDataType
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,                 ///< int32_t: a cublasLtOrder_t
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,                  ///< uint64_t
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,                  ///< uint64_t
  CUBLASLT_MATRIX_LAYOUT_LD = 4,                    ///< int64_t: from a column, or row, to the next
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,           ///< int32_t, at first 1
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,  ///< int64_t, in elements, at first 0
  CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7,          ///< not modelled
  CUBLASLT_MATRIX_LAYOUT_BATCH_MODE = 8             ///< not modelled
};

/// Those without a type are not modelled.
enum cublasLtMatmulDescAttributes_t : int {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,        ///< int32_t: a cublasComputeType_t
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,          ///< int32_t: a cudaDataType, that of alpha and beta
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,        ///< int32_t: a cublasLtPointerMode_t
  CUBLASLT_MATMUL_DESC_TRANSA = 3,              ///< int32_t: a cublasOperation_t
  CUBLASLT_MATMUL_DESC_TRANSB = 4,              ///< int32_t: a cublasOperation_t
  CUBLASLT_MATMUL_DESC_TRANSC = 5,              ///< int32_t: CUBLAS_OP_N
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,           ///< int32_t: CUBLAS_FILL_MODE_FULL
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,            ///< uint32_t: a cublasLtEpilogue_t
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,        ///< const void*, to the device's memory
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,  ///< int64_t, in elements, at first 0
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,  ///< int32_t, without effect
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,      ///< int8_t, without effect: it is for FP8
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,  ///< int32_t: D's cudaDataType, or -1, which means it
  CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
  CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32,
  CUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33,
  CUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE = 35,
  CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER = 36,
  CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE = 37,
  CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR = 38
};

enum cublasLtMatrixTransformDescAttributes_t : int {
  CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0,    ///< int32_t: a cudaDataType
  CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1,  ///< int32_t: a cublasLtPointerMode_t
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2,        ///< int32_t: a cublasOperation_t
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3         ///< int32_t: a cublasOperation_t
};

/// All are kept, and none has an effect.
enum cublasLtMatmulPreferenceAttributes_t : int {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,            ///< uint32_t: a cublasLtMatmulSearch_t
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,    ///< uint64_t, at first 0
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,  ///< uint32_t
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,  ///< uint32_t, at first 256, as the next three
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
  CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,  ///< float
  CUBLASLT_MATMUL_PREF_IMPL_MASK = 12        ///< uint64_t
};

enum cublasLtMatmulSearch_t : int {
  CUBLASLT_SEARCH_BEST_FIT = 0,
  CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1
};

enum cublasLtReductionScheme_t : int {
  CUBLASLT_REDUCTION_SCHEME_NONE = 0,
  CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
  CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
  CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
  CUBLASLT_REDUCTION_SCHEME_MASK = 7
};

/// What is done with the sums before they are stored.
enum cublasLtEpilogue_t : int {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,  ///< what is below 0 becomes 0
  CUBLASLT_EPILOGUE_RELU_AUX = 130,
  CUBLASLT_EPILOGUE_BIAS = 4,  ///< a number of its own is added to each row
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  CUBLASLT_EPILOGUE_DRELU = 136,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
  CUBLASLT_EPILOGUE_GELU = 32,  ///< x times about the part of a normal distribution below x
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
};

/// What an algorithm is made of: here always 0, but for one split.
enum cublasLtMatmulAlgoConfigAttributes_t : int {
  CUBLASLT_ALGO_CONFIG_ID = 0,                ///< int32_t
  CUBLASLT_ALGO_CONFIG_TILE_ID = 1,           ///< uint32_t
  CUBLASLT_ALGO_CONFIG_SPLITK_NUM = 2,        ///< int32_t
  CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME = 3,  ///< uint32_t
  CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING = 4,     ///< uint32_t
  CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION = 5,     ///< uint32_t
  CUBLASLT_ALGO_CONFIG_STAGES_ID = 6,         ///< uint32_t
  CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID = 7,    ///< uint16_t
  CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID = 8   ///< uint16_t
};

using cublasLtLoggerCallback_t = void (*)(int level, const char* function, const char* message);

extern "C" {

// Handles and the library -------------------------------------------------------------------------

/// A handle of cuBLAS's (cublasHandle_t) can serve for both libraries.
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
std::size_t cublasLtGetVersion();
std::size_t cublasLtGetCudartVersion();
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value);
const char* cublasLtGetStatusName(cublasStatus_t status);
const char* cublasLtGetStatusString(cublasStatus_t status);

// Descriptions ------------------------------------------------------------------------------------
//
// Set and Get take the attribute's size in bytes, and refuse another one with
// CUBLAS_STATUS_INVALID_VALUE. If Get's `bytes` is 0, it only tells the size, in *written. An
// attribute that is not modelled is CUBLAS_STATUS_NOT_SUPPORTED.

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t cols, std::int64_t ld);
cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, std::size_t bytes,
                                                 cudaDataType type, std::uint64_t rows,
                                                 std::uint64_t cols, std::int64_t ld);
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout);
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, std::size_t bytes);
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                void* value, std::size_t bytes,
                                                std::size_t* written);

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                                        cudaDataType_t scale);
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t desc, std::size_t bytes,
                                               cublasComputeType_t compute, cudaDataType_t scale);
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc);
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t bytes);
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute, void* value,
                                              std::size_t bytes, std::size_t* written);

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference);
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     std::size_t bytes);
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference);
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes);
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    void* value, std::size_t bytes,
                                                    std::size_t* written);

cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* desc,
                                                 cudaDataType scale);
cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t desc,
                                                        std::size_t bytes, cudaDataType scale);
cublasStatus_t cublasLtMatrixTransformDescDestroy(cublasLtMatrixTransformDesc_t desc);
cublasStatus_t cublasLtMatrixTransformDescSetAttribute(
    cublasLtMatrixTransformDesc_t desc, cublasLtMatrixTransformDescAttributes_t attribute,
    const void* value, std::size_t bytes);
cublasStatus_t cublasLtMatrixTransformDescGetAttribute(
    cublasLtMatrixTransformDesc_t desc, cublasLtMatrixTransformDescAttributes_t attribute,
    void* value, std::size_t bytes, std::size_t* written);

// Algorithms --------------------------------------------------------------------------------------

/// \restricted Finds the one algorithm there is: *found is 1, or 0 for a product that is not
/// modelled.
/// \return CUBLAS_STATUS_INVALID_VALUE for a `requested` below 1, and for what
/// cublasLtMatmul()
///         would refuse so; CUBLAS_STATUS_NOT_SUPPORTED for a product outside the model
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requested, cublasLtMatmulHeuristicResult_t results[],
    int* found);
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t scale, cudaDataType_t Atype,
                                        cudaDataType_t Btype, cudaDataType_t Ctype,
                                        cudaDataType_t Dtype, int requested, int ids[], int* found);
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t scale, cudaDataType_t Atype,
                                      cudaDataType_t Btype, cudaDataType_t Ctype,
                                      cudaDataType_t Dtype, int id, cublasLtMatmulAlgo_t* algo);
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                       cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                       const cublasLtMatmulAlgo_t* algo,
                                       cublasLtMatmulHeuristicResult_t* result);
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void* value, std::size_t bytes,
                                                    std::size_t* written);
/// \return CUBLAS_STATUS_NOT_SUPPORTED for any value but the one it has
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void* value, std::size_t bytes);

// Work --------------------------------------------------------------------------------------------

/// D = act(alpha op(A) op(B) + beta C + bias). C may be D, described alike; if *beta is 0 it is not
/// read, and may be null. Without an algorithm, algo being null, the library chooses.
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* A, cublasLtMatrixLayout_t Adesc, const void* B,
                              cublasLtMatrixLayout_t Bdesc, const void* beta, const void* C,
                              cublasLtMatrixLayout_t Cdesc, void* D, cublasLtMatrixLayout_t Ddesc,
                              const cublasLtMatmulAlgo_t* algo, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream);

/// C = alpha op(A) + beta op(B), from one order to another: for float, double, their complex
/// numbers, half and bfloat16, all three matrices of one type. B may be null, with its description.
cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t desc,
                                       const void* alpha, const void* A,
                                       cublasLtMatrixLayout_t Adesc, const void* beta,
                                       const void* B, cublasLtMatrixLayout_t Bdesc, void* C,
                                       cublasLtMatrixLayout_t Cdesc, cudaStream_t stream);

// The log -----------------------------------------------------------------------------------------
//
// This library's own: a line for each call of cublasLtMatmul() and the like at level 5, and at any
// level above 0 for those that fail. CUBLASLT_LOG_LEVEL and CUBLASLT_LOG_FILE in the environment
// also ask for it; without a file it goes to stdout.

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback);
cublasStatus_t cublasLtLoggerSetFile(FILE* file);
cublasStatus_t cublasLtLoggerOpenFile(const char* file_name);
/// \return CUBLAS_STATUS_INVALID_VALUE for a level below 0 or above 5
cublasStatus_t cublasLtLoggerSetLevel(int level);
/// 1 for calls that fail, 16 for all.
cublasStatus_t cublasLtLoggerSetMask(int mask);
cublasStatus_t cublasLtLoggerForceDisable();

}  // extern "C"

inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type,
                                               std::uint64_t rows, std::uint64_t cols,
                                               std::int64_t ld) {
  return cublasLtMatrixLayoutInit_internal(layout, sizeof(*layout), type, rows, cols, ld);
}
inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t desc, cublasComputeType_t compute,
                                             cudaDataType_t scale) {
  return cublasLtMatmulDescInit_internal(desc, sizeof(*desc), compute, scale);
}
inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  return cublasLtMatmulPreferenceInit_internal(preference, sizeof(*preference));
}
inline cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t desc,
                                                      cudaDataType scale) {
  return cublasLtMatrixTransformDescInit_internal(desc, sizeof(*desc), scale);
}

#define EMULATOR_UNMODELLED(name)                        \
  template <class... Arguments>                          \
  cublasStatus_t name(const Arguments&...) {             \
    return emulator::detail::cublas_not_modelled(#name); \
  }

EMULATOR_UNMODELLED(cublasLtEmulationDescCreate)
EMULATOR_UNMODELLED(cublasLtEmulationDescDestroy)
EMULATOR_UNMODELLED(cublasLtEmulationDescGetAttribute)
EMULATOR_UNMODELLED(cublasLtEmulationDescInit)
EMULATOR_UNMODELLED(cublasLtEmulationDescSetAttribute)
EMULATOR_UNMODELLED(cublasLtHeuristicsCacheGetCapacity)
EMULATOR_UNMODELLED(cublasLtHeuristicsCacheSetCapacity)
EMULATOR_UNMODELLED(cublasLtMatmulAlgoCapGetAttribute)

#undef EMULATOR_UNMODELLED
