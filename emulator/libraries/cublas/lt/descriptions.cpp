/// \file
/// cuBLASLt's handles and descriptions, and their attributes.

#include "libraries/cublas/lt/descriptions.hpp"

#include <cstddef>
#include <cstdio>
#include <new>
#include <span>
#include <string>

namespace emulator::cublas {
namespace {

// Where an attribute is in a description.
struct Attribute {
  int number;
  std::size_t offset;
  std::size_t bytes;
};

#define ATTRIBUTE(Inside, number, member)                    \
  Attribute {                                                \
    number, offsetof(Inside, member), sizeof(Inside::member) \
  }

constexpr Attribute layout_attributes[] = {
    ATTRIBUTE(LtLayout, CUBLASLT_MATRIX_LAYOUT_TYPE, type),
    ATTRIBUTE(LtLayout, CUBLASLT_MATRIX_LAYOUT_ORDER, order),
    ATTRIBUTE(LtLayout, CUBLASLT_MATRIX_LAYOUT_ROWS, rows),
    ATTRIBUTE(LtLayout, CUBLASLT_MATRIX_LAYOUT_COLS, columns),
    ATTRIBUTE(LtLayout, CUBLASLT_MATRIX_LAYOUT_LD, leading_dimension),
    ATTRIBUTE(LtLayout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count),
    ATTRIBUTE(LtLayout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride)};
constexpr Attribute matmul_attributes[] = {
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, compute),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_SCALE_TYPE, scale),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_POINTER_MODE, pointer_mode),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_TRANSA, transa),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_TRANSB, transb),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_TRANSC, transc),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_FILL_MODE, fill),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias_stride),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, sm_count_target),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_FAST_ACCUM, fast_sums),
    ATTRIBUTE(LtMatmul, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, bias_type)};
constexpr Attribute preference_attributes[] = {
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_SEARCH_MODE, search),
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace),
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions),
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignments[0]),
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignments[1]),
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignments[2]),
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignments[3]),
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, waves),
    ATTRIBUTE(LtPreference, CUBLASLT_MATMUL_PREF_IMPL_MASK, implementations)};
constexpr Attribute transform_attributes[] = {
    ATTRIBUTE(LtTransform, CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, scale),
    ATTRIBUTE(LtTransform, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, pointer_mode),
    ATTRIBUTE(LtTransform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, transa),
    ATTRIBUTE(LtTransform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, transb)};
#undef ATTRIBUTE

// What an algorithm is made of. Its sizes are those of the attributes.
struct AlgorithmPart {
  int number;
  std::size_t bytes;
  std::uint32_t value;
};
constexpr AlgorithmPart algorithm_parts[] = {{CUBLASLT_ALGO_CONFIG_ID, 4, 0},
                                             {CUBLASLT_ALGO_CONFIG_TILE_ID, 4, 0},
                                             {CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 4, 1},
                                             {CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 4, 0},
                                             {CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 4, 0},
                                             {CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 4, 0},
                                             {CUBLASLT_ALGO_CONFIG_STAGES_ID, 4, 0},
                                             {CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, 2, 0},
                                             {CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 2, 0}};

constexpr std::uint64_t algorithm_stamp = 0xA160'0000;

cublasStatus_t refuse(const char* function, cublasStatus_t status, const std::string& reason) {
  std::fprintf(stderr, "emulator: %s: %s\n", function, reason.c_str());
  return status;
}

cublasStatus_t no_description(const char* function) {
  return refuse(function, CUBLAS_STATUS_INVALID_VALUE,
                "the description does not exist, or was destroyed");
}

const Attribute* find(std::span<const Attribute> attributes, int number) {
  for (const Attribute& attribute : attributes) {
    if (attribute.number == number) return &attribute;
  }
  return nullptr;
}

cublasStatus_t refuse_attribute(const char* function, int number) {
  return refuse(function, CUBLAS_STATUS_NOT_SUPPORTED,
                "attribute " + std::to_string(number) + " is not modelled");
}

