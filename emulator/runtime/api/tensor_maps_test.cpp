// What cuTensorMapEncodeTiled() refuses: what the driver's documentation forbids.

#include <cuda.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

struct Shape {
  std::vector<cuuint64_t> dimensions;
  std::vector<cuuint64_t> strides;
  std::vector<cuuint32_t> box;
  std::vector<cuuint32_t> steps = {1, 1};
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_INT32;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
};

CUresult result_of(const Shape& s, std::uintptr_t address = 4096) {
  CUtensorMap map;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nobody goes there
  return cuTensorMapEncodeTiled(&map, s.type, static_cast<cuuint32_t>(s.dimensions.size()),
                                reinterpret_cast<void*>(address), s.dimensions.data(),
                                s.strides.data(), s.box.data(), s.steps.data(), s.interleave,
                                s.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, s.fill);
}

}  // namespace

TEST_CASE("tensor maps: what the driver refuses") {
  const Shape good{{20, 10}, {96}, {8, 4}};
  CHECK(result_of(good) == CUDA_SUCCESS);
  const auto with = [&](auto change) {
    Shape shape = good;
    change(shape);
    return result_of(shape);
  };
  CHECK(result_of(good, 4104) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.dimensions[1] = 0; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.dimensions[1] = (1ULL << 32) + 1; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.dimensions[1] = 1ULL << 32; }) == CUDA_SUCCESS);
  CHECK(with([](Shape& s) { s.strides[0] = 100; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.strides[0] = 1ULL << 40; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.box[0] = 6; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.box[1] = 257; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.box[1] = 256; }) == CUDA_SUCCESS);
  CHECK(with([](Shape& s) { s.box[1] = 0; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.steps[1] = 9; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.steps[1] = 0; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; }) == CUDA_SUCCESS);
  CHECK(with([](Shape& s) {
          s.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
          s.box[0] = 12;
        }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; }) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(with([](Shape& s) { s.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B; }) ==
        CUDA_ERROR_NOT_SUPPORTED);
  Shape six = good;
  six.dimensions.resize(6, 1);
  six.strides.resize(5, 96);
  six.box.resize(6, 1);
  six.steps.resize(6, 1);
  CHECK(result_of(six) == CUDA_ERROR_INVALID_VALUE);
}
