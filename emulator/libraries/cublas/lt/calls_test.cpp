/// \file
/// What only the emulator's cuBLASLt promises of each call: its messages.

#include <cublasLt.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "libraries/cublas/messages_test.hpp"
#include "libraries/cublas/typed_test.hpp"
#include "tests/support/host_test.hpp"

using namespace cublas_test;

namespace {

const double factor = 1;
const double* const f = &factor;

}  // namespace

namespace {

/// A product of cuBLASLt's of 2 x 2 doubles, which the test makes a mistake in.
struct LtProduct {
  cublasLtMatmulDescOpaque_t desc;
  cublasLtMatrixLayoutOpaque_t matrix;
  cublasLtMatrixLayoutOpaque_t result;
  cublasLtMatmulPreferenceOpaque_t preference;

  LtProduct() {
    cublasLtMatmulDescInit(&desc, CUBLAS_COMPUTE_64F, CUDA_R_64F);
    cublasLtMatrixLayoutInit(&matrix, CUDA_R_64F, 2, 2, 2);
    cublasLtMatrixLayoutInit(&result, CUDA_R_64F, 2, 2, 2);
    cublasLtMatmulPreferenceInit(&preference);
  }
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    cublasLtMatmulDescSetAttribute(&desc, attribute, &value, sizeof value);
  }
  cublasStatus_t run(cublasHandle_t handle, const double* a, const double* b, double* d,
                     const double* alpha = f, void* workspace = nullptr,
                     const cublasLtMatmulAlgo_t* algo = nullptr) {
    const double none = 0;
    return cublasLtMatmul(reinterpret_cast<cublasLtHandle_t>(handle), &desc, alpha, a, &matrix, b,
                          &matrix, &none, nullptr, &result, d, &result, algo, workspace,
                          workspace == nullptr ? 0 : 8, nullptr);
  }
};

std::string messages_of_lt(void (*action)(cublasHandle_t, double*, LtProduct&)) {
  return messages_of<double>([&](cublasHandle_t handle, double* d) {
    LtProduct product;
    action(handle, d, product);
  });
}

}  // namespace

TEST_CASE("cublasLt: an argument that makes no sense is told") {
  using Handle = cublasHandle_t;
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          cublasLtMatrixLayoutInit(&product.matrix, CUDA_R_64F, 2, 2, 1);
          product.run(handle, d, d, d);
        }) == "emulator: cublasLtMatmul: ld of A is 1, but must be at least 2\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          cublasLtMatrixLayoutInit(&product.result, CUDA_R_64F, 2, 3, 2);
          product.run(handle, d, d, d);
        }) == "emulator: cublasLtMatmul: C is 2 x 3, op(A) op(B) is 2 x 2\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          product.run(handle, d, d, d + 1);
        }) ==
        "emulator: cublasLtMatmul: D needs 4 doubles, its allocation holds 3 from there: illegal "
        "address\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          const double here[4] = {};
          product.run(handle, d, here, d);
        }) ==
        "emulator: cublasLtMatmul: B is not in memory that the device can reach: illegal "
        "address\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          product.run(handle, d, d, d, d);
        }) ==
        "emulator: cublasLtMatmul: alpha points to device memory, the description's mode is "
        "CUBLASLT_POINTER_MODE_HOST: a GPU's host would crash\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
          product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, d + 3);
          product.run(handle, d, d, d);
        }) ==
        "emulator: cublasLtMatmul: the bias needs 2 doubles, its allocation holds 1 from there: "
        "illegal address\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          product.run(handle, d, d, d, f, d + 1);
        }) == "emulator: cublasLtMatmul: the workspace is not aligned to 256 bytes\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          const cublasLtMatmulAlgo_t none = {};
          product.run(handle, d, d, d, f, nullptr, &none);
        }) == "emulator: cublasLtMatmul: algo is not one of this library's\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          product.desc = {};
          product.run(handle, d, d, d);
        }) ==
        "emulator: cublasLtMatmul: the product's description does not exist, or was destroyed\n");
}

