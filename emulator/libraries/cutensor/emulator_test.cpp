/// \file
/// What only the emulator's cuTENSOR promises: its messages.

#include <cstdio>
#include <string>
#include <thread>

#include "libraries/cutensor/emulator_test.hpp"
#include "libraries/cutensor/loops.hpp"

using namespace cutensor_test;

TEST_CASE("cutensor: loops in any number go over all combinations") {
  using namespace emulator::cutensor;
  std::string offsets;
  const auto keep = [&](const std::array<std::int64_t, 2>& at) {
    offsets += std::to_string(at[0]) + ":" + std::to_string(at[1]) + " ";
  };
  for_all<2>({}, keep);
  CHECK(offsets == "0:0 ");
  offsets.clear();
  for_all<2>({{2, {1, 10}}, {3, {2, 0}}}, keep);
  CHECK(offsets == "0:0 1:10 2:0 3:10 4:0 5:10 ");
}

TEST_CASE("cutensor: which mode is wrong is told") {
  const Sizes sizes = {{'m', 4}, {'k', 6}, {'n', 5}};
  CHECK(messages_of_contraction("mk", "kn", "mn", sizes).empty());
  CHECK(messages_of_contraction("mk", "kn", "nm", {{'m', 4}, {'k', 6}, {'n', 5}}).empty());
  CHECK(messages_of_contraction("mm", "kn", "mn", sizes) ==
        "emulator: cutensorCreateContraction: mode 'm' is twice in modeA\n");
  CHECK(messages_of_contraction("mk", "kn", "mx", {{'m', 4}, {'k', 6}, {'n', 5}, {'x', 2}}) ==
        "emulator: cutensorCreateContraction: mode 'x' of D is in no tensor that it could come "
        "from\n");
  CHECK(host_test::in_child([] {
          const Handle handle;
          const Descriptor a(handle, {4, 6});
          const Descriptor b(handle, {5, 3});
          cutensorOperationDescriptor_t operation = nullptr;
          cutensorCreatePermutation(handle, &operation, a, names("ab").data(), identity, b,
                                    names("bc").data(), CUTENSOR_COMPUTE_DESC_32F);
          const std::int32_t numbers[] = {1000, 1};
          cutensorCreatePermutation(handle, &operation, a, numbers, identity, b, numbers,
                                    CUTENSOR_COMPUTE_DESC_32F);
          const Descriptor c(handle, {5});
          cutensorCreatePermutation(handle, &operation, b, names("ab").data(), identity, c,
                                    names("a").data(), CUTENSOR_COMPUTE_DESC_32F);
        }).error_output ==
        "emulator: cutensorCreatePermutation: mode 'b' has extent 6 in A and 5 in B\n"
        "emulator: cutensorCreatePermutation: mode 1000 has extent 4 in A and 5 in B\n"
        "emulator: cutensorCreatePermutation: mode 'b' of A is none of B's\n");
}

TEST_CASE("cutensor: other arguments that make no sense are told") {
  CHECK(host_test::in_child([] {
          const Handle handle;
          cutensorTensorDescriptor_t tensor = nullptr;
          const std::int64_t extents[] = {3, 0};
          const std::int64_t strides[] = {0, 1};
          cutensorCreateTensorDescriptor(handle, &tensor, 2, extents, nullptr, CUDA_R_32F, 128);
          cutensorCreateTensorDescriptor(handle, &tensor, 1, extents, strides, CUDA_R_32F, 128);
          cutensorCreateTensorDescriptor(handle, &tensor, 1, extents, nullptr, CUDA_R_32F, 12);
          cutensorCreateTensorDescriptor(handle, &tensor, 1, extents, nullptr, CUDA_R_8I, 128);
          cutensorCreateTensorDescriptor(nullptr, &tensor, 1, extents, nullptr, CUDA_R_32F, 128);
        }).error_output ==
        "emulator: cutensorCreateTensorDescriptor: extent[1] is 0, but must be at least 1\n"
        "emulator: cutensorCreateTensorDescriptor: stride[0] is 0, but must be at least 1\n"
        "emulator: cutensorCreateTensorDescriptor: alignmentRequirement is 12, no power of two\n"
        "emulator: cutensorCreateTensorDescriptor: dataType is 3, elements that the emulator does "
        "not compute with\n"
        "emulator: cutensorCreateTensorDescriptor: the handle is a null pointer\n");
  CHECK(messages_of([](const Product& product, float* d) {
          cutensorPermute(product.handle, product.plan, &one, d, d + 4, nullptr);
        }) == "emulator: cutensorPermute: the plan is of a contraction\n");
  CHECK(messages_of([](const Product& product, float* d) {
          const cudaDataType_t type = CUDA_R_64F;
          cutensorOperationDescriptorSetAttribute(product.handle, product.plan.operation(),
                                                  CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE, &type,
                                                  sizeof(type));
          product(d, d + 4, d + 8, d);
        }) ==
        "emulator: cutensorOperationDescriptorSetAttribute: the scalars of this operation are "
        "CUDA_R_32F, and not CUDA_R_64F\n"
        "emulator: cutensorContract: beta points to device memory, factors are on the host: a "
        "GPU's host would crash\n");
}

