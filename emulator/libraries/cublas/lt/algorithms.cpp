/// \file
/// cuBLASLt's algorithms for a product, of which the emulator has one.

#include "libraries/cublas/lt/matmul.hpp"

using namespace emulator::cublas;

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requested, cublasLtMatmulHeuristicResult_t results[],
    int* found) {
  Call call("cublasLtMatmulAlgoGetHeuristic", as_handle(handle));
  call.not_null({{"the results", results}, {"the number of results", found}});
  if (!call.ok()) return call.status();
  *found = 0;
  call.at_least("requestedAlgoCount", requested, 1);
  description<LtPreference>(call, "the preference", preference);
  const Matmul matmul(call, desc, Adesc, Bdesc, Cdesc, Ddesc);
  if (call.ok()) matmul.with(call, [](auto) {});
  if (!call.ok()) return call.status();
  results[0] = {the_algorithm(), 0, CUBLAS_STATUS_SUCCESS, 1, {}};
  *found = 1;
  return call.status();
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                       cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                       const cublasLtMatmulAlgo_t* algo,
                                       cublasLtMatmulHeuristicResult_t* result) {
  Call call("cublasLtMatmulAlgoCheck", as_handle(handle));
  call.not_null({{"algo", algo}, {"result", result}});
  if (call.ok() && !is_the_algorithm(*algo)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE, "algo is not one of this library's");
  }
  const Matmul matmul(call, desc, Adesc, Bdesc, Cdesc, Ddesc);
  if (call.ok()) matmul.with(call, [](auto) {});
  if (!call.ok()) return call.status();
  result->workspaceSize = 0;
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
  return call.status();
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t, cudaDataType_t Atype, cudaDataType_t Btype,
                                        cudaDataType_t, cudaDataType_t Dtype, int requested,
                                        int ids[], int* found) {
  Call call("cublasLtMatmulAlgoGetIds", as_handle(handle));
  call.not_null({{"the ids", ids}, {"the number of ids", found}});
  call.at_least("requestedAlgoCount", requested, 1);
  if (!call.ok()) return call.status();
  *found = 0;
  if (!with_types(compute, Atype, Btype, Dtype, [](auto) {})) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, unmodelled_types(compute, Atype, Btype, Dtype));
    return call.status();
  }
  ids[0] = 0;
  *found = 1;
  return call.status();
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t, cudaDataType_t Atype, cudaDataType_t Btype,
                                      cudaDataType_t, cudaDataType_t Dtype, int id,
                                      cublasLtMatmulAlgo_t* algo) {
  Call call("cublasLtMatmulAlgoInit", as_handle(handle));
  call.not_null({{"algo", algo}});
  if (id != 0) call.refuse(CUBLAS_STATUS_INVALID_VALUE, "the emulator's one algorithm is number 0");
  if (call.ok() && !with_types(compute, Atype, Btype, Dtype, [](auto) {})) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, unmodelled_types(compute, Atype, Btype, Dtype));
  }
  if (call.ok()) *algo = the_algorithm();
  return call.status();
}