TEST_CASE("cublasLt: what is not modelled is told") {
  using Handle = cublasHandle_t;
  CHECK(messages_of_lt([](Handle, double* d, LtProduct& product) {
          product.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, d);
        }) == "emulator: cublasLtMatmulDescSetAttribute: attribute 17 is not modelled\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_AUX);
          if (product.run(handle, d, d, d) != CUBLAS_STATUS_NOT_SUPPORTED) std::abort();
        }) == "emulator: cublasLtMatmul: epilogue 160 is not modelled\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          product.set(CUBLASLT_MATMUL_DESC_SCALE_TYPE, CUDA_R_32F);
          product.run(handle, d, d, d);
        }) ==
        "emulator: cublasLtMatmul: the scale type is 0, with these types of elements it has to be "
        "1\n");
  CHECK(messages_of_lt([](Handle handle, double*, LtProduct& product) {
          cublasLtMatrixLayoutInit(&product.matrix, CUDA_R_8F_E4M3, 2, 2, 2);
          cublasLtMatmulHeuristicResult_t result;
          int found = 1;
          cublasLtMatmulAlgoGetHeuristic(reinterpret_cast<cublasLtHandle_t>(handle), &product.desc,
                                         &product.matrix, &product.matrix, &product.result,
                                         &product.result, &product.preference, 1, &result, &found);
          if (found != 0) std::abort();
        }) ==
        "emulator: cublasLtMatmulAlgoGetHeuristic: computeType 70 for A, B and C of types 28, 28 "
        "and 1 is not modelled\n");
  CHECK(messages_of_lt([](Handle handle, double* d, LtProduct& product) {
          product.set(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLAS_COMPUTE_32I);
          product.run(handle, d, d, d);
        }) ==
        "emulator: cublasLtMatmul: lda is 2 and ldb is 2: with CUBLAS_COMPUTE_32I they have to be "
        "multiples of 4\n");
}

TEST_CASE("cublasLt: its own log") {
  CHECK(
      messages_of_lt([](cublasHandle_t handle, double* d, LtProduct& product) {
        cublasLtLoggerSetFile(stderr);
        product.run(handle, d, d, d);
        cublasLtLoggerSetLevel(5);
        product.run(handle, d, d, d);
        cublasLtLoggerSetLevel(1);
        product.run(handle, d, d, d);
        cublasLtLoggerSetCallback([](int level, const char* function, const char* message) {
          std::fprintf(stderr, "%d %s %s\n", level, function, message);
        });
        product.run(handle, d, d, nullptr);
        cublasLtLoggerForceDisable();
        cublasLtLoggerSetLevel(5);
        product.run(handle, d, d, d);
      }) ==
      "[cublasLt][Api][cublasLtMatmul] transa=CUBLAS_OP_N, transb=CUBLAS_OP_N, rows of A=2, "
      "columns "
      "of A=2, ld of A=2, batch count of A=1, rows of B=2, columns of B=2, ld of B=2, batch count "
      "of B=1, rows of C=2, columns of C=2, ld of C=2, batch count of C=1, rows of D=2, columns of "
      "D=2, ld of D=2, batch count of D=1, epilogue=1: CUBLAS_STATUS_SUCCESS\n"
      "emulator: cublasLtMatmul: D is a null pointer\n"
      "[cublasLt][Error][cublasLtMatmul] transa=CUBLAS_OP_N, transb=CUBLAS_OP_N, rows of A=2, "
      "columns of A=2, ld of A=2, batch count of A=1, rows of B=2, columns of B=2, ld of B=2, "
      "batch "
      "count of B=1, rows of C=2, columns of C=2, ld of C=2, batch count of C=1, rows of D=2, "
      "columns "
      "of D=2, ld of D=2, batch count of D=1, epilogue=1: CUBLAS_STATUS_INVALID_VALUE\n"
      "1 cublasLtMatmul transa=CUBLAS_OP_N, transb=CUBLAS_OP_N, rows of A=2, columns of A=2, ld of "
      "A=2, batch count of A=1, rows of B=2, columns of B=2, ld of B=2, batch count of B=1, rows "
      "of "
      "C=2, columns of C=2, ld of C=2, batch count of C=1, rows of D=2, columns of D=2, ld of D=2, "
      "batch count of D=1, epilogue=1: CUBLAS_STATUS_INVALID_VALUE\n");
}
