// Calls that fail because a program has asked for it.

#include "emulator/planned_failures.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

using emulator::Failing;
using emulator::plan_failure;
using emulator::planned_failure;

namespace {

__global__ void add_one(int* value) {
  ++*value;
}

struct Value {
  Value() {
    REQUIRE(cudaMalloc(&device, sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMemset(device, 0, sizeof(int)) == cudaSuccess);
  }
  ~Value() {
    plan_failure({});
    cudaFree(device);
  }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  int get() const {
    int value = -1;
    REQUIRE(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
    return value;
  }
  int* device = nullptr;
};

}  // namespace

TEST_CASE(
    "planned failures: the copy that was meant fails and copies nothing, the next one works") {
  const Value value;
  const int one = 1;
  const int two = 2;
  plan_failure({Failing::copy, 1});
  CHECK(cudaMemcpy(value.device, &one, sizeof one, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(planned_failure().calls == 0);
  CHECK(cudaMemcpy(value.device, &two, sizeof two, cudaMemcpyHostToDevice) == cudaErrorUnknown);
  CHECK(planned_failure().what == Failing::nothing);
  CHECK(cudaGetLastError() == cudaErrorUnknown);
  CHECK(value.get() == 1);
}

TEST_CASE("planned failures: a launch that fails runs nothing, and tells by cudaGetLastError()") {
  const Value value;
  plan_failure({Failing::launch, 0});
  add_one<<<1, 1>>>(value.device);
  CHECK(cudaGetLastError() == cudaErrorLaunchOutOfResources);
  add_one<<<1, 1>>>(value.device);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(value.get() == 1);
}
