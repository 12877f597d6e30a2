#pragma once
#pragma GCC system_header
/// \file
/// The types and values of cuTENSOR 2. Enumerations have a fixed underlying type, so that any
/// integer a program converts to one is a value the emulator can look at and refuse.

#include <cstdint>

#include "library_types.h"

/// What a tensor's elements are. The emulator computes with R_16F, R_16BF, R_32F, R_64F, C_32F and
/// C_64F.
using cutensorDataType_t = cudaDataType_t;
constexpr cutensorDataType_t CUTENSOR_R_16F = CUDA_R_16F;
constexpr cutensorDataType_t CUTENSOR_C_16F = CUDA_C_16F;
constexpr cutensorDataType_t CUTENSOR_R_16BF = CUDA_R_16BF;
constexpr cutensorDataType_t CUTENSOR_C_16BF = CUDA_C_16BF;
constexpr cutensorDataType_t CUTENSOR_R_32F = CUDA_R_32F;
constexpr cutensorDataType_t CUTENSOR_C_32F = CUDA_C_32F;
constexpr cutensorDataType_t CUTENSOR_R_64F = CUDA_R_64F;
constexpr cutensorDataType_t CUTENSOR_C_64F = CUDA_C_64F;
constexpr cutensorDataType_t CUTENSOR_R_4I = CUDA_R_4I;
constexpr cutensorDataType_t CUTENSOR_C_4I = CUDA_C_4I;
constexpr cutensorDataType_t CUTENSOR_R_4U = CUDA_R_4U;
constexpr cutensorDataType_t CUTENSOR_C_4U = CUDA_C_4U;
constexpr cutensorDataType_t CUTENSOR_R_8I = CUDA_R_8I;
constexpr cutensorDataType_t CUTENSOR_C_8I = CUDA_C_8I;
constexpr cutensorDataType_t CUTENSOR_R_8U = CUDA_R_8U;
constexpr cutensorDataType_t CUTENSOR_C_8U = CUDA_C_8U;
constexpr cutensorDataType_t CUTENSOR_R_16I = CUDA_R_16I;
constexpr cutensorDataType_t CUTENSOR_C_16I = CUDA_C_16I;
constexpr cutensorDataType_t CUTENSOR_R_16U = CUDA_R_16U;
constexpr cutensorDataType_t CUTENSOR_C_16U = CUDA_C_16U;
constexpr cutensorDataType_t CUTENSOR_R_32I = CUDA_R_32I;
constexpr cutensorDataType_t CUTENSOR_C_32I = CUDA_C_32I;
constexpr cutensorDataType_t CUTENSOR_R_32U = CUDA_R_32U;
constexpr cutensorDataType_t CUTENSOR_C_32U = CUDA_C_32U;
constexpr cutensorDataType_t CUTENSOR_R_64I = CUDA_R_64I;
constexpr cutensorDataType_t CUTENSOR_C_64I = CUDA_C_64I;
constexpr cutensorDataType_t CUTENSOR_R_64U = CUDA_R_64U;
constexpr cutensorDataType_t CUTENSOR_C_64U = CUDA_C_64U;

/// What is done to each element of an operand, and with two of them.
enum cutensorOperator_t : int {
  CUTENSOR_OP_IDENTITY = 1,
  CUTENSOR_OP_SQRT = 2,
  CUTENSOR_OP_RELU = 8,      ///< max(x, 0)
  CUTENSOR_OP_CONJ = 9,      ///< of complex numbers
  CUTENSOR_OP_RCP = 10,      ///< 1 / x
  CUTENSOR_OP_SIGMOID = 11,  ///< 1 / (1 + exp(-x))
  CUTENSOR_OP_TANH = 12,
  CUTENSOR_OP_EXP = 22,
  CUTENSOR_OP_LOG = 23,
  CUTENSOR_OP_ABS = 24,
  CUTENSOR_OP_NEG = 25,
  CUTENSOR_OP_SIN = 26,
  CUTENSOR_OP_COS = 27,
  CUTENSOR_OP_TAN = 28,
  CUTENSOR_OP_SINH = 29,
  CUTENSOR_OP_COSH = 30,
  CUTENSOR_OP_ASIN = 31,
  CUTENSOR_OP_ACOS = 32,
  CUTENSOR_OP_ATAN = 33,
  CUTENSOR_OP_ASINH = 34,
  CUTENSOR_OP_ACOSH = 35,
  CUTENSOR_OP_ATANH = 36,
  CUTENSOR_OP_CEIL = 37,
  CUTENSOR_OP_FLOOR = 38,
  CUTENSOR_OP_MISH = 39,       ///< x tanh(log(exp(x) + 1))
  CUTENSOR_OP_SWISH = 40,      ///< x / (1 + exp(-x))
  CUTENSOR_OP_SOFT_PLUS = 41,  ///< log(exp(x) + 1)
  CUTENSOR_OP_SOFT_SIGN = 42,  ///< x / (|x| + 1)
  // With two elements.
  CUTENSOR_OP_ADD = 3,
  CUTENSOR_OP_MUL = 5,
  CUTENSOR_OP_MAX = 6,
  CUTENSOR_OP_MIN = 7,

  CUTENSOR_OP_UNKNOWN = 126
};

