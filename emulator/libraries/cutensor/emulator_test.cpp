/// \file
/// What only the emulator's cuTENSOR promises: its messages, and what it notices and a GPU does
/// not.

#include <cstdio>
#include <string>
#include <thread>

#include "tests/support/host_test.hpp"
#include "libraries/cutensor/cutensor_test.hpp"
#include "libraries/cutensor/loops.hpp"
#include "emulator/findings.h"

using namespace cutensor_test;
using host_test::Fresh;

namespace {

constexpr auto failed = CUTENSOR_STATUS_EXECUTION_FAILED;
constexpr float one = 1;
constexpr float zero = 0;

// A[m,k] B[k,n] + C[m,n], all of 2 x 2 floats, on addresses aligned to 4 bytes.
struct Product {
  Handle handle;
  Descriptor matrix{handle, {2, 2}, CUDA_R_32F, {}, 4};
  Plan plan{handle, [&](cutensorOperationDescriptor_t* operation) {
              return cutensorCreateContraction(handle, operation, matrix, names("mk").data(),
                                               identity, matrix, names("kn").data(), identity,
                                               matrix, names("mn").data(), identity, matrix,
                                               names("mn").data(), CUTENSOR_COMPUTE_DESC_32F);
            }};

  cutensorStatus_t operator()(const float* a, const float* b, float* c, const float* beta = &one,
                              cudaStream_t stream = nullptr) const {
    return cutensorContract(handle, plan, &one, a, b, beta, c, c, plan.workspace(), plan.size(),
                            stream);
  }
};

/// What the action prints, in a child process, where the device's state may be spoilt.
template <class Action>
std::string told_by(Action action) {
  return host_test::in_child([&] {
           const Product product;
           const Array<float> numbers(std::vector<float>(12, 1.0F));
           action(product, numbers.get());
         })
      .error_output;
}

// Calls the action with checks on, on memory that nobody has written, and lists the findings.
template <class Action>
std::string found_by(Action action) {
  const Fresh fresh;
  std::string all;
  {
    const Product product;
    float* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 16 * sizeof(float)) == cudaSuccess);
    emulator::clear_findings();
    emulator::set_checking(true);
    action(product, memory);
    for (const emulator::Finding& finding : emulator::findings()) {
      all += finding.kind + ": " + finding.what + "\n";
    }
    emulator::set_checking(false);
    emulator::clear_findings();
    CHECK(cudaFree(memory) == cudaSuccess);
  }
  return all;
}

void write(float* to, int count) {
  const float numbers[16] = {1, 2, 3, 4};
  CHECK(cudaMemcpy(to, numbers, static_cast<std::size_t>(count) * sizeof(float),
                   cudaMemcpyDefault) == cudaSuccess);
}

// What the creation of a contraction prints.
std::string told_of(const std::string& a, const std::string& b, const std::string& c,
                    const Sizes& sizes) {
  return host_test::in_child([&] {
           const Handle handle;
           const Descriptor desc_a(handle, extents(a, sizes));
           const Descriptor desc_b(handle, extents(b, sizes));
           const Descriptor desc_c(handle, extents(c, sizes));
           cutensorOperationDescriptor_t operation = nullptr;
           cutensorCreateContraction(handle, &operation, desc_a, names(a).data(), identity, desc_b,
                                     names(b).data(), identity, desc_c, names(c).data(), identity,
                                     desc_c, names(c).data(), CUTENSOR_COMPUTE_DESC_32F);
         })
      .error_output;
}

}  // namespace

