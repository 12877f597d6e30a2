// What the emulator says of cuSPARSE's calls, which a GPU does not.

#include <cusparse.h>
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "emulator/findings.h"

namespace {

// y = A x with A of 2 x 2 whose arrays are given; x is not written beyond its first element.
struct Outcome {
  cusparseStatus_t status;
  std::string findings;
};
Outcome multiply(std::array<int, 3> offsets, std::array<int, 2> indices, bool checked,
                 int x_written = 2) {
  emulator::clear_findings();
  emulator::set_checking(checked);
  int* memory = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 256) == cudaSuccess);
  const float ones[] = {1, 1};
  cudaMemcpy(memory, offsets.data(), 12, cudaMemcpyHostToDevice);
  cudaMemcpy(memory + 4, indices.data(), 8, cudaMemcpyHostToDevice);
  cudaMemcpy(memory + 8, ones, 8, cudaMemcpyHostToDevice);
  cudaMemcpy(memory + 12, ones, 4 * static_cast<std::size_t>(x_written), cudaMemcpyHostToDevice);
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr;
  cusparseDnVecDescr_t y = nullptr;
  cusparseCreate(&handle);
  cusparseCreateCsr(&a, 2, 2, 2, memory, memory + 4, memory + 8, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&x, 2, memory + 12, CUDA_R_32F);
  cusparseCreateDnVec(&y, 2, memory + 16, CUDA_R_32F);
  const float one = 1;
  const float zero = 0;
  Outcome outcome;
  outcome.status = cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y,
                                CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  cusparseDestroySpMat(a);
  cusparseDestroyDnVec(x);
  cusparseDestroyDnVec(y);
  cusparseDestroy(handle);
  cudaFree(memory);
  emulator::set_checking(false);
  for (const emulator::Finding& finding : emulator::findings()) {
    outcome.findings += finding.what + "\n";
  }
  emulator::clear_findings();
  return outcome;
}

}  // namespace

TEST_CASE("cuSPARSE: offsets and indices that make no sense fail the call") {
  CHECK(multiply({0, 1, 2}, {0, 1}, false).status == CUSPARSE_STATUS_SUCCESS);
  CHECK(multiply({0, 2, 1}, {0, 1}, false).status == CUSPARSE_STATUS_EXECUTION_FAILED);
  CHECK(multiply({0, 1, 3}, {0, 1}, false).status == CUSPARSE_STATUS_EXECUTION_FAILED);
  CHECK(multiply({1, 2, 2}, {0, 1}, false).status == CUSPARSE_STATUS_EXECUTION_FAILED);
  CHECK(multiply({0, 1, 2}, {0, 2}, false).status == CUSPARSE_STATUS_EXECUTION_FAILED);
  CHECK(multiply({0, 1, 2}, {-1, 1}, false).status == CUSPARSE_STATUS_EXECUTION_FAILED);
}

TEST_CASE("cuSPARSE: reading what nobody has written is a finding") {
  CHECK(multiply({0, 1, 2}, {0, 1}, true).findings.empty());
  const std::string text = multiply({0, 1, 2}, {0, 1}, true, 1).findings;
  CHECK(text.find("cusparseSpMV reads as vecX 4 bytes that nothing has written") !=
        std::string::npos);
}

TEST_CASE("cuSPARSE: a handle or a descriptor that is not live is refused") {
  cusparseHandle_t handle = nullptr;
  REQUIRE(cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseDestroy(handle) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseDestroy(handle) == CUSPARSE_STATUS_NOT_INITIALIZED);
  cusparseDnVecDescr_t vector = nullptr;
  REQUIRE(cusparseCreateDnVec(&vector, 0, nullptr, CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseDestroyDnVec(vector) == CUSPARSE_STATUS_SUCCESS);
  void* values = nullptr;
  CHECK(cusparseDnVecGetValues(vector, &values) == CUSPARSE_STATUS_INVALID_VALUE);
}
