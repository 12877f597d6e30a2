#pragma once
/// \file
/// What the tests share of what only the emulator's cuTENSOR promises.

#include <string>
#include <vector>

#include "emulator/findings.h"
#include "libraries/cutensor/cutensor_test.hpp"
#include "tests/support/host_test.hpp"

namespace cutensor_test {

using host_test::Fresh;

inline constexpr auto failed = CUTENSOR_STATUS_EXECUTION_FAILED;
inline constexpr float one = 1;
inline constexpr float zero = 0;

/// A[m,k] B[k,n] + C[m,n], all of 2 x 2 floats, on addresses aligned to 4 bytes.
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

/// What the action prints, in a child process, where the device's state may be corrupted.
template <class Action>
std::string messages_of(Action action) {
  return host_test::in_child([&] {
           const Product product;
           const Array<float> numbers(std::vector<float>(12, 1.0F));
           action(product, numbers.get());
         })
      .error_output;
}

/// Calls the action with checks on, on memory that nothing has written, and lists the findings.
template <class Action>
std::string findings_of(Action action) {
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

inline void write(float* to, int count) {
  const float numbers[16] = {1, 2, 3, 4};
  CHECK(cudaMemcpy(to, numbers, static_cast<std::size_t>(count) * sizeof(float),
                   cudaMemcpyDefault) == cudaSuccess);
}

/// What the creation of a contraction prints.
inline std::string messages_of_contraction(const std::string& a, const std::string& b,
                                           const std::string& c, const Sizes& sizes) {
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

}  // namespace cutensor_test