TEST_CASE("cutensor: loops in any number go over all combinations") {
  using namespace emulator::detail;
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
  CHECK(told_of("mk", "kn", "mn", sizes).empty());
  CHECK(told_of("mk", "kn", "nm", {{'m', 4}, {'k', 6}, {'n', 5}}).empty());
  CHECK(told_of("mm", "kn", "mn", sizes) ==
        "emulator: cutensorCreateContraction: mode 'm' is twice in modeA\n");
  CHECK(told_of("mk", "kn", "mx", {{'m', 4}, {'k', 6}, {'n', 5}, {'x', 2}}) ==
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
        "emulator: cutensorCreateTensorDescriptor: extent[1] is 0, the least is 1\n"
        "emulator: cutensorCreateTensorDescriptor: stride[0] is 0, the least is 1\n"
        "emulator: cutensorCreateTensorDescriptor: alignmentRequirement is 12, no power of two\n"
        "emulator: cutensorCreateTensorDescriptor: dataType is 3, elements that the emulator does "
        "not compute with\n"
        "emulator: cutensorCreateTensorDescriptor: the handle is a null pointer\n");
  CHECK(told_by([](const Product& product, float* d) {
          cutensorPermute(product.handle, product.plan, &one, d, d + 4, nullptr);
        }) == "emulator: cutensorPermute: the plan is of a contraction\n");
  CHECK(told_by([](const Product& product, float* d) {
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
          // To read the same element twice is no mistake.
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

TEST_CASE("cutensor: an operand beyond its allocation is told, and fails the device") {
  CHECK(told_by([](const Product& product, float* d) { product(d, d + 4, d + 9); }) ==
        "emulator: cutensorContract: C needs 4 floats, its allocation holds 3 from there: illegal "
        "address\n");
  CHECK(told_by([](const Product& product, float* d) { product(d, d + 10, d + 4, &zero); }) ==
        "emulator: cutensorContract: B needs 4 floats, its allocation holds 2 from there: illegal "
        "address\n");
  CHECK(told_by([](const Product& product, float*) {
          const Descriptor wide(product.handle, {2, 3}, CUDA_R_32F, {1, 5}, 4);
          const Plan plan(product.handle, [&](cutensorOperationDescriptor_t* operation) {
            return cutensorCreatePermutation(product.handle, operation, wide, names("ab").data(),
                                             identity, wide, names("ab").data(),
                                             CUTENSOR_COMPUTE_DESC_32F);
          });
          const Array<float> twelve(std::vector<float>(12));
          const Array<float> eleven(std::vector<float>(11));
          cutensorPermute(product.handle, plan, &one, twelve.get(), eleven.get(), nullptr);
        }) ==
        "emulator: cutensorPermute: B needs 12 floats, its allocation holds 11 from there: illegal "
        "address\n");
}

TEST_CASE("cutensor: an operand the device cannot reach, or not so, is told") {
  float host[4] = {};
  CHECK(told_by([&](const Product& product, float* d) { product(host, d, d + 4); }) ==
        "emulator: cutensorContract: A is not in memory that the device can reach: illegal "
        "address\n");
  CHECK(told_by([](const Product& product, float* d) { product(d, nullptr, d + 4); }) ==
        "emulator: cutensorContract: B is a null pointer\n");
  CHECK(told_by([](const Product& product, float* d) {
          product(d, reinterpret_cast<float*>(reinterpret_cast<char*>(d) + 2), d + 4);
        }) ==
        "emulator: cutensorContract: B is not aligned to the 4 bytes that its descriptor "
        "promises\n");
  CHECK(told_by([](const Product& product, float* d) { product(d, d + 4, d + 2); }) ==
        "emulator: cutensorContract: A and D have memory in common: on a GPU elements would be "
        "read that are already overwritten\n");
  CHECK(host_test::in_child([] {
          const Product product;
          const Array<float> d(std::vector<float>(12, 1.0F));
          const bool as_told = product(d.get() + 9, d.get(), d.get() + 4) == failed &&
                               cudaGetLastError() == cudaSuccess &&
                               cudaDeviceSynchronize() == cudaErrorIllegalAddress &&
                               product(d.get(), d.get() + 4, d.get() + 8) == failed;
          _exit(as_told ? 42 : 1);
        }).status == 42);
}

TEST_CASE("cutensor: too little workspace is told, and what is wrong with it") {
  CHECK(told_by([](const Product& product, float* d) {
          cutensorContract(product.handle, product.plan, &one, d, d + 4, &one, d + 8, d + 8, d, 256,
                           nullptr);
        }) ==
        "emulator: cutensorContract: the plan needs a workspace of 512 bytes, this one has 256\n");
  CHECK(told_by([](const Product& product, float* d) {
          cutensorContract(product.handle, product.plan, &one, d, d + 4, &one, d + 8, d + 8,
                           static_cast<char*>(product.plan.workspace()) + 16, 512, nullptr);
          cutensorContract(product.handle, product.plan, &one, d, d + 4, &one, d + 8, d + 8,
                           nullptr, 512, nullptr);
        }) ==
        "emulator: cutensorContract: the workspace is not aligned to 256 bytes\n"
        "emulator: cutensorContract: workspace is a null pointer\n");
  CHECK(told_by([](const Product& product, float* d) {
          cutensorContract(product.handle, product.plan, &one, d, d + 4, &one, d + 8, d + 8, d, 512,
                           nullptr);
        }) ==
        "emulator: cutensorContract: workspace needs 512 bytes, its allocation holds 48 from "
        "there: illegal address\n");
  CHECK(told_by([](const Product& product, float*) {
          cutensorPlanPreference_t preference = nullptr;
          cutensorCreatePlanPreference(product.handle, &preference, CUTENSOR_ALGO_TTGT,
                                       CUTENSOR_JIT_MODE_NONE);
          cutensorPlan_t plan = nullptr;
          const bool as_told = cutensorCreatePlan(product.handle, &plan, product.plan.operation(),
                                                  preference, 511) == too_little &&
                               cutensorCreatePlan(product.handle, &plan, product.plan.operation(),
                                                  preference, 512) == success;
          if (!as_told) std::fprintf(stderr, "wrong\n");
        }) ==
        "emulator: cutensorCreatePlan: CUTENSOR_ALGO_TTGT needs a workspace of 512 bytes, the "
        "limit is 511\n");
}

TEST_CASE("cutensor: a call in a stream that is captured is not modelled, and ends the capture") {
  const std::string text = told_by([](const Product& product, float* d) {
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

TEST_CASE("cutensor: the checks find what a call reads and nobody has written") {
  CHECK(found_by([](const Product& product, float* d) {
          write(d, 7);
          CHECK(product(d, d + 4, d + 8, &zero) == success);
        }) == "uninitialised: cutensorContract reads as B 4 bytes that nobody has written\n");
  // With beta 0, C need not be written.
  CHECK(found_by([](const Product& product, float* d) {
          write(d, 8);
          CHECK(product(d, d + 4, d + 8, &zero) == success);
          CHECK(product(d, d + 4, d + 12, &one) == success);
        }) == "uninitialised: cutensorContract reads as C 16 bytes that nobody has written\n");
}

TEST_CASE("cutensor: what a call writes counts as written, and no more") {
  CHECK(found_by([](const Product& product, float* d) {
          const Descriptor column(product.handle, {2}, CUDA_R_32F, {3}, 4);
          const Plan plan(product.handle, [&](cutensorOperationDescriptor_t* operation) {
            return cutensorCreatePermutation(product.handle, operation, column, names("a").data(),
                                             identity, column, names("a").data(),
                                             CUTENSOR_COMPUTE_DESC_32F);
          });
          float here[4];
          write(d, 1);
          write(d + 3, 1);
          CHECK(cutensorPermute(product.handle, plan, &one, d, d + 4, nullptr) == success);
          CHECK(cudaMemcpy(here, d + 4, 4, cudaMemcpyDefault) == cudaSuccess);
          CHECK(cudaMemcpy(here, d + 7, 4, cudaMemcpyDefault) == cudaSuccess);
          CHECK(cudaMemcpy(here, d + 4, 16, cudaMemcpyDefault) == cudaSuccess);
        }) == "uninitialised: the host fetches 8 bytes that nobody has written\n");
}

TEST_CASE("cutensor: two streams must not have the same workspace at the same time") {
  const auto in_streams = [](bool in_order) {
    return found_by([&](const Product& product, float* d) {
      cudaStream_t first = nullptr;
      cudaStream_t second = nullptr;
      const Array<float> other(std::vector<float>(12, 1.0F));
      write(d, 12);
      REQUIRE(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
      REQUIRE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      CHECK(product(d, d + 4, d + 8, &one, first) == success);
      if (in_order) CHECK(cudaStreamSynchronize(first) == cudaSuccess);
      CHECK(product(other.get(), other.get() + 4, other.get() + 8, &one, second) == success);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      CHECK(cudaStreamDestroy(first) == cudaSuccess);
      CHECK(cudaStreamDestroy(second) == cudaSuccess);
    });
  };
  CHECK(in_streams(true).empty());
  CHECK(in_streams(false).find("unordered: ") == 0);
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