TEST_CASE("cutensor: types that do not go together are told") {
  CHECK(host_test::in_child([] {
          const Handle handle;
          const Descriptor a(handle, {2, 2});
          const Descriptor b(handle, {2, 2}, CUDA_R_64F);
          cutensorOperationDescriptor_t operation = nullptr;
          cutensorCreateContraction(handle, &operation, a, names("mk").data(), identity, b,
                                    names("kn").data(), identity, a, names("mn").data(), identity,
                                    a, names("mn").data(), CUTENSOR_COMPUTE_DESC_32F);
          cutensorCreateReduction(handle, &operation, a, names("mk").data(), identity, a,
                                  names("mk").data(), identity, a, names("mk").data(),
                                  CUTENSOR_OP_SQRT, CUTENSOR_COMPUTE_DESC_32F);
          cutensorCreatePermutation(handle, &operation, a, names("mk").data(), CUTENSOR_OP_CONJ, a,
                                    names("mk").data(), CUTENSOR_COMPUTE_DESC_32F);
        }).error_output ==
        "emulator: cutensorCreateContraction: there is no such operation of these types with this "
        "descCompute: A CUDA_R_32F, B CUDA_R_64F, C CUDA_R_32F, D CUDA_R_32F\n"
        "emulator: cutensorCreateReduction: opReduce is 2, no operator with two of these elements\n"
        "emulator: cutensorCreatePermutation: opA is 9, no operator for this tensor in this "
        "operation\n");
}

TEST_CASE("cutensor: elements of a result that lie in the same place are told") {
  CHECK(host_test::in_child([] {
          const Handle handle;
          const Descriptor a(handle, {2, 3});
          const Descriptor b(handle, {2, 3}, CUDA_R_32F, {1, 1});
          cutensorOperationDescriptor_t operation = nullptr;
          cutensorCreatePermutation(handle, &operation, a, names("ab").data(), identity, b,
                                    names("ab").data(), CUTENSOR_COMPUTE_DESC_32F);
          // To read the same element twice is not a mistake.
          cutensorCreatePermutation(handle, &operation, b, names("ab").data(), identity, a,
                                    names("ab").data(), CUTENSOR_COMPUTE_DESC_32F);
        }).error_output ==
        "emulator: cutensorCreatePermutation: elements of B lie in the same place: the stride of "
        "mode 'b' is 1\n");
}

TEST_CASE("cutensor: what was destroyed is noticed") {
  const Fresh fresh;
  cutensorHandle_t handle = nullptr;
  cutensorHandle_t other = nullptr;
  REQUIRE(cutensorCreate(&handle) == success);
  CHECK(cutensorDestroy(handle) == success);
  REQUIRE(cutensorCreate(&other) == success);
  CHECK(other != handle);
  CHECK(cutensorDestroy(handle) == not_there);
  CHECK(cutensorHandleResizePlanCache(handle, 1) == not_there);
  cutensorTensorDescriptor_t tensor = nullptr;
  const std::int64_t extent = 2;
  REQUIRE(cutensorCreateTensorDescriptor(other, &tensor, 1, &extent, nullptr, CUDA_R_32F, 4) ==
          success);
  CHECK(cutensorDestroyTensorDescriptor(tensor) == success);
  cutensorOperationDescriptor_t operation = nullptr;
  CHECK(cutensorCreatePermutation(other, &operation, tensor, names("a").data(), identity, tensor,
                                  names("a").data(), CUTENSOR_COMPUTE_DESC_32F) == not_there);
  CHECK(cutensorDestroy(other) == success);
}

