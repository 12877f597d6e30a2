/// \file
/// Tensor maps, as host code makes them.

#include <cstring>

#include "base/host_state.hpp"
#include "cuda.h"
#include "emulator/host/host_api.h"
#include "engine/copies/tensor_tiles.hpp"

namespace emulator::api {
namespace {

constexpr std::uint64_t longest_dimension = std::uint64_t{1} << 32;
constexpr std::uint64_t longest_stride = (std::uint64_t{1} << 40) - 1;
constexpr unsigned longest_box = 256;
constexpr unsigned longest_step = 8;
constexpr unsigned unit = 16;  // bytes, of which addresses and strides are multiples

// How long a row of the box may be, in bytes.
unsigned longest_row(unsigned swizzle) {
  const unsigned bits = swizzle_bits(swizzle);
  return bits == 0 ? longest_box * 8 : (bits + 1) * unit;
}

bool is_null(const void* pointer) {
  return pointer == nullptr;
}

}  // namespace
}  // namespace emulator::api

using namespace emulator::api;  // NOLINT: what follows is the driver's, in no namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* tensor, const cuuint64_t* dimensions,
                                const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor);
  if (is_null(map) || is_null(dimensions) || is_null(box) || is_null(element_strides) ||
      (rank > 1 && is_null(strides)) || reinterpret_cast<std::uintptr_t>(map) % 64 != 0 ||
      type < 0 || type > CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B || rank == 0 ||
      rank > TensorMap::most_dimensions || address % unit != 0 || interleave < 0 ||
      interleave > CU_TENSOR_MAP_INTERLEAVE_32B || swizzle < 0 ||
      swizzle > CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B || promotion < 0 ||
      promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B || fill < 0 ||
      fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA ||
      (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_floating_point(type)) ||
      (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE && rank < 3)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const unsigned element = element_bytes(type);
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || element == 0 ||
      swizzle > CU_TENSOR_MAP_SWIZZLE_128B) {
    return CUDA_ERROR_NOT_SUPPORTED;  // not modelled
  }

  TensorMap made;
  made.address = address;
  made.type = static_cast<std::uint8_t>(type);
  made.rank = static_cast<std::uint8_t>(rank);
  made.swizzle = static_cast<std::uint8_t>(swizzle);
  made.fills_with_nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE ? 1 : 0;
  for (unsigned d = 0; d < rank; ++d) {
    // The step along the fastest dimension is always 1, whatever is said.
    const cuuint32_t step = d == 0 ? 1 : element_strides[d];
    if (dimensions[d] == 0 || dimensions[d] > longest_dimension || box[d] == 0 ||
        box[d] > longest_box || step == 0 || step > longest_step) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    made.lasts[d] = static_cast<std::uint32_t>(dimensions[d] - 1);
    made.box[d] = static_cast<std::uint16_t>(box[d]);
    made.steps[d] = static_cast<std::uint8_t>(step);
    if (d == 0) continue;
    if (strides[d - 1] % unit != 0 || strides[d - 1] > longest_stride) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    made.strides[d - 1] = strides[d - 1];
  }
  const unsigned row = box[0] * element;
  if (row % unit != 0 || row > longest_row(swizzle)) return CUDA_ERROR_INVALID_VALUE;

  *map = {};
  std::memcpy(map->opaque, &made, sizeof(made));
  return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* tensor) {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor);
  if (is_null(map) || address % unit != 0) return CUDA_ERROR_INVALID_VALUE;
  TensorMap made;
  std::memcpy(&made, map->opaque, sizeof(made));
  if (made.magic != TensorMap::magic_number) return CUDA_ERROR_INVALID_VALUE;
  made.address = address;
  std::memcpy(map->opaque, &made, sizeof(made));
  return CUDA_SUCCESS;
}