cublasStatus_t refuse_size(const char* function, int number, std::size_t wrong, std::size_t right) {
  return refuse(function, CUBLAS_STATUS_INVALID_VALUE,
                "attribute " + std::to_string(number) + " has " + std::to_string(right) +
                    " bytes, not " + std::to_string(wrong));
}

template <class Inside, class Opaque>
void write(Opaque* opaque, const Inside& inside) {
  std::memset(opaque, 0, sizeof *opaque);
  std::memcpy(opaque, &inside, sizeof inside);
}

template <class Inside, class Opaque>
cublasStatus_t initialise(Opaque* opaque, std::size_t bytes, const Inside& inside) {
  if (opaque == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes < sizeof *opaque) return CUBLAS_STATUS_ALLOC_FAILED;
  write(opaque, inside);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Inside, class Opaque>
cublasStatus_t create(Opaque** created, const Inside& inside) {
  if (created == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  auto* const opaque = new (std::nothrow) Opaque;
  if (opaque == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  write(opaque, inside);
  *created = opaque;
  return CUBLAS_STATUS_SUCCESS;
}

template <class Inside, class Opaque>
cublasStatus_t destroy(const char* function, Opaque* opaque) {
  if (opaque == nullptr) return CUBLAS_STATUS_SUCCESS;
  if (!read<Inside>(opaque)) return no_description(function);
  opaque->data[0] = 0;  // the stamp
  delete opaque;
  return CUBLAS_STATUS_SUCCESS;
}

template <class Inside, class Opaque>
cublasStatus_t set_attribute(const char* function, std::span<const Attribute> attributes,
                             Opaque* opaque, int number, const void* value, std::size_t bytes) {
  if (!read<Inside>(opaque)) return no_description(function);
  const Attribute* const attribute = find(attributes, number);
  if (attribute == nullptr) return refuse_attribute(function, number);
  if (value == nullptr) {
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "the value is a null pointer");
  }
  if (bytes != attribute->bytes) return refuse_size(function, number, bytes, attribute->bytes);
  std::memcpy(reinterpret_cast<char*>(opaque) + attribute->offset, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

// Copies a value of `size` bytes to a program that has room for `bytes`.
cublasStatus_t give(const char* function, int number, const void* from, std::size_t size,
                    void* value, std::size_t bytes, std::size_t* written) {
  if (bytes == 0) {
    if (written == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *written = size;
    return CUBLAS_STATUS_SUCCESS;
  }
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != size) return refuse_size(function, number, bytes, size);
  std::memcpy(value, from, size);
  if (written != nullptr) *written = size;
  return CUBLAS_STATUS_SUCCESS;
}

template <class Inside, class Opaque>
cublasStatus_t get_attribute(const char* function, std::span<const Attribute> attributes,
                             const Opaque* opaque, int number, void* value, std::size_t bytes,
                             std::size_t* written) {
  if (!read<Inside>(opaque)) return no_description(function);
  const Attribute* const attribute = find(attributes, number);
  if (attribute == nullptr) return refuse_attribute(function, number);
  return give(function, number, reinterpret_cast<const char*>(opaque) + attribute->offset,
              attribute->bytes, value, bytes, written);
}

LtLayout layout_of(cudaDataType type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {
  LtLayout layout;
  layout.type = static_cast<std::uint32_t>(type);
  layout.rows = rows;
  layout.columns = columns;
  layout.leading_dimension = ld;
  return layout;
}

LtMatmul matmul_of(cublasComputeType_t compute, cudaDataType_t scale) {
  LtMatmul matmul;
  matmul.compute = compute;
  matmul.scale = scale;
  return matmul;
}

LtTransform transform_of(cudaDataType_t scale) {
  LtTransform transform;
  transform.scale = scale;
  return transform;
}

const AlgorithmPart* find_part(int number) {
  for (const AlgorithmPart& part : algorithm_parts) {
    if (part.number == number) return &part;
  }
  return nullptr;
}

}  // namespace

bool is_the_algorithm(const cublasLtMatmulAlgo_t& algo) {
  return algo.data[0] == algorithm_stamp;
}

cublasLtMatmulAlgo_t the_algorithm() {
  cublasLtMatmulAlgo_t algorithm = {};
  algorithm.data[0] = algorithm_stamp;
  return algorithm;
}

}  // namespace emulator::cublas

using namespace emulator::cublas;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return cublasCreate(reinterpret_cast<cublasHandle_t*>(handle));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
std::size_t cublasLtGetVersion() {
  return CUBLAS_VERSION;
}
std::size_t cublasLtGetCudartVersion() {
  return cublasGetCudartVersion();
}
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}
const char* cublasLtGetStatusName(cublasStatus_t status) {
  return cublasGetStatusName(status);
}
const char* cublasLtGetStatusString(cublasStatus_t status) {
  return cublasGetStatusString(status);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t cols, std::int64_t ld) {
  return create(layout, layout_of(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, std::size_t bytes,
                                                 cudaDataType type, std::uint64_t rows,
                                                 std::uint64_t cols, std::int64_t ld) {
  return initialise(layout, bytes, layout_of(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return create(desc, matmul_of(compute, scale));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t desc, std::size_t bytes,
                                               cublasComputeType_t compute, cudaDataType_t scale) {
  return initialise(desc, bytes, matmul_of(compute, scale));
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return create(preference, LtPreference{});
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     std::size_t bytes) {
  return initialise(preference, bytes, LtPreference{});
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* desc,
                                                 cudaDataType scale) {
  return create(desc, transform_of(scale));
}
cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t desc,
                                                        std::size_t bytes, cudaDataType scale) {
  return initialise(desc, bytes, transform_of(scale));
}

// What each description has: Destroy, SetAttribute and GetAttribute.
#define DEFINE_DESCRIPTION(name, Inside, Number, attributes)                                     \
  cublasStatus_t cublasLt##name##Destroy(cublasLt##name##_t opaque) {                            \
    return destroy<Inside>("cublasLt" #name "Destroy", opaque);                                  \
  }                                                                                              \
  cublasStatus_t cublasLt##name##SetAttribute(cublasLt##name##_t opaque, Number attribute,       \
                                              const void* value, std::size_t bytes) {            \
    return set_attribute<Inside>("cublasLt" #name "SetAttribute", attributes, opaque, attribute, \
                                 value, bytes);                                                  \
  }                                                                                              \
  cublasStatus_t cublasLt##name##GetAttribute(cublasLt##name##_t opaque, Number attribute,       \
                                              void* value, std::size_t bytes,                    \
                                              std::size_t* written) {                            \
    return get_attribute<Inside>("cublasLt" #name "GetAttribute", attributes, opaque, attribute, \
                                 value, bytes, written);                                         \
  }
DEFINE_DESCRIPTION(MatrixLayout, LtLayout, cublasLtMatrixLayoutAttribute_t, layout_attributes)
DEFINE_DESCRIPTION(MatmulDesc, LtMatmul, cublasLtMatmulDescAttributes_t, matmul_attributes)
DEFINE_DESCRIPTION(MatmulPreference, LtPreference, cublasLtMatmulPreferenceAttributes_t,
                   preference_attributes)
DEFINE_DESCRIPTION(MatrixTransformDesc, LtTransform, cublasLtMatrixTransformDescAttributes_t,
                   transform_attributes)

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void* value, std::size_t bytes,
                                                    std::size_t* written) {
  const AlgorithmPart* const part = find_part(attribute);
  if (algo == nullptr || !is_the_algorithm(*algo) || part == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return give("cublasLtMatmulAlgoConfigGetAttribute", attribute, &part->value, part->bytes, value,
              bytes, written);
}

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void* value, std::size_t bytes) {
  const AlgorithmPart* const part = find_part(attribute);
  if (algo == nullptr || !is_the_algorithm(*algo) || part == nullptr || value == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const char* const function = "cublasLtMatmulAlgoConfigSetAttribute";
  if (bytes != part->bytes) return refuse_size(function, attribute, bytes, part->bytes);
  if (std::memcmp(value, &part->value, bytes) == 0) return CUBLAS_STATUS_SUCCESS;
  return refuse(function, CUBLAS_STATUS_NOT_SUPPORTED,
                "the emulator's one algorithm cannot be changed");
}