/// What a call of the library returns.
enum cutensorStatus_t : int {
  CUTENSOR_STATUS_SUCCESS = 0,
  CUTENSOR_STATUS_NOT_INITIALIZED = 1,
  CUTENSOR_STATUS_ALLOC_FAILED = 3,
  CUTENSOR_STATUS_INVALID_VALUE = 7,
  CUTENSOR_STATUS_ARCH_MISMATCH = 8,
  CUTENSOR_STATUS_MAPPING_ERROR = 11,
  CUTENSOR_STATUS_EXECUTION_FAILED = 13,
  CUTENSOR_STATUS_INTERNAL_ERROR = 14,
  CUTENSOR_STATUS_NOT_SUPPORTED = 15,
  CUTENSOR_STATUS_LICENSE_ERROR = 16,
  CUTENSOR_STATUS_CUBLAS_ERROR = 17,
  CUTENSOR_STATUS_CUDA_ERROR = 18,
  CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE = 19,
  CUTENSOR_STATUS_INSUFFICIENT_DRIVER = 20,
  CUTENSOR_STATUS_IO_ERROR = 21
};

/// How the work is to be done; any number from 0 on is one more way. The emulator always does the
/// same; to its plans they differ in the workspace that they ask for.
enum cutensorAlgo_t : int {
  CUTENSOR_ALGO_DEFAULT_PATIENT = -6,
  CUTENSOR_ALGO_GETT = -4,   ///< a product of tensors as they lie
  CUTENSOR_ALGO_TGETT = -3,  ///< A or B transposed before
  CUTENSOR_ALGO_TTGT = -2,   ///< all turned into matrices, their product, and back
  CUTENSOR_ALGO_DEFAULT = -1
};

/// How much workspace cutensorEstimateWorkspaceSize() is to suggest.
enum cutensorWorksizePreference_t : int {
  CUTENSOR_WORKSPACE_MIN = 1,      ///< enough for one of the algorithms
  CUTENSOR_WORKSPACE_DEFAULT = 2,  ///< enough to be fast
  CUTENSOR_WORKSPACE_MAX = 3       ///< enough for all of them
};

/// The precision of the arithmetic: one of the values below.
using cutensorComputeDescriptor_t = struct cutensorComputeDescriptor*;

extern "C" {
// Inputs are rounded to these, products of them added up as floats.
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_16F;
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_16BF;
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_TF32;
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_3XTF32;  ///< two TF32s each
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_32F;
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_64F;
// As precise as float and double, which the emulator computes with in their place.
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_9X16BF;
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_8XINT8;
extern const cutensorComputeDescriptor_t CUTENSOR_COMPUTE_DESC_4X16F;  ///< newer GPUs than ours
}

/// What can be read and set in an operation's descriptor.
enum cutensorOperationDescriptorAttribute_t : int {
  CUTENSOR_OPERATION_DESCRIPTOR_TAG = 0,          ///< int32_t
  CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE = 1,  ///< cudaDataType_t: what alpha, beta, gamma are
  CUTENSOR_OPERATION_DESCRIPTOR_FLOPS = 2,        ///< float, not to be set
  CUTENSOR_OPERATION_DESCRIPTOR_MOVED_BYTES = 3,  ///< float, not to be set
  // Of these the emulator knows the names.
  CUTENSOR_OPERATION_DESCRIPTOR_PADDING_LEFT = 4,
  CUTENSOR_OPERATION_DESCRIPTOR_PADDING_RIGHT = 5,
  CUTENSOR_OPERATION_DESCRIPTOR_PADDING_VALUE = 6,
  CUTENSOR_OPERATION_DESCRIPTOR_BLOCKSPARSE_REPRODUCIBLE = 14
};

enum cutensorPlanPreferenceAttribute_t : int {
  CUTENSOR_PLAN_PREFERENCE_AUTOTUNE_MODE = 0,      ///< cutensorAutotuneMode_t
  CUTENSOR_PLAN_PREFERENCE_CACHE_MODE = 1,         ///< cutensorCacheMode_t
  CUTENSOR_PLAN_PREFERENCE_INCREMENTAL_COUNT = 2,  ///< int32_t
  CUTENSOR_PLAN_PREFERENCE_ALGO = 3,               ///< cutensorAlgo_t
  CUTENSOR_PLAN_PREFERENCE_KERNEL_RANK = 4,        ///< int32_t
  CUTENSOR_PLAN_PREFERENCE_JIT = 5,                ///< cutensorJitMode_t
  CUTENSOR_PLAN_PREFERENCE_GPU_ARCH = 6            ///< int32_t: 80, 90, 100
};

enum cutensorAutotuneMode_t : int {
  CUTENSOR_AUTOTUNE_MODE_NONE = 0,
  CUTENSOR_AUTOTUNE_MODE_INCREMENTAL = 1
};

/// Whether a kernel may be compiled for the plan.
enum cutensorJitMode_t : int { CUTENSOR_JIT_MODE_NONE = 0, CUTENSOR_JIT_MODE_DEFAULT = 1 };

enum cutensorCacheMode_t : int { CUTENSOR_CACHE_MODE_NONE = 0, CUTENSOR_CACHE_MODE_PEDANTIC = 1 };

enum cutensorPlanAttribute_t : int {
  CUTENSOR_PLAN_REQUIRED_WORKSPACE = 0  ///< uint64_t: bytes that the plan's execution needs
};

// Numbers in pointers' clothing: a use of one that was destroyed is reported.
using cutensorHandle_t = struct cutensorHandle*;
using cutensorTensorDescriptor_t = struct cutensorTensorDescriptor*;
using cutensorOperationDescriptor_t = struct cutensorOperationDescriptor*;
using cutensorPlanPreference_t = struct cutensorPlanPreference*;
using cutensorPlan_t = struct cutensorPlan*;
using cutensorBlockSparseTensorDescriptor_t = struct cutensorBlockSparseTensorDescriptor*;

/// Gets what is logged.
using cutensorLoggerCallback_t = void (*)(std::int32_t level, const char* function,
                                          const char* message);
