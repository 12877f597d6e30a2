/// \file
/// What the emulator's cuTENSOR notices of the memory that it is given, and a GPU does not.

#include <string>

#include "libraries/cutensor/emulator_test.hpp"

using namespace cutensor_test;

TEST_CASE("cutensor: an operand beyond its allocation is told, and fails the device") {
  CHECK(messages_of([](const Product& product, float* d) { product(d, d + 4, d + 9); }) ==
        "emulator: cutensorContract: C needs 4 floats, its allocation holds 3 from there: illegal "
        "address\n");
  CHECK(messages_of([](const Product& product, float* d) { product(d, d + 10, d + 4, &zero); }) ==
        "emulator: cutensorContract: B needs 4 floats, its allocation holds 2 from there: illegal "
        "address\n");
  CHECK(messages_of([](const Product& product, float*) {
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
  CHECK(messages_of([&](const Product& product, float* d) { product(host, d, d + 4); }) ==
        "emulator: cutensorContract: A is not in memory that the device can reach: illegal "
        "address\n");
  CHECK(messages_of([](const Product& product, float* d) { product(d, nullptr, d + 4); }) ==
        "emulator: cutensorContract: B is a null pointer\n");
  CHECK(messages_of([](const Product& product, float* d) {
          product(d, reinterpret_cast<float*>(reinterpret_cast<char*>(d) + 2), d + 4);
        }) ==
        "emulator: cutensorContract: B is not aligned to the 4 bytes that its descriptor "
        "promises\n");
  CHECK(messages_of([](const Product& product, float* d) { product(d, d + 4, d + 2); }) ==
        "emulator: cutensorContract: A and D have memory in common: on a GPU elements would be "
        "read after they are overwritten\n");
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
  CHECK(messages_of([](const Product& product, float* d) {
          cutensorContract(product.handle, product.plan, &one, d, d + 4, &one, d + 8, d + 8, d, 256,
                           nullptr);
        }) ==
        "emulator: cutensorContract: the plan needs a workspace of 512 bytes, this one has 256\n");
  CHECK(messages_of([](const Product& product, float* d) {
          cutensorContract(product.handle, product.plan, &one, d, d + 4, &one, d + 8, d + 8,
                           static_cast<char*>(product.plan.workspace()) + 16, 512, nullptr);
          cutensorContract(product.handle, product.plan, &one, d, d + 4, &one, d + 8, d + 8,
                           nullptr, 512, nullptr);
        }) ==
        "emulator: cutensorContract: the workspace is not aligned to 256 bytes\n"
        "emulator: cutensorContract: workspace is a null pointer\n");
  CHECK(messages_of([](const Product& product, float* d) {
          cutensorContract(product.handle, product.plan, &one, d, d + 4, &one, d + 8, d + 8, d, 512,
                           nullptr);
        }) ==
        "emulator: cutensorContract: workspace needs 512 bytes, its allocation holds 48 from "
        "there: illegal address\n");
  CHECK(messages_of([](const Product& product, float*) {
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

TEST_CASE("cutensor: the checks find what a call reads and nobody has written") {
  CHECK(findings_of([](const Product& product, float* d) {
          write(d, 7);
          CHECK(product(d, d + 4, d + 8, &zero) == success);
        }) == "uninitialised: cutensorContract reads as B 4 bytes that nothing has written\n");
  // With beta 0, C need not be written.
  CHECK(findings_of([](const Product& product, float* d) {
          write(d, 8);
          CHECK(product(d, d + 4, d + 8, &zero) == success);
          CHECK(product(d, d + 4, d + 12, &one) == success);
        }) == "uninitialised: cutensorContract reads as C 16 bytes that nothing has written\n");
}

TEST_CASE("cutensor: what a call writes counts as written, and no more") {
  CHECK(findings_of([](const Product& product, float* d) {
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
        }) == "uninitialised: the host fetches 8 bytes that nothing has written\n");
}

TEST_CASE("cutensor: two streams must not have the same workspace at the same time") {
  const auto in_streams = [](bool in_order) {
    return findings_of([&](const Product& product, float* d) {
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
