/// \file
/// What programs may expect of cuTENSOR, the emulator's or NVIDIA's: this file compiles against
/// both.

#include <cstring>
#include <string>

#include "libraries/cutensor/cutensor_test.hpp"

using namespace cutensor_test;

TEST_CASE("cutensor: its version, and the names of its statuses") {
  CHECK(cutensorGetVersion() == CUTENSOR_VERSION);
  CHECK(cutensorGetVersion() / 10000 == 2);
  CHECK(cutensorGetCudartVersion() / 1000 == 13);
  CHECK(std::string(cutensorGetErrorString(success)) == "CUTENSOR_STATUS_SUCCESS");
  CHECK(std::string(cutensorGetErrorString(too_little)) ==
        "CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE");
  CHECK(std::string(cutensorGetErrorString(CUTENSOR_STATUS_IO_ERROR)) ==
        "CUTENSOR_STATUS_IO_ERROR");
  CHECK(std::string(cutensorGetErrorString(static_cast<cutensorStatus_t>(2))) == "<unknown>");
}

TEST_CASE("cutensor: nothing goes without a handle, and nothing can be destroyed") {
  CHECK(cutensorCreate(nullptr) == invalid);
  cutensorTensorDescriptor_t tensor = nullptr;
  cutensorPlanPreference_t preference = nullptr;
  const std::int64_t extent = 3;
  CHECK(cutensorCreateTensorDescriptor(nullptr, &tensor, 1, &extent, nullptr, CUDA_R_32F,
                                       alignment) == invalid);
  CHECK(cutensorCreatePlanPreference(nullptr, &preference, CUTENSOR_ALGO_DEFAULT,
                                     CUTENSOR_JIT_MODE_NONE) == invalid);
  CHECK(cutensorHandleResizePlanCache(nullptr, 3) == invalid);
  CHECK(cutensorDestroy(nullptr) == success);
  CHECK(cutensorDestroyTensorDescriptor(nullptr) == success);
  CHECK(cutensorDestroyOperationDescriptor(nullptr) == success);
  CHECK(cutensorDestroyPlanPreference(nullptr) == success);
  CHECK(cutensorDestroyPlan(nullptr) == success);
}

TEST_CASE("cutensor: a tensor's descriptor wants extents and strides from 1 on") {
  const Handle handle;
  cutensorTensorDescriptor_t tensor = nullptr;
  const auto create = [&](const Extents& extent, const Extents& stride, cudaDataType_t type) {
    const auto status = cutensorCreateTensorDescriptor(
        handle, &tensor, static_cast<std::uint32_t>(extent.size()), extent.data(),
        stride.empty() ? nullptr : stride.data(), type, alignment);
    if (status == success) cutensorDestroyTensorDescriptor(tensor);
    return status;
  };
  CHECK(create({3, 4}, {}, CUDA_R_32F) == success);
  CHECK(create({3, 4}, {5, 1}, CUDA_R_32F) == success);
  CHECK(create({}, {}, CUDA_R_32F) == success);
  for (const auto type : {CUDA_R_16F, CUDA_R_16BF, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F}) {
    CHECK(create({3, 1}, {}, type) == success);
  }
  CHECK(create({3, 0}, {}, CUDA_R_32F) == invalid);
  CHECK(create({3, -4}, {}, CUDA_R_32F) == invalid);
  CHECK(create({3, 4}, {1, -3}, CUDA_R_32F) != success);
  const std::int64_t extent = 3;
  CHECK(cutensorCreateTensorDescriptor(handle, nullptr, 1, &extent, nullptr, CUDA_R_32F,
                                       alignment) == invalid);
  CHECK(cutensorCreateTensorDescriptor(handle, &tensor, 1, nullptr, nullptr, CUDA_R_32F,
                                       alignment) == invalid);
}