TEST_CASE("cutensor: a plan outlives the descriptors it was made of") {
  const Fresh fresh;
  const Handle handle;
  cutensorPlan_t plan = nullptr;
  {
    const Descriptor vector(handle, {2}, CUDA_R_32F, {}, 4);
    cutensorOperationDescriptor_t operation = nullptr;
    REQUIRE(cutensorCreatePermutation(handle, &operation, vector, names("a").data(), identity,
                                      vector, names("a").data(),
                                      CUTENSOR_COMPUTE_DESC_32F) == success);
    cutensorPlanPreference_t preference = nullptr;
    REQUIRE(cutensorCreatePlanPreference(handle, &preference, CUTENSOR_ALGO_DEFAULT,
                                         CUTENSOR_JIT_MODE_NONE) == success);
    CHECK(cutensorCreatePlan(handle, &plan, operation, nullptr, 0) == invalid);
    REQUIRE(cutensorCreatePlan(handle, &plan, operation, preference, 0) == success);
    REQUIRE(cutensorDestroyPlanPreference(preference) == success);
    REQUIRE(cutensorDestroyOperationDescriptor(operation) == success);
  }
  const Array<float> numbers({1, 2, 3, 4});
  CHECK(cutensorPermute(handle, plan, &one, numbers.get(), numbers.get() + 2, nullptr) == success);
  CHECK(numbers.numbers() == std::vector<float>{1, 2, 1, 2});
  CHECK(cutensorDestroyPlan(plan) == success);
  CHECK(cutensorPermute(handle, plan, &one, numbers.get(), numbers.get() + 2, nullptr) ==
        not_there);
}

TEST_CASE("cutensor: a call in a stream that is captured is not modelled, and ends the capture") {
  const std::string text = messages_of([](const Product& product, float* d) {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    const bool right = product(d, d + 4, d + 8, &one, stream) == not_supported &&
                       cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated &&
                       product(d, d + 4, d + 8, &one, stream) == success;
    if (!right) std::fprintf(stderr, "wrong\n");
  });
  CHECK(text ==
        "emulator: capturing cutensorContract into a graph is not modelled\n"
        "emulator: cutensorContract: calls are not captured into graphs here\n");
}

TEST_CASE("cutensor: functions that are not modelled say so once") {
  const auto child = host_test::in_child([] {
    const auto read = [] { return cutensorReadKernelCacheFromFile(nullptr, "cache"); };
    const bool as_told = read() == not_supported && read() == not_supported &&
                         cutensorDestroyBlockSparseTensorDescriptor(nullptr) == not_supported &&
                         cudaGetLastError() == cudaSuccess;
    _exit(as_told ? 42 : 1);
  });
  CHECK(child.status == 42);
  CHECK(child.error_output ==
        "emulator: cutensorReadKernelCacheFromFile is not modelled\n"
        "emulator: cutensorDestroyBlockSparseTensorDescriptor is not modelled\n");
}

TEST_CASE("cutensor: threads may share a plan") {
  const Fresh fresh;
  const Product product;
  int wrong[4] = {};
  std::vector<std::thread> threads;
  for (int& errors : wrong) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const Array<float> numbers({1, 2, 3, 4, 1, 0, 0, 1, 0, 0, 0, 0});
        float* const d = numbers.get();
        if (product(d, d + 4, d + 8) != success) ++errors;
        const std::vector<float> result = numbers.numbers();
        if (std::vector<float>(result.begin() + 8, result.end()) !=
            std::vector<float>{1, 2, 3, 4}) {
          ++errors;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int errors : wrong) CHECK(errors == 0);
}