TEST_CASE("cutensor: an operation tells what its scalars are, its operations and its bytes") {
  const Handle handle;
  const Sizes sizes = {{'m', 4}, {'n', 5}, {'k', 6}};
  const auto a = names("mk");
  const auto b = names("kn");
  const auto c = names("mn");
  const auto scalar_of = [&](cudaDataType_t type, cutensorComputeDescriptor_t compute) {
    const Descriptor desc_a(handle, extents("mk", sizes), type);
    const Descriptor desc_b(handle, extents("kn", sizes), type);
    const Descriptor desc_c(handle, extents("mn", sizes), type);
    cutensorOperationDescriptor_t operation = nullptr;
    REQUIRE(cutensorCreateContraction(handle, &operation, desc_a, a.data(), identity, desc_b,
                                      b.data(), identity, desc_c, c.data(), identity, desc_c,
                                      c.data(), compute) == success);
    cudaDataType_t scalar = CUDA_R_8I;
    CHECK(cutensorOperationDescriptorGetAttribute(handle, operation,
                                                  CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE,
                                                  &scalar, sizeof(scalar)) == success);
    float flops = 0;
    CHECK(cutensorOperationDescriptorGetAttribute(handle, operation,
                                                  CUTENSOR_OPERATION_DESCRIPTOR_FLOPS, &flops,
                                                  sizeof(flops)) == success);
    CHECK(flops >= 2 * 4 * 5 * 6);
    float bytes = 0;
    CHECK(cutensorOperationDescriptorGetAttribute(handle, operation,
                                                  CUTENSOR_OPERATION_DESCRIPTOR_MOVED_BYTES, &bytes,
                                                  sizeof(bytes)) == success);
    CHECK(bytes > 0);
    CHECK(cutensorOperationDescriptorGetAttribute(
              handle, operation, CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE, &scalar, 1) == invalid);
    const std::int32_t tag = 7;
    CHECK(cutensorOperationDescriptorSetAttribute(
              handle, operation, CUTENSOR_OPERATION_DESCRIPTOR_TAG, &tag, sizeof(tag)) == success);
    std::int32_t read = 0;
    CHECK(cutensorOperationDescriptorGetAttribute(handle, operation,
                                                  CUTENSOR_OPERATION_DESCRIPTOR_TAG, &read,
                                                  sizeof(read)) == success);
    CHECK(read == 7);
    cutensorDestroyOperationDescriptor(operation);
    return scalar;
  };
  CHECK(scalar_of(CUDA_R_32F, CUTENSOR_COMPUTE_DESC_32F) == CUDA_R_32F);
  CHECK(scalar_of(CUDA_R_32F, CUTENSOR_COMPUTE_DESC_TF32) == CUDA_R_32F);
  CHECK(scalar_of(CUDA_R_16F, CUTENSOR_COMPUTE_DESC_32F) == CUDA_R_32F);
  CHECK(scalar_of(CUDA_R_64F, CUTENSOR_COMPUTE_DESC_64F) == CUDA_R_64F);
  CHECK(scalar_of(CUDA_R_64F, CUTENSOR_COMPUTE_DESC_32F) == CUDA_R_64F);
  CHECK(scalar_of(CUDA_C_32F, CUTENSOR_COMPUTE_DESC_32F) == CUDA_C_32F);
  CHECK(scalar_of(CUDA_C_64F, CUTENSOR_COMPUTE_DESC_64F) == CUDA_C_64F);
}

TEST_CASE("cutensor: a preference remembers what is set") {
  const Handle handle;
  cutensorPlanPreference_t preference = nullptr;
  REQUIRE(cutensorCreatePlanPreference(handle, &preference, CUTENSOR_ALGO_GETT,
                                       CUTENSOR_JIT_MODE_NONE) == success);
  const std::int32_t rank = 2;
  CHECK(cutensorPlanPreferenceSetAttribute(handle, preference, CUTENSOR_PLAN_PREFERENCE_KERNEL_RANK,
                                           &rank, sizeof(rank)) == success);
  CHECK(cutensorPlanPreferenceSetAttribute(handle, preference, CUTENSOR_PLAN_PREFERENCE_KERNEL_RANK,
                                           &rank, 1) == invalid);
  std::int32_t read = 0;
  CHECK(cutensorPlanPreferenceGetAttribute(handle, preference, CUTENSOR_PLAN_PREFERENCE_KERNEL_RANK,
                                           &read, sizeof(read)) == success);
  CHECK(read == 2);
  cutensorAlgo_t algorithm{};
  CHECK(cutensorPlanPreferenceGetAttribute(handle, preference, CUTENSOR_PLAN_PREFERENCE_ALGO,
                                           &algorithm, sizeof(algorithm)) == success);
  CHECK(algorithm == CUTENSOR_ALGO_GETT);
  CHECK(cutensorDestroyPlanPreference(preference) == success);
}

namespace {
std::string logged;
void keep_log(std::int32_t, const char* function, const char*) {
  logged += function;
  logged += '\n';
}
}  // namespace

TEST_CASE("cutensor: at level 5 all calls are logged") {
  logged.clear();
  CHECK(cutensorLoggerSetLevel(-1) == invalid);
  CHECK(cutensorLoggerSetCallback(keep_log) == success);
  CHECK(cutensorLoggerSetLevel(1) == success);
  CHECK(cutensorCreate(nullptr) == invalid);
  logged.clear();
  {
    const Handle handle;
    CHECK(logged.empty());
    CHECK(cutensorLoggerSetLevel(5) == success);
    CHECK(cutensorHandleResizePlanCache(handle, 16) == success);
    CHECK(logged.find("cutensorHandleResizePlanCache\n") != std::string::npos);
  }
  CHECK(cutensorLoggerSetLevel(0) == success);
  logged.clear();
  CHECK(cutensorCreate(nullptr) == invalid);
  CHECK(logged.empty());
  CHECK(cutensorLoggerSetCallback(nullptr) == success);
}
